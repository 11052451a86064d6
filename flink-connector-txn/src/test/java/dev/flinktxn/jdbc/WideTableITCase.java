// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Postgres;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every type of the contract from every sensible SQL type, alone and in an array. */
class WideTableITCase {

  /**
   * A value and what becomes of it.
   *
   * @param column the column's type as declared
   * @param from the SQL type
   * @param value in Flink's internal form; null for the SQL value NULL
   * @param expected as PostgreSQL's text
   */
  private record Case(String column, LogicalType from, Object value, String expected) {}

  private final List<Case> binary = new ArrayList<>();
  private final List<Case> textOnly = new ArrayList<>();

  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = Postgres.shared().connect();
    execute(
        "SET IntervalStyle = 'sql_standard'",
        "DROP SCHEMA IF EXISTS wide CASCADE",
        "CREATE SCHEMA wide",
        "SET search_path = wide",
        "CREATE TYPE mood AS ENUM ('calm', 'angry', 'fröhlich')",
        "CREATE DOMAIN positive AS int CHECK (VALUE > 0)",
        "CREATE DOMAIN short AS varchar(3)",
        "CREATE DOMAIN shorter AS short",
        "CREATE DOMAIN tags AS text[]",
        "CREATE TYPE pair AS (a int, b text)");
  }

  @AfterEach
  void disconnect() throws SQLException {
    try {
      execute("DROP SCHEMA wide CASCADE");
    } finally {
      connection.close();
    }
  }

  private void execute(String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private void add(String column, DataType from, Object value, String expected) {
    binary.add(new Case(column, from.getLogicalType(), internal(value), expected));
  }

  private void addText(String column, Object value, String expected) {
    addText(column, DataTypes.STRING(), value, expected);
  }

  private void addText(String column, DataType from, Object value, String expected) {
    textOnly.add(new Case(column, from.getLogicalType(), internal(value), expected));
  }

  private static Object internal(Object value) {
    return value instanceof String text ? StringData.fromString(text) : value;
  }

  private static DecimalData decimal(String value, int precision, int scale) {
    return Objects.requireNonNull(
        DecimalData.fromBigDecimal(new BigDecimal(value), precision, scale));
  }

  private static Object array(Object... values) {
    Object[] elements = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      elements[i] = internal(values[i]);
    }
    return new GenericArrayData(elements);
  }

  @BeforeEach
  void listNumbers() {
    add("smallint", DataTypes.TINYINT(), (byte) -128, "-128");
    add("smallint", DataTypes.SMALLINT(), Short.MIN_VALUE, "-32768");
    add("smallint", DataTypes.DECIMAL(4, 0), decimal("-9999", 4, 0), "-9999");
    add("int", DataTypes.TINYINT(), (byte) 127, "127");
    add("int", DataTypes.SMALLINT(), Short.MAX_VALUE, "32767");
    add("int", DataTypes.INT(), Integer.MIN_VALUE, "-2147483648");
    add("int", DataTypes.DECIMAL(9, 0), decimal("999999999", 9, 0), "999999999");
    add("bigint", DataTypes.TINYINT(), (byte) -1, "-1");
    add("bigint", DataTypes.SMALLINT(), (short) -2, "-2");
    add("bigint", DataTypes.INT(), Integer.MAX_VALUE, "2147483647");
    add("bigint", DataTypes.BIGINT(), Long.MIN_VALUE, "-9223372036854775808");
    add("bigint", DataTypes.BIGINT(), Long.MAX_VALUE, "9223372036854775807");
    add("bigint", DataTypes.BIGINT(), 0L, "0");
    add(
        "bigint",
        DataTypes.DECIMAL(18, 0),
        decimal("-999999999999999999", 18, 0),
        "-999999999999999999");
    add("real", DataTypes.FLOAT(), 1.5e-10f, "1.5e-10");
    add("real", DataTypes.FLOAT(), Float.NaN, "NaN");
    add("double precision", DataTypes.FLOAT(), 0.25f, "0.25");
    add("double precision", DataTypes.FLOAT(), 0.1f, "0.10000000149011612");
    add("double precision", DataTypes.DOUBLE(), -0.1, "-0.1");
    add("double precision", DataTypes.DOUBLE(), Double.MIN_VALUE, "5e-324");
    add("double precision", DataTypes.DOUBLE(), Double.NEGATIVE_INFINITY, "-Infinity");
    add("double precision", DataTypes.DOUBLE(), -0.0, "-0");
    add("numeric", DataTypes.TINYINT(), (byte) 0, "0");
    add("numeric", DataTypes.SMALLINT(), (short) 10000, "10000");
    add("numeric", DataTypes.INT(), -100_000_000, "-100000000");
    add("numeric", DataTypes.BIGINT(), Long.MIN_VALUE, "-9223372036854775808");
    add("numeric", DataTypes.BIGINT(), Long.MAX_VALUE, "9223372036854775807");
    add("numeric", DataTypes.FLOAT(), 0.1f, "0.1");
    add("numeric", DataTypes.FLOAT(), Float.POSITIVE_INFINITY, "Infinity");
    add("numeric", DataTypes.DOUBLE(), 1.5e300, "15" + "0".repeat(299));
    add("numeric", DataTypes.DOUBLE(), Double.NaN, "NaN");
    add("numeric", DataTypes.DOUBLE(), Double.NEGATIVE_INFINITY, "-Infinity");
    add(
        "numeric",
        DataTypes.DECIMAL(38, 10),
        decimal("12345678901234567890123456.0123456789", 38, 10),
        "12345678901234567890123456.0123456789");
    add(
        "numeric",
        DataTypes.DECIMAL(38, 38),
        decimal("-0.00000000000000000000000000000000000001", 38, 38),
        "-0.00000000000000000000000000000000000001");
    add(
        "numeric",
        DataTypes.DECIMAL(18, 17),
        decimal("9.99999999999999999", 18, 17),
        "9.99999999999999999");
    add(
        "numeric",
        DataTypes.DECIMAL(18, 18),
        decimal("-0.000000000000000001", 18, 18),
        "-0.000000000000000001");
    add("numeric", DataTypes.DECIMAL(10, 3), decimal("0", 10, 3), "0.000");
    add("numeric(10,2)", DataTypes.DECIMAL(10, 2), decimal("-12345678.90", 10, 2), "-12345678.90");
    add("numeric(10,2)", DataTypes.DECIMAL(10, 4), decimal("1.2355", 10, 4), "1.24");
    add("numeric(6,4)", DataTypes.DECIMAL(4, 2), decimal("99.99", 4, 2), "99.9900");
    add("numeric(20,1)", DataTypes.DOUBLE(), 2.25, "2.3");
    add("boolean", DataTypes.BOOLEAN(), true, "true");
    add("boolean", DataTypes.BOOLEAN(), false, "false");
  }

  @BeforeEach
  void listTexts() {
    String odd = "tab\t newline\n return\r backslash\\ quote\" '{}, \\N \\. é € 😀";
    add("text", DataTypes.STRING(), odd, odd);
    add("text", DataTypes.STRING(), "", "");
    add("text", DataTypes.STRING(), "\\.", "\\.");
    add("text", DataTypes.STRING(), "\\N", "\\N");
    add("text", DataTypes.STRING(), "NULL", "NULL");
    add("text", DataTypes.CHAR(3), "abc", "abc");
    add("varchar", DataTypes.STRING(), "ünlimited", "ünlimited");
    add("varchar(3)", DataTypes.STRING(), "é😀x", "é😀x");
    add("varchar(3)", DataTypes.STRING(), "abc   ", "abc");
    add("varchar(5)", DataTypes.CHAR(5), "a    ", "a    ");
    add("char(5)", DataTypes.STRING(), "a😀", "a😀   ");
    add("char(2)", DataTypes.STRING(), "ab   ", "ab");
    add("json", DataTypes.STRING(), "{\"a\" : [1, \"é\\n\"]}", "{\"a\" : [1, \"é\\n\"]}");
    add("jsonb", DataTypes.STRING(), "{\"b\":2, \"a\":\"x\"}", "{\"a\": \"x\", \"b\": 2}");
    add(
        "uuid",
        DataTypes.STRING(),
        "{6F1D2C3B00004000-8000-0a0b0c0d0e0F}",
        "6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f");
    add("mood", DataTypes.STRING(), "fröhlich", "fröhlich");
    add("positive", DataTypes.INT(), 7, "7");
    add("short", DataTypes.STRING(), "äöü", "äöü");
    add("shorter", DataTypes.STRING(), "😀😀😀", "😀😀😀");
    add("bytea", DataTypes.BYTES(), new byte[] {0, 92, -1, 10}, "\\x005cff0a");
    add("bytea", DataTypes.BYTES(), new byte[0], "\\x");
    add("bytea", DataTypes.BINARY(2), new byte[] {1, 2}, "\\x0102");
  }

  @BeforeEach
  void listTimes() {
    add("date", DataTypes.DATE(), (int) LocalDate.of(1582, 10, 10).toEpochDay(), "1582-10-10");
    add("date", DataTypes.DATE(), (int) LocalDate.of(2024, 2, 29).toEpochDay(), "2024-02-29");
    add("time", DataTypes.TIME(0), 86_399_000, "23:59:59");
    add("time", DataTypes.TIME(3), 1, "00:00:00.001");
    add(
        "timestamp",
        DataTypes.TIMESTAMP(3),
        TimestampData.fromEpochMillis(-1),
        "1969-12-31 23:59:59.999");
    add(
        "timestamp",
        DataTypes.TIMESTAMP(9),
        TimestampData.fromEpochMillis(-1, 999_999),
        "1969-12-31 23:59:59.999999");
    add(
        "timestamp(1)",
        DataTypes.TIMESTAMP(6),
        TimestampData.fromEpochMillis(-10),
        "1969-12-31 23:59:59.9");
    add(
        "timestamptz",
        DataTypes.TIMESTAMP_LTZ(3),
        TimestampData.fromEpochMillis(0),
        "1970-01-01 00:00:00+00");
    add("interval", DataTypes.INTERVAL(DataTypes.YEAR(4), DataTypes.MONTH()), -14, "-1-2");
    add(
        "interval",
        DataTypes.INTERVAL(DataTypes.DAY(6), DataTypes.SECOND(3)),
        90_061_001L,
        "1 1:01:01.001");
    add(
        "interval",
        DataTypes.INTERVAL(DataTypes.DAY(6), DataTypes.SECOND(3)),
        -90_061_001L,
        "-1 1:01:01.001");
    add("interval", DataTypes.INTERVAL(DataTypes.DAY(6), DataTypes.SECOND(3)), -1L, "-0:00:00.001");
    add("interval", DataTypes.INTERVAL(DataTypes.DAY(6), DataTypes.SECOND(3)), 0L, "0");
  }

  @BeforeEach
  void listTextOnly() {
    addText("inet", "192.168.1.7/24", "192.168.1.7/24");
    addText("cidr", "10.0.0.0/8", "10.0.0.0/8");
    addText("macaddr", "08:00:2b:01:02:03", "08:00:2b:01:02:03");
    addText("int4range", "[1,5)", "[1,5)");
    addText("pair", "(1,\"a b\")", "(1,\"a b\")");
    addText("point", "(1,2)", "(1,2)");
    addText("box", "(3,4),(1,2)", "(3,4),(1,2)");
    addText("xml", "<a>é</a>", "<a>é</a>");
    addText("bit(3)", "101", "101");
    addText("timetz", "01:02:03+05", "01:02:03+05");
    addText("tsvector", "'a' 'b'", "'a' 'b'");
    addText("name", "n", "n");
    addText("smallint", "-5", "-5");
    addText("int", " 42 ", "42");
    addText("bigint", "9223372036854775807", "9223372036854775807");
    addText("double precision", "1e3", "1000");
    addText("numeric(5,2)", "1.005", "1.01");
    addText("boolean", "yes", "true");
    addText("date", "2024-02-29", "2024-02-29");
    addText("time", "01:02", "01:02:00");
    addText("timestamp", "2024-02-29 01:02:03", "2024-02-29 01:02:03");
    addText("timestamptz", "2024-02-29 01:02:03+02", "2024-02-28 23:02:03+00");
    addText("interval", "3 days", "3 0:00:00");
    addText("bytea", "\\x00ff", "\\x00ff");
    addText("int[]", "{1,NULL,2}", "{1,NULL,2}");
    addText("positive", "3", "3");
  }

  @BeforeEach
  void listArrays() {
    DataType strings = DataTypes.ARRAY(DataTypes.STRING());
    add(
        "text[]",
        strings,
        array("p", null, "q\"r", "{}", "\\"),
        "{p,NULL,\"q\\\"r\",\"{}\",\"\\\\\"}");
    add("varchar(2)[]", strings, array("ab", "c  "), "{ab,\"c \"}");
    add(
        "numeric(4,1)[]",
        DataTypes.ARRAY(DataTypes.DECIMAL(5, 2)),
        array(decimal("1.25", 5, 2)),
        "{1.3}");
    add(
        "timestamp(0)[]",
        DataTypes.ARRAY(DataTypes.TIMESTAMP(3)),
        array(TimestampData.fromEpochMillis(1999)),
        "{\"1970-01-01 00:00:01\"}");
    add("tags", strings, array("a", null), "{a,NULL}");
    add("int[]", DataTypes.ARRAY(DataTypes.INT()), array(), "{}");
    add("int[]", DataTypes.ARRAY(DataTypes.INT().notNull()), array(1, 2), "{1,2}");
    addText(
        "int[]",
        DataTypes.ARRAY(DataTypes.ARRAY(DataTypes.INT())),
        array(array(1, null), array(3, 4)),
        "{{1,NULL},{3,4}}");
    addText(
        "text[][]",
        DataTypes.ARRAY(strings),
        array(array("a,", null), array("\"", "é")),
        "{{\"a,\",NULL},{\"\\\"\",é}}");
    addText("inet[]", strings, array("10.0.0.1", null), "{10.0.0.1,NULL}");
    addText("box[]", strings, array("(3,4),(1,2)", "(1,1),(0,0)"), "{(3,4),(1,2);(1,1),(0,0)}");
    addText("pair[]", strings, array("(1,\"a\\\\b\")"), "{\"(1,\\\"a\\\\\\\\b\\\")\"}");
  }

  /** Writes one row with all values and one with none. */
  private void roundTrip(List<Case> cases, CopyFormat format, boolean asBinaryRow)
      throws Exception {
    StringBuilder columns = new StringBuilder("id int");
    List<RowType.RowField> fields = new ArrayList<>();
    fields.add(new RowType.RowField("id", DataTypes.INT().getLogicalType()));
    GenericRowData row = new GenericRowData(cases.size() + 1);
    GenericRowData nulls = new GenericRowData(cases.size() + 1);
    row.setField(0, 1);
    nulls.setField(0, 2);
    for (int i = 0; i < cases.size(); i++) {
      columns.append(", c").append(i).append(' ').append(cases.get(i).column());
      fields.add(new RowType.RowField("c" + i, cases.get(i).from()));
      row.setField(i + 1, cases.get(i).value());
    }
    execute("SET TimeZone = 'UTC'", "CREATE TABLE everything (" + columns + ")");
    RowType rows = new RowType(fields);
    CopyTable table = new CopyTable(connection, "everything");
    TargetTable target = table.target(List.of(), List.of());
    for (int i = 0; i < cases.size(); i++) {
      assertThat(RowEncoders.writable(cases.get(i).from(), target.columns().get(i + 1).type()))
          .as(cases.get(i).toString())
          .isTrue();
    }
    RowEncoder encoder = RowEncoders.of("c.d.everything", rows, target, format);
    RowData written = asBinaryRow ? new BinaryRows(rows).of(row) : row;
    CopyBuffer out = new CopyBuffer(16);
    encoder.encode(nulls, 0, out);
    encoder.encode(written, 0, out);
    encoder.encode(nulls, 0, out);
    table.copy(format, out);
    for (int i = 0; i < cases.size(); i++) {
      assertThat(table.query("SELECT c" + i + "::text FROM everything WHERE id = 1"))
          .as(cases.get(i).toString())
          .containsExactly(
              // Casts from char to text take the spaces away.
              cases.get(i).column().equals("char(5)")
                  ? cases.get(i).expected().stripTrailing()
                  : cases.get(i).expected());
      assertThat(table.query("SELECT c" + i + "::text FROM everything WHERE id = 2"))
          .containsExactly("\u25cb", "\u25cb");
    }
  }

  @ParameterizedTest
  @CsvSource({"BINARY, false", "BINARY, true", "TEXT, false", "TEXT, true"})
  void writesEveryTypeFromEverySensibleOne(CopyFormat format, boolean asBinaryRow)
      throws Exception {
    roundTrip(binary, format, asBinaryRow);
  }

  @Test
  void writesTheRestAsText() throws Exception {
    roundTrip(textOnly, CopyFormat.TEXT, false);
    for (Case each : textOnly) {
      assertThat(BinaryValues.of(each.from(), new CopyTable(connection, "x").type(each.column())))
          .as(each.toString())
          .isNull();
    }
  }

  /** For each scalar c: the array [c, NULL, c]. */
  @ParameterizedTest
  @CsvSource({"BINARY, false", "BINARY, true", "TEXT, false", "TEXT, true"})
  void writesArraysOfEveryType(CopyFormat format, boolean asBinaryRow) throws Exception {
    List<Case> arrays = new ArrayList<>();
    for (Case each : binary) {
      if (each.column().endsWith("]") || each.column().equals("tags")) {
        continue;
      }
      String expected =
          new CopyTable(connection, "x")
              .query(
                  "SELECT (ARRAY[v, NULL, v]::%1$s[])::text FROM (SELECT %2$s::%1$s AS v) x"
                      .formatted(each.column(), "'" + each.expected().replace("'", "''") + "'"))
              .get(0);
      arrays.add(
          new Case(
              each.column() + "[]",
              DataTypes.ARRAY(DataTypes.of(each.from())).getLogicalType(),
              new GenericArrayData(new Object[] {each.value(), null, each.value()}),
              expected));
    }
    roundTrip(arrays, format, asBinaryRow);
  }
}
