// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DecimalType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.ByteConverter;

/** The own way of writing small numbers, against the driver's way of reading all. */
class NumericValueTest {

  private static BigDecimal written(ValueEncoder encoder, Object value) throws UnfitValueException {
    CopyBuffer out = new CopyBuffer(1);
    encoder.encode(GenericRowData.of(value), 0, out);
    return (BigDecimal) ByteConverter.numeric(out.toByteArray());
  }

  @Test
  void writesEveryDecimalWithItsScale() throws Exception {
    Random random = new Random(20_001);
    for (int precision = 1; precision <= 38; precision++) {
      for (int scale = 0; scale <= precision; scale++) {
        ValueEncoder encoder = NumericValue.of(new DecimalType(precision, scale));
        BigInteger limit = BigInteger.TEN.pow(precision);
        for (int i = 0; i < 30; i++) {
          BigInteger unscaled =
              switch (i) {
                case 0 -> BigInteger.ZERO;
                case 1 -> limit.subtract(BigInteger.ONE);
                case 2 -> BigInteger.ONE.subtract(limit);
                case 3 -> BigInteger.TEN.pow(precision - 1);
                case 4 -> BigInteger.ONE;
                default -> new BigInteger(1 + random.nextInt(126), random).mod(limit);
              };
          BigDecimal value = new BigDecimal(i % 2 == 0 ? unscaled : unscaled.negate(), scale);
          assertThat(written(encoder, DecimalData.fromBigDecimal(value, precision, scale)))
              .isEqualTo(value);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, -1, 9999, 10_000, -10_001, 99_999_999, Long.MAX_VALUE, Long.MIN_VALUE})
  void writesWholeNumbers(long value) throws Exception {
    assertThat(written(NumericValue.of(new BigIntType()), value))
        .isEqualTo(BigDecimal.valueOf(value));
  }
}
