// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static java.time.temporal.ChronoField.DAY_OF_MONTH;
import static java.time.temporal.ChronoField.HOUR_OF_DAY;
import static java.time.temporal.ChronoField.MICRO_OF_SECOND;
import static java.time.temporal.ChronoField.MINUTE_OF_HOUR;
import static java.time.temporal.ChronoField.MONTH_OF_YEAR;
import static java.time.temporal.ChronoField.SECOND_OF_MINUTE;
import static java.time.temporal.ChronoField.YEAR_OF_ERA;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.util.Locale;
import org.apache.flink.table.data.TimestampData;

/**
 * Dates and times as PostgreSQL counts them: days and microseconds from 2000-01-01, without any
 * time zone. What the column has no digits for is cut, also before 1970, so that no value moves
 * into the next year.
 */
final class PgTime {

  private static final long MILLIS_PER_DAY = 86_400_000L;
  private static final int EPOCH_DAY = 10_957;
  private static final long EPOCH_SECONDS = EPOCH_DAY * 86_400L;
  private static final int FIRST_DAY = -2_451_545;
  private static final int LAST_DAY = 2_145_031_948;

  /** Of timestamps: microseconds have to fit into a long. */
  private static final int LAST_TIMESTAMP_DAY = 106_751_982;

  private static final DateTimeFormatter DATE =
      new DateTimeFormatterBuilder()
          .appendValue(YEAR_OF_ERA, 4, 10, SignStyle.NEVER)
          .appendLiteral('-')
          .appendValue(MONTH_OF_YEAR, 2)
          .appendLiteral('-')
          .appendValue(DAY_OF_MONTH, 2)
          .toFormatter(Locale.ROOT);
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendValue(HOUR_OF_DAY, 2)
          .appendLiteral(':')
          .appendValue(MINUTE_OF_HOUR, 2)
          .appendLiteral(':')
          .appendValue(SECOND_OF_MINUTE, 2)
          .appendFraction(MICRO_OF_SECOND, 0, 6, true)
          .toFormatter(Locale.ROOT);

  private static final String AS_STRING =
      "declare the column as STRING, or read a view that leaves such values out";

  private PgTime() {}

  /** The smallest step of a column in microseconds. */
  static long step(int modifier) {
    long step = 1;
    for (int digits = 6; modifier >= 0 && digits > modifier; digits--) {
      step *= 10;
    }
    return step;
  }

  /** A date of Flink, in days from 1970. */
  static int days(int epochDay) throws UnfitValueException {
    long days = (long) epochDay - EPOCH_DAY;
    if (days < FIRST_DAY || days > LAST_DAY) {
      throw new UnfitValueException(
          epochDay + " days from 1970",
          "PostgreSQL's dates range from 4714-11-24 BC to 5874897-12-31; correct it in the query");
    }
    return (int) days;
  }

  /** A time of day of Flink, in milliseconds. */
  static long time(int millis, long step) {
    return cut(millis * 1000L, step);
  }

  static long micros(TimestampData value, long step) throws UnfitValueException {
    long seconds = Math.floorDiv(value.getMillisecond(), 1000L);
    long inSecond =
        Math.floorMod(value.getMillisecond(), 1000L) * 1000 + value.getNanoOfMillisecond() / 1000;
    long days = Math.floorDiv(seconds, 86_400L) - EPOCH_DAY;
    if (days < FIRST_DAY || days > LAST_TIMESTAMP_DAY) {
      throw new UnfitValueException(
          value,
          "PostgreSQL's timestamps range from 4714-11-24 BC to 294276-12-31; correct it in the"
              + " query");
    }
    return cut((seconds - EPOCH_SECONDS) * 1_000_000 + inSecond, step);
  }

  /** An interval's whole days; both of its parts have its sign. */
  static int intervalDays(long millis) throws UnfitValueException {
    long days = millis / MILLIS_PER_DAY;
    if (days != (int) days) {
      throw new UnfitValueException(
          millis + " ms",
          "PostgreSQL's intervals hold no more than 2147483647 days; correct it in the query");
    }
    return (int) days;
  }

  /** What an interval has beside its whole days. */
  static long intervalMicros(long millis) {
    return millis % MILLIS_PER_DAY * 1000;
  }

  private static long cut(long micros, long step) {
    return step == 1 ? micros : Math.floorDiv(micros, step) * step;
  }

  /** A date of Flink from one of PostgreSQL. */
  static int epochDay(int days) throws UnfitValueException {
    if (days == Integer.MAX_VALUE || days == Integer.MIN_VALUE) {
      throw infinite(days > 0);
    }
    return Math.addExact(days, EPOCH_DAY);
  }

  /** A time of day of Flink; microseconds are cut. */
  static int millisOfDay(long micros) throws UnfitValueException {
    long millis = micros / 1000;
    if (millis == MILLIS_PER_DAY) {
      throw new UnfitValueException("24:00:00", AS_STRING);
    }
    return (int) millis;
  }

  /** A timestamp of Flink, cut to whole {@code step}s in microseconds. */
  static TimestampData timestamp(long micros, long step) throws UnfitValueException {
    if (micros == Long.MAX_VALUE || micros == Long.MIN_VALUE) {
      throw infinite(micros > 0);
    }
    long cut = cut(micros, step);
    return TimestampData.fromEpochMillis(
        Math.floorDiv(cut, 1000L) + EPOCH_SECONDS * 1000, (int) Math.floorMod(cut, 1000L) * 1000);
  }

  /** An interval of Flink in months, which has no days. */
  static int months(long micros, int days, int months) throws UnfitValueException {
    if (micros != 0 || days != 0) {
      throw new UnfitValueException(interval(micros, days, months), AS_STRING);
    }
    return months;
  }

  /** An interval of Flink in milliseconds, which has no months. */
  static long intervalMillis(long micros, int days, int months) throws UnfitValueException {
    if (months != 0) {
      throw new UnfitValueException(interval(micros, days, months), AS_STRING);
    }
    return days * MILLIS_PER_DAY + Math.floorDiv(micros, 1000L);
  }

  private static String interval(long micros, int days, int months) {
    return months + " months " + days + " days " + micros + " microseconds";
  }

  private static UnfitValueException infinite(boolean positive) {
    return new UnfitValueException(positive ? "infinity" : "-infinity", AS_STRING);
  }

  static String dateText(int days) {
    LocalDate date = LocalDate.ofEpochDay((long) days + EPOCH_DAY);
    return DATE.format(date) + era(date);
  }

  static String timeText(long micros) {
    return TIME.format(LocalTime.ofNanoOfDay(micros * 1000));
  }

  /** A timestamp as text, followed by {@code offset}. */
  static String timestampText(long micros, String offset) {
    LocalDateTime value =
        LocalDateTime.ofEpochSecond(
            Math.floorDiv(micros, 1_000_000L) + EPOCH_SECONDS,
            (int) Math.floorMod(micros, 1_000_000L) * 1000,
            ZoneOffset.UTC);
    return DATE.format(value) + ' ' + TIME.format(value) + offset + era(value.toLocalDate());
  }

  private static String era(LocalDate date) {
    return date.getYear() > 0 ? "" : " BC";
  }
}
