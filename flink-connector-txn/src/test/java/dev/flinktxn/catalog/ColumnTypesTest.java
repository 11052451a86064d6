// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.jdbc.PgType;
import java.util.stream.Stream;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.core.Oid;

class ColumnTypesTest {

  static Stream<Arguments> declarations() {
    return Stream.of(
        Arguments.of(DataTypes.BOOLEAN(), "boolean"),
        Arguments.of(DataTypes.TINYINT(), "smallint"),
        Arguments.of(DataTypes.INT().notNull(), "integer"),
        Arguments.of(DataTypes.DECIMAL(38, 10), "numeric(38,10)"),
        Arguments.of(DataTypes.STRING(), "text"),
        Arguments.of(DataTypes.VARCHAR(20), "varchar(20)"),
        Arguments.of(DataTypes.VARCHAR(20_000_000), "text"),
        Arguments.of(DataTypes.CHAR(3), "char(3)"),
        Arguments.of(DataTypes.BINARY(3), "bytea"),
        Arguments.of(DataTypes.TIME(), "time(0)"),
        Arguments.of(DataTypes.TIMESTAMP(9), "timestamp(6)"),
        Arguments.of(DataTypes.TIMESTAMP_LTZ(3), "timestamp(3) with time zone"),
        Arguments.of(
            DataTypes.INTERVAL(DataTypes.YEAR(4), DataTypes.MONTH()), "interval year to month"),
        Arguments.of(DataTypes.INTERVAL(DataTypes.MINUTE()), "interval day to second(3)"),
        Arguments.of(DataTypes.ARRAY(DataTypes.ARRAY(DataTypes.DECIMAL(5, 1))), "numeric(5,1)[][]"),
        Arguments.of(DataTypes.MAP(DataTypes.STRING(), DataTypes.STRING()), null),
        Arguments.of(DataTypes.ARRAY(DataTypes.ROW(DataTypes.INT())), null),
        Arguments.of(DataTypes.TIMESTAMP_WITH_TIME_ZONE(3), null));
  }

  @ParameterizedTest
  @MethodSource("declarations")
  void declaresAColumnForEachTypeThatIsWritten(DataType type, String declared) {
    assertThat(ColumnTypes.postgres(type.getLogicalType()).orElse(null)).isEqualTo(declared);
  }

  /** Precision and scale as PostgreSQL packs them. */
  @ParameterizedTest
  @CsvSource({
    "10, 2, 'DECIMAL(10, 2)'",
    "38, 0, 'DECIMAL(38, 0)'",
    "39, 0, STRING",
    "50, 3, STRING",
    "2, -3, 'DECIMAL(5, 0)'",
    "2, 4, 'DECIMAL(4, 4)'"
  })
  void takesADecimalWhereItHoldsAllDigits(int precision, int scale, String expected) {
    int modifier = (precision << 16 | scale & 0x7FF) + 4;
    PgType type = new PgType(Oid.NUMERIC, "numeric", "numeric", PgType.Kind.BASE, modifier, null);
    assertThat(ColumnTypes.flink(type, 0).getLogicalType().asSummaryString()).isEqualTo(expected);
  }

  @Test
  void looksThroughDomainsAndArrays() {
    PgType integer = new PgType(Oid.INT4, "int4", "integer", PgType.Kind.BASE, -1, null);
    PgType domain = new PgType(99_999, "posint", "posint", PgType.Kind.DOMAIN, -1, integer);
    PgType array = new PgType(99_998, "_posint", "posint[]", PgType.Kind.ARRAY, -1, domain);
    assertThat(ColumnTypes.flink(domain, 0)).isEqualTo(DataTypes.INT());
    assertThat(ColumnTypes.flink(array, 1)).isEqualTo(DataTypes.ARRAY(DataTypes.INT()));
    // A view's column does not know how many dimensions were declared.
    assertThat(ColumnTypes.flink(array, 0)).isEqualTo(DataTypes.ARRAY(DataTypes.INT()));
  }
}
