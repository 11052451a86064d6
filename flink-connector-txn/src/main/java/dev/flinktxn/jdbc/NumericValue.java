// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.postgresql.util.ByteConverter;

/**
 * PostgreSQL's numeric in binary: count of base-10000 digits, weight of the first, sign, scale,
 * digits. Numbers that fit into a long are written without a detour.
 */
final class NumericValue {

  private static final int POSITIVE = 0x0000;
  private static final int NEGATIVE = 0x4000;
  private static final int NOT_A_NUMBER = 0xC000;
  private static final int INFINITY = 0xD000;
  private static final int NEGATIVE_INFINITY = 0xF000;
  private static final int BASE = 10_000;
  private static final int BASE_DIGITS = 4;
  private static final long[] POWERS = new long[19];

  static {
    POWERS[0] = 1;
    for (int power = 1; power < POWERS.length; power++) {
      POWERS[power] = POWERS[power - 1] * 10;
    }
  }

  private NumericValue() {}

  /** An encoder for a type of numbers; null for other types. */
  static ValueEncoder of(LogicalType from) {
    return switch (from.getTypeRoot()) {
      case TINYINT, SMALLINT, INTEGER, BIGINT -> integer(IntegerReader.of(from));
      case DECIMAL -> decimal((DecimalType) from);
      case FLOAT ->
          (row, field, out) -> {
            float value = row.getFloat(field);
            put(value, Float.toString(value), out);
          };
      case DOUBLE ->
          (row, field, out) -> {
            double value = row.getDouble(field);
            put(value, Double.toString(value), out);
          };
      default -> null;
    };
  }

  private static ValueEncoder integer(IntegerReader reader) {
    return (row, field, out) -> put(reader.read(row, field), 0, out);
  }

  private static ValueEncoder decimal(DecimalType type) {
    int precision = type.getPrecision();
    int scale = type.getScale();
    return (row, field, out) -> {
      DecimalData value = row.getDecimal(field, precision, scale);
      if (value.isCompact()) {
        put(value.toUnscaledLong(), value.scale(), out);
      } else {
        put(value.toBigDecimal(), out);
      }
    };
  }

  private static void put(double value, String digits, CopyBuffer out) {
    if (Double.isFinite(value)) {
      put(new BigDecimal(digits), out);
    } else {
      putHeader(
          0,
          0,
          Double.isNaN(value) ? NOT_A_NUMBER : value > 0 ? INFINITY : NEGATIVE_INFINITY,
          0,
          out);
    }
  }

  private static void put(BigDecimal value, CopyBuffer out) {
    byte[] bytes = ByteConverter.numeric(value);
    out.put(bytes, 0, bytes.length);
  }

  private static void put(long unscaled, int scale, CopyBuffer out) {
    if (unscaled == Long.MIN_VALUE) {
      put(new BigDecimal(BigInteger.valueOf(unscaled), scale), out);
      return;
    }
    long value = Math.abs(unscaled);
    long whole = value / POWERS[scale];
    long fraction = value % POWERS[scale];
    int wholeDigits = 0;
    for (long rest = whole; rest > 0; rest /= BASE) {
      wholeDigits++;
    }
    int fractionDigits = (scale + BASE_DIGITS - 1) / BASE_DIGITS;
    putHeader(
        wholeDigits + fractionDigits,
        wholeDigits - 1,
        unscaled < 0 ? NEGATIVE : POSITIVE,
        scale,
        out);
    for (int digit = wholeDigits - 1; digit >= 0; digit--) {
      out.putShort((int) (whole / POWERS[digit * BASE_DIGITS] % BASE));
    }
    for (int places = scale; places > 0; places -= BASE_DIGITS) {
      int rest = places - BASE_DIGITS;
      out.putShort(
          (int)
              (rest >= 0
                  ? fraction / POWERS[rest] % BASE
                  : fraction % POWERS[places] * POWERS[-rest]));
    }
  }

  private static void putHeader(int digits, int weight, int sign, int scale, CopyBuffer out) {
    out.putShort(digits);
    out.putShort(weight);
    out.putShort(sign);
    out.putShort(scale);
  }
}
