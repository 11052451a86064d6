// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.sql.Connection;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written comes back as it was, and what a type of the DDL cannot be is refused. */
class ReadTypesITCase {

  private static ReadRig rig;

  @BeforeAll
  static void create() throws Exception {
    rig = new ReadRig("CREATE TYPE mood AS ENUM ('calm', 'an''gry')", "CREATE DOMAIN age AS int");
  }

  @AfterAll
  static void drop() throws Exception {
    rig.close();
  }

  private static Object text(String value) {
    return StringData.fromString(value);
  }

  private static DecimalData decimal(String value, int precision, int scale) {
    return DecimalData.fromBigDecimal(new BigDecimal(value), precision, scale);
  }

  private static Object array(Object... elements) {
    return new GenericArrayData(elements);
  }

  private static TimestampData moment(String value) {
    return TimestampData.fromLocalDateTime(LocalDateTime.parse(value));
  }

  private static Arguments values(DataType ddl, String column, Object... values) {
    return Arguments.of(ddl, column, List.of(values));
  }

  static Stream<Arguments> written() {
    DataType string = DataTypes.STRING();
    return Stream.of(
        values(DataTypes.BOOLEAN(), "boolean", true, false),
        values(DataTypes.TINYINT(), "smallint", (byte) -128, (byte) 127),
        values(DataTypes.TINYINT(), "numeric", (byte) -128, (byte) 0),
        values(DataTypes.SMALLINT(), "smallint", Short.MIN_VALUE, Short.MAX_VALUE),
        values(DataTypes.INT(), "int", Integer.MIN_VALUE, 0, Integer.MAX_VALUE),
        values(DataTypes.INT(), "bigint", Integer.MIN_VALUE, Integer.MAX_VALUE),
        values(DataTypes.INT(), "age", -1, 99),
        values(DataTypes.BIGINT(), "bigint", Long.MIN_VALUE, Long.MAX_VALUE),
        values(DataTypes.BIGINT(), "numeric", Long.MIN_VALUE, -10000L, 10000L, Long.MAX_VALUE),
        values(DataTypes.FLOAT(), "real", 0.1f, -0.0f, Float.NaN, Float.NEGATIVE_INFINITY),
        values(DataTypes.FLOAT(), "double precision", 0.1f, Float.NaN, Float.MIN_VALUE),
        values(DataTypes.FLOAT(), "numeric", 0.1f, Float.NaN, Float.POSITIVE_INFINITY),
        values(DataTypes.DOUBLE(), "double precision", 0.1, -0.0, Double.NaN, Double.MAX_VALUE),
        values(DataTypes.DOUBLE(), "numeric", 0.1, Double.NaN, Double.NEGATIVE_INFINITY, 1e-300),
        values(
            DataTypes.DECIMAL(10, 2),
            "numeric(10,2)",
            decimal("12345678.91", 10, 2),
            decimal("-0.01", 10, 2),
            decimal("0", 10, 2)),
        values(DataTypes.DECIMAL(18, 9), "numeric", decimal("-123456789.000000001", 18, 9)),
        values(
            DataTypes.DECIMAL(38, 10),
            "numeric",
            decimal("-1234567890123456789012345678.0123456789", 38, 10)),
        values(DataTypes.DECIMAL(9, 0), "int", decimal("-999999999", 9, 0)),
        values(string, "text", text(""), text("é\n\t\\ 'x'"), text("\uD83D\uDE00")),
        values(string, "varchar(5)", text("ab "), text("ääääé")),
        values(string, "char(5)", text("ab"), text("abcde")),
        values(DataTypes.CHAR(5), "char(5)", text("ab   ")),
        values(DataTypes.CHAR(5), "text", text("ab   ")),
        values(DataTypes.VARCHAR(3), "text", text("äöü"), text("")),
        values(string, "uuid", text("6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f")),
        values(string, "json", text("{ \"b\": \"é\" }"), text("null")),
        values(string, "jsonb", text("{\"a\": [1, null]}")),
        values(string, "mood", text("calm"), text("an'gry")),
        values(
            string,
            "inet",
            text("10.1.2.3"),
            text("10.1.2.3/8"),
            text("::1"),
            text("2001:db8::/32")),
        values(string, "interval", text("1 mon 2 days 03:00:00")),
        values(string, "timestamptz", text("2020-01-02 03:04:05+00")),
        values(string, "date", text("infinity"), text("2020-02-29")),
        values(string, "bytea", text("\\x00ff")),
        values(string, "numeric", text("NaN"), text("1.50")),
        values(string, "int4range", text("[1,5)")),
        values(string, "point", text("(1,2)")),
        values(DataTypes.BYTES(), "bytea", new byte[0], new byte[] {0, -1, 92}),
        values(DataTypes.BINARY(2), "bytea", new byte[] {1, 2}),
        values(DataTypes.DATE(), "date", 0, -719162, 2932896, -2440000, 200000000),
        values(DataTypes.TIME(3), "time", 0, 86399999),
        values(
            DataTypes.TIMESTAMP(6),
            "timestamp",
            moment("1969-12-31T23:59:59.999999"),
            moment("0001-01-01T00:00:00"),
            moment("9999-12-31T23:59:59.999999"),
            moment("-0044-03-15T12:00:00")),
        values(DataTypes.TIMESTAMP(3), "timestamp", moment("2018-11-04T00:30:00.123")),
        values(
            DataTypes.TIMESTAMP_LTZ(6),
            "timestamptz",
            TimestampData.fromEpochMillis(-1, 999_000),
            TimestampData.fromEpochMillis(1_600_000_000_123L, 456_000)),
        values(DataTypes.INTERVAL(DataTypes.MONTH()), "interval", -13, 0, 25),
        values(DataTypes.INTERVAL(DataTypes.SECOND(3)), "interval", -90_061_001L, 0L, 1L),
        values(DataTypes.ARRAY(DataTypes.INT()), "int[]", array(1, null, -3), array()),
        values(
            DataTypes.ARRAY(string),
            "text[]",
            array(text("p"), null, text("q\"r"), text("{}"), text("NULL"), text(""))),
        values(DataTypes.ARRAY(string), "mood[]", array(text("calm"), null, text("an'gry"))),
        values(DataTypes.ARRAY(string), "inet[]", array(text("10.0.0.1"), text("::/8"))),
        values(DataTypes.ARRAY(string), "char(3)[]", array(text("a"), text("abc"))),
        values(DataTypes.ARRAY(string), "box[]", array(text("(2,2),(1,1)"), text("(4,4),(3,3)"))),
        values(
            DataTypes.ARRAY(DataTypes.TIMESTAMP(6)),
            "timestamp[]",
            array(moment("2020-01-01T00:00:00.000001"), null)),
        values(
            DataTypes.ARRAY(DataTypes.ARRAY(DataTypes.BIGINT())),
            "bigint[]",
            array(array(1L, 2L), array(3L, null)),
            array()),
        values(DataTypes.ARRAY(DataTypes.DECIMAL(5, 1)), "numeric[]", array(decimal("1.5", 5, 1))));
  }

  @ParameterizedTest(name = "{0} in {1}")
  @MethodSource("written")
  void comesBackAsItWasWritten(DataType ddl, String column, List<Object> values) throws Exception {
    RowType rows =
        ReadRig.rows(DataTypes.FIELD("id", DataTypes.INT()), DataTypes.FIELD("we\"ird col", ddl));
    rig.database.execute(
        "DROP TABLE IF EXISTS t; CREATE TABLE t (id int, \"we\"\"ird col\" " + column + ")");
    List<RowData> written =
        Stream.concat(
                Stream.of((RowData) GenericRowData.of(-1, null)),
                IntStream.range(0, values.size())
                    .mapToObj(i -> GenericRowData.of(i, values.get(i))))
            .toList();
    try (Connection connection = rig.database.connect()) {
      CopyTable table = new CopyTable(connection, "t");
      RowEncoder encoder = RowEncoders.of("cat.db.t", rows, table.target(List.of(), List.of()));
      CopyBuffer out = new CopyBuffer(64);
      for (RowData row : written) {
        encoder.encode(row, 0, out);
      }
      table.copy(encoder.format(), out);
    }
    assertThat(rig.scan(rig.target("t", rows))).isEqualTo(written);
  }

  static Stream<Arguments> unfit() {
    return Stream.of(
        Arguments.of(DataTypes.DECIMAL(10, 2), "numeric", "'NaN'", "NaN"),
        Arguments.of(DataTypes.DECIMAL(38, 2), "numeric", "'-Infinity'", "-Infinity"),
        Arguments.of(DataTypes.DECIMAL(10, 2), "numeric", "1.005", "1.005"),
        Arguments.of(DataTypes.DECIMAL(4, 2), "numeric", "100", "100"),
        Arguments.of(DataTypes.DECIMAL(38, 2), "numeric", "1e40", "10000000000"),
        Arguments.of(DataTypes.DECIMAL(3, 2), "int", "10", "10"),
        Arguments.of(DataTypes.INT(), "bigint", "3000000000", "3000000000"),
        Arguments.of(DataTypes.BIGINT(), "numeric", "9223372036854775808", "9223372036854775808"),
        Arguments.of(DataTypes.BIGINT(), "numeric", "0.5", "0.5"),
        Arguments.of(DataTypes.FLOAT(), "double precision", "1e300", "1.0E300"),
        Arguments.of(DataTypes.DATE(), "date", "'infinity'", "infinity"),
        Arguments.of(DataTypes.TIMESTAMP(6), "timestamp", "'-infinity'", "-infinity"),
        Arguments.of(DataTypes.TIMESTAMP_LTZ(3), "timestamptz", "'infinity'", "infinity"),
        Arguments.of(DataTypes.TIME(3), "time", "'24:00'", "24:00:00"),
        Arguments.of(DataTypes.VARCHAR(2), "text", "'äöü'", "äöü"),
        Arguments.of(DataTypes.CHAR(2), "text", "'abc'", "abc"),
        Arguments.of(DataTypes.BINARY(2), "bytea", "'\\x01'", "1 bytes"),
        Arguments.of(DataTypes.INTERVAL(DataTypes.MONTH()), "interval", "'1 day'", "1 days"),
        Arguments.of(DataTypes.INTERVAL(DataTypes.SECOND(3)), "interval", "'1 month'", "1 months"),
        Arguments.of(DataTypes.ARRAY(DataTypes.INT()), "int[]", "'{{1},{2}}'", "2 dimensions"));
  }

  @ParameterizedTest(name = "{0} from {1} {2}")
  @MethodSource("unfit")
  void refusesWhatTheDeclaredTypeCannotBe(DataType ddl, String column, String value, String shown)
      throws Exception {
    rig.database.execute(
        "DROP TABLE IF EXISTS t; CREATE TABLE t (c %s); INSERT INTO t VALUES (%s)"
            .formatted(column, value));
    assertThatThrownBy(() -> rig.scan(rig.target("t", ReadRig.rows(DataTypes.FIELD("c", ddl)))))
        .isInstanceOf(SuppressRestartsException.class)
        .cause()
        .hasMessageContainingAll("Table cat.db.t: column 'c'", shown, "declare");
  }

  /** What the column has beyond the declared digits is cut, as in writing. */
  @Test
  void cutsWhatTheDeclaredTypeHasNoDigitsFor() throws Exception {
    rig.database.execute(
        "DROP TABLE IF EXISTS t; CREATE TABLE t (a timestamp, b time); INSERT INTO t VALUES"
            + " ('1969-12-31 23:59:59.987654', '01:02:03.999999')");
    assertThat(
            rig.scan(
                rig.target(
                    "t",
                    ReadRig.rows(
                        DataTypes.FIELD("a", DataTypes.TIMESTAMP(3)),
                        DataTypes.FIELD("b", DataTypes.TIME(0))))))
        .containsExactly(GenericRowData.of(moment("1969-12-31T23:59:59.987"), 3_723_999));
  }

  /** Wall clocks, instants and their text, whatever the zones and styles. */
  @ParameterizedTest
  @CsvSource({"America/Sao_Paulo, Asia/Kolkata", "UTC, Europe/Paris"})
  void timesDoNotDependOnAnyZone(String jvm, String server) throws Exception {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(jvm));
    String role = "zoned_" + rig.database.name();
    rig.database.execute(
        ("DROP TABLE IF EXISTS t; CREATE TABLE t (a timestamp, b timestamptz, c timestamptz, d"
                + " date, e interval, f bytea); INSERT INTO t VALUES ('2018-11-04 00:30',"
                + " '2018-11-04 00:30+00', '2018-11-04 00:30+00', '2018-11-04', '-1 day', '\\xff');"
                + " CREATE ROLE %1$s LOGIN; GRANT SELECT ON t TO %1$s; ALTER ROLE %1$s SET TimeZone"
                + " = '%2$s'; ALTER ROLE %1$s SET DateStyle = 'SQL, DMY'; ALTER ROLE %1$s SET"
                + " IntervalStyle = 'iso_8601'; ALTER ROLE %1$s SET bytea_output = 'escape'")
            .formatted(role, server));
    try {
      rig.properties.put("user", role);
      LocalDateTime time = LocalDateTime.parse("2018-11-04T00:30:00");
      assertThat(
              rig.scan(
                  rig.target(
                      "t",
                      ReadRig.rows(
                          DataTypes.FIELD("a", DataTypes.TIMESTAMP(6)),
                          DataTypes.FIELD("b", DataTypes.TIMESTAMP_LTZ(6)),
                          DataTypes.FIELD("c", DataTypes.STRING()),
                          DataTypes.FIELD("d", DataTypes.STRING()),
                          DataTypes.FIELD("e", DataTypes.STRING()),
                          DataTypes.FIELD("f", DataTypes.STRING())))))
          .containsExactly(
              GenericRowData.of(
                  TimestampData.fromLocalDateTime(time),
                  TimestampData.fromInstant(time.toInstant(ZoneOffset.UTC)),
                  text("2018-11-04 00:30:00+00"),
                  text("2018-11-04"),
                  text("-1 days"),
                  text("\\xff")));
    } finally {
      rig.properties.put("user", rig.database.user());
      rig.database.execute("DROP OWNED BY %1$s; DROP ROLE %1$s".formatted(role));
      TimeZone.setDefault(before);
    }
  }
}
