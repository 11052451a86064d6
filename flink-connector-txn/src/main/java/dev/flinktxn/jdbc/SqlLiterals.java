// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.math.BigDecimal;
import java.util.HexFormat;
import org.apache.flink.table.data.TimestampData;

/** Values as SQL text, each with its type, so that the server never has to guess or to fail. */
final class SqlLiterals {

  private SqlLiterals() {}

  /** Text that is quoted, under any setting of standard_conforming_strings. */
  static String quoted(String text) {
    String doubled = text.replace("'", "''");
    return text.indexOf('\\') < 0
        ? "'" + doubled + "'"
        : "E'" + doubled.replace("\\", "\\\\") + "'";
  }

  static String text(String text) {
    return quoted(text) + "::text";
  }

  static String whole(long value) {
    return "'" + value + "'::int8";
  }

  static String decimal(BigDecimal value) {
    return "'" + value.toPlainString() + "'::numeric";
  }

  static String bytes(byte[] value) {
    return "decode('" + HexFormat.of().formatHex(value) + "', 'hex')";
  }

  static String date(int epochDay) throws UnfitValueException {
    return "'" + PgTime.dateText(PgTime.days(epochDay)) + "'::date";
  }

  /** A time of day in microseconds. */
  static String time(long micros) {
    return "'" + PgTime.timeText(micros) + "'::time";
  }

  /** A wall clock, or an instant, in PostgreSQL's microseconds. */
  static String timestamp(long micros, boolean instant) {
    return "'"
        + PgTime.timestampText(micros, instant ? "+00" : "")
        + (instant ? "'::timestamptz" : "'::timestamp");
  }

  /** The microseconds of a timestamp of Flink, cut. */
  static long micros(TimestampData value) throws UnfitValueException {
    return PgTime.micros(value, 1);
  }
}
