// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.postgresql.core.Oid;
import org.postgresql.util.ByteConverter;

/**
 * Numbers from binary. Exact types hold the very number or refuse it; floating ones take the
 * nearest that they have.
 */
final class NumberReading {

  private static final String WIDER =
      "declare the column with a type that holds all its numbers, or as STRING";

  private static final int LONG_DIGITS = 18;
  private static final int BASE_DIGITS = 4;
  private static final int POSITIVE = 0x0000;
  private static final int NEGATIVE = 0x4000;
  private static final long[] POWERS = new long[LONG_DIGITS + 1];

  static {
    POWERS[0] = 1;
    for (int power = 1; power < POWERS.length; power++) {
      POWERS[power] = POWERS[power - 1] * 10;
    }
  }

  private interface LongReading {
    long read(byte[] bytes, int at, int length) throws UnfitValueException;
  }

  private NumberReading() {}

  /** Whole numbers; null where {@code from} has none. */
  static ValueDecoder integer(LogicalTypeRoot to, int from) {
    LongReading number =
        from == Oid.NUMERIC ? (bytes, at, length) -> unscaled(bytes, at, length, 0) : whole(from);
    if (number == null) {
      return null;
    }
    return switch (to) {
      case TINYINT ->
          (bytes, at, length) ->
              (byte) within(number.read(bytes, at, length), Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT ->
          (bytes, at, length) ->
              (short) within(number.read(bytes, at, length), Short.MIN_VALUE, Short.MAX_VALUE);
      case INTEGER ->
          (bytes, at, length) ->
              (int) within(number.read(bytes, at, length), Integer.MIN_VALUE, Integer.MAX_VALUE);
      default -> number::read;
    };
  }

  private static LongReading whole(int from) {
    return switch (from) {
      case Oid.INT2 -> (bytes, at, length) -> ByteConverter.int2(bytes, at);
      case Oid.INT4 -> (bytes, at, length) -> ByteConverter.int4(bytes, at);
      case Oid.INT8 -> (bytes, at, length) -> ByteConverter.int8(bytes, at);
      default -> null;
    };
  }

  private static long within(long value, long least, long most) throws UnfitValueException {
    if (value < least || value > most) {
      throw new UnfitValueException(value, WIDER);
    }
    return value;
  }

  /** Decimals; null where {@code from} has none. */
  static ValueDecoder decimal(DecimalType to, int from) {
    int precision = to.getPrecision();
    int scale = to.getScale();
    if (from == Oid.NUMERIC) {
      return precision <= LONG_DIGITS
          ? (bytes, at, length) -> {
            long unscaled = unscaled(bytes, at, length, scale);
            if (Math.abs(unscaled) >= POWERS[precision]) {
              throw new UnfitValueException(shown(numeric(bytes, at, length)), WIDER);
            }
            return DecimalData.fromUnscaledLong(unscaled, precision, scale);
          }
          : (bytes, at, length) -> decimal(numeric(bytes, at, length), precision, scale);
    }
    LongReading number = whole(from);
    return number == null
        ? null
        : (bytes, at, length) ->
            decimal(BigDecimal.valueOf(number.read(bytes, at, length)), precision, scale);
  }

  private static DecimalData decimal(Number value, int precision, int scale)
      throws UnfitValueException {
    if (value instanceof BigDecimal exact) {
      try {
        DecimalData fitting =
            DecimalData.fromBigDecimal(
                exact.setScale(scale, RoundingMode.UNNECESSARY), precision, scale);
        if (fitting != null) {
          return fitting;
        }
      } catch (ArithmeticException e) {
        throw new UnfitValueException(shown(value), WIDER);
      }
    }
    throw new UnfitValueException(shown(value), WIDER);
  }

  /** The nearest FLOAT; null where {@code from} has no such numbers. */
  static ValueDecoder real(int from) {
    return switch (from) {
      case Oid.FLOAT4 -> (bytes, at, length) -> ByteConverter.float4(bytes, at);
      case Oid.FLOAT8 ->
          (bytes, at, length) -> {
            double value = ByteConverter.float8(bytes, at);
            return finite((float) value, value);
          };
      case Oid.NUMERIC ->
          (bytes, at, length) -> {
            Number value = numeric(bytes, at, length);
            return finite(value.floatValue(), value);
          };
      default -> null;
    };
  }

  private static float finite(float nearest, Number value) throws UnfitValueException {
    if (Float.isInfinite(nearest)
        && !(value instanceof Double special && Double.isInfinite(special))) {
      throw new UnfitValueException(shown(value), WIDER);
    }
    return nearest;
  }

  /** The nearest DOUBLE; null where {@code from} has no such numbers. */
  static ValueDecoder doublePrecision(int from) {
    return switch (from) {
      case Oid.FLOAT4 -> (bytes, at, length) -> (double) ByteConverter.float4(bytes, at);
      case Oid.FLOAT8 -> (bytes, at, length) -> ByteConverter.float8(bytes, at);
      case Oid.NUMERIC ->
          (bytes, at, length) -> {
            Number value = numeric(bytes, at, length);
            double nearest = value.doubleValue();
            if (Double.isInfinite(nearest) && value instanceof BigDecimal) {
              throw new UnfitValueException(shown(value), WIDER);
            }
            return nearest;
          };
      default -> null;
    };
  }

  /** A BigDecimal, or as a Double what is no number. */
  private static Number numeric(byte[] bytes, int at, int length) {
    return ByteConverter.numeric(bytes, at, length);
  }

  private static String shown(Number value) {
    return value instanceof BigDecimal exact ? exact.toPlainString() : value.toString();
  }

  /**
   * A numeric as a count of units of {@code scale}, without a detour: see {@link NumericValue} for
   * the format.
   */
  private static long unscaled(byte[] bytes, int at, int length, int scale)
      throws UnfitValueException {
    int groups = ByteConverter.int2(bytes, at);
    int weight = ByteConverter.int2(bytes, at + 2);
    int sign = ByteConverter.int2(bytes, at + 4) & 0xFFFF;
    if (sign != POSITIVE && sign != NEGATIVE) {
      throw new UnfitValueException(shown(numeric(bytes, at, length)), WIDER);
    }
    long value = 0;
    try {
      for (int group = 0; group < groups; group++) {
        long digits = ByteConverter.int2(bytes, at + 8 + 2 * group);
        if (digits != 0) {
          int exponent = (weight - group) * BASE_DIGITS + scale;
          // Negative numbers reach one further than positive ones.
          value = Math.subtractExact(value, shifted(digits, exponent));
        }
      }
      return sign == NEGATIVE ? value : Math.negateExact(value);
    } catch (ArithmeticException e) {
      throw new UnfitValueException(shown(numeric(bytes, at, length)), WIDER);
    }
  }

  private static long shifted(long digits, int exponent) {
    if (exponent > LONG_DIGITS || exponent <= -BASE_DIGITS) {
      throw new ArithmeticException();
    }
    if (exponent >= 0) {
      return Math.multiplyExact(digits, POWERS[exponent]);
    }
    if (digits % POWERS[-exponent] != 0) {
      throw new ArithmeticException();
    }
    return digits / POWERS[-exponent];
  }
}
