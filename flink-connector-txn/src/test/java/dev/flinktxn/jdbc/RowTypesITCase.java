// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.util.PSQLException;

/** The table with a NULL row first, and rows that do not fit, in both formats of COPY. */
class RowTypesITCase {

  private static final String UUID_TEXT = "6F1D2C3B-0000-4000-8000-0A0B0C0D0E0F";
  private static final RowType ROWS =
      (RowType)
          DataTypes.ROW(
                  DataTypes.FIELD("id", DataTypes.INT()),
                  DataTypes.FIELD("u", DataTypes.STRING()),
                  DataTypes.FIELD("j", DataTypes.STRING()),
                  DataTypes.FIELD("e", DataTypes.STRING()),
                  DataTypes.FIELD("b", DataTypes.BYTES()),
                  DataTypes.FIELD("ta", DataTypes.ARRAY(DataTypes.STRING())),
                  DataTypes.FIELD("ia", DataTypes.ARRAY(DataTypes.INT())),
                  DataTypes.FIELD("n", DataTypes.DECIMAL(38, 10)),
                  DataTypes.FIELD("s", DataTypes.TINYINT()))
              .getLogicalType();

  private Connection connection;
  private CopyTable table;

  @BeforeEach
  void createTable() throws SQLException {
    connection = Postgres.shared().connect();
    table = new CopyTable(connection, "ty");
    execute(
        "DROP SCHEMA IF EXISTS row_types CASCADE",
        "CREATE SCHEMA row_types",
        "SET search_path = row_types",
        "CREATE TYPE mood AS ENUM ('calm', 'angry')",
        "CREATE TABLE ty (id int PRIMARY KEY, u uuid, j jsonb, e mood, b bytea, ta text[],"
            + " ia int[], n numeric, s smallint)");
  }

  @AfterEach
  void dropTable() throws SQLException {
    try {
      execute("DROP SCHEMA row_types CASCADE");
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

  private RowEncoder encoder(CopyFormat format) throws SQLException {
    return RowEncoders.of("c.d.ty", ROWS, target(), format);
  }

  private TargetTable target() throws SQLException {
    return table.target(List.of(), List.of(List.of("id")));
  }

  private static RowData row(int id, String uuid, String json, String mood) {
    GenericRowData row = new GenericRowData(ROWS.getFieldCount());
    row.setField(0, id);
    row.setField(1, StringData.fromString(uuid));
    row.setField(2, StringData.fromString(json));
    row.setField(3, StringData.fromString(mood));
    return row;
  }

  private static Object strings(String... values) {
    Object[] elements = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      elements[i] = StringData.fromString(values[i]);
    }
    return new GenericArrayData(elements);
  }

  private static DecimalData decimal(String value) {
    return DecimalData.fromBigDecimal(new BigDecimal(value), 38, 10);
  }

  private static List<RowData> threeRows() {
    return List.of(
        GenericRowData.of(1, null, null, null, null, null, null, null, null),
        GenericRowData.of(
            2,
            StringData.fromString(UUID_TEXT),
            StringData.fromString("{\"b\":\"\u00e9\",\"a\":[1,null]}"),
            StringData.fromString("calm"),
            new byte[] {0, -1, 16},
            strings("p", null, "q\"r", "{}"),
            new GenericArrayData(new Object[] {1, null, Integer.MIN_VALUE}),
            decimal("12345678901234567890123456.0123456789"),
            (byte) -128),
        GenericRowData.of(
            3,
            null,
            StringData.fromString("null"),
            null,
            new byte[0],
            strings(),
            new GenericArrayData(new Object[0]),
            decimal("0.1"),
            (byte) 127));
  }

  private void assertThreeRows() throws SQLException {
    assertThat(
            table.query(
                "SELECT id, u, j, e, encode(b, 'hex'), ta, ia, n, s, j IS NULL, length(b),"
                    + " cardinality(ta), cardinality(ia) FROM ty ORDER BY id"))
        .containsExactly(
            "1|\u25cb|\u25cb|\u25cb|\u25cb|\u25cb|\u25cb|\u25cb|\u25cb|t|\u25cb|\u25cb|\u25cb",
            "2|6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f|{\"a\": [1, null], \"b\": \"\u00e9\"}|calm"
                + "|00ff10|{p,NULL,\"q\\\"r\",\"{}\"}|{1,NULL,-2147483648}"
                + "|12345678901234567890123456.0123456789|-128|f|3|4|3",
            "3|\u25cb|null|\u25cb||{}|{}|0.1000000000|127|f|0|0|0");
  }

  @ParameterizedTest
  @CsvSource({"BINARY, false", "BINARY, true", "TEXT, false", "TEXT, true"})
  void writesEveryTypeAfterARowOfNulls(CopyFormat format, boolean asBinaryRows) throws Exception {
    RowEncoder encoder = encoder(format);
    BinaryRows binaryRows = new BinaryRows(ROWS);
    CopyBuffer out = new CopyBuffer(1);
    for (RowData row : threeRows()) {
      encoder.encode(asBinaryRows ? binaryRows.of(row) : row, 0, out);
    }
    table.copy(format, out);
    assertThreeRows();
  }

  /** A type without a binary encoder turns the whole table to text. */
  @ParameterizedTest
  @CsvSource({"'', BINARY", "'ADD COLUMN ip inet', TEXT"})
  void choosesTheFormatByTheColumns(String alter, CopyFormat format) throws Exception {
    boolean inet = !alter.isEmpty();
    if (inet) {
      execute("ALTER TABLE ty " + alter);
    }
    List<RowType.RowField> fields = new ArrayList<>(ROWS.getFields());
    if (inet) {
      fields.add(new RowType.RowField("ip", DataTypes.STRING().getLogicalType()));
    }
    RowEncoder encoder = RowEncoders.of("c.d.ty", new RowType(fields), target());
    assertThat(encoder.format()).isEqualTo(format);
    assertThat(encoder.proven()).isFalse();
    CopyBuffer out = new CopyBuffer(1);
    for (RowData row : threeRows()) {
      GenericRowData wider = new GenericRowData(fields.size());
      for (int field = 0; field < ROWS.getFieldCount(); field++) {
        wider.setField(field, ((GenericRowData) row).getField(field));
      }
      if (inet && row.getInt(0) == 2) {
        wider.setField(9, StringData.fromString("10.1.2.3/8"));
      }
      encoder.encode(wider, 0, out);
    }
    table.copy(format, out);
    assertThreeRows();
    if (inet) {
      assertThat(table.query("SELECT ip FROM ty ORDER BY id"))
          .containsExactly("\u25cb", "10.1.2.3/8", "\u25cb");
    }
  }

  @ParameterizedTest
  @EnumSource(CopyFormat.class)
  void refusesWhatNoUuidIs(CopyFormat format) throws Exception {
    RowEncoder encoder = encoder(format);
    CopyBuffer out = new CopyBuffer(16);
    encoder.encode(row(1, UUID_TEXT, "1", "calm"), 0, out);
    int size = out.size();
    assertThatThrownBy(() -> encoder.encode(row(2, "not-a-uuid", "2", "calm"), 0, out))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "Table c.d.ty: column 'u' (uuid) cannot hold 'not-a-uuid' of the row with"
                + " key (id) = (2): a UUID has 32 hexadecimal digits; correct it in the query.");
    assertThat(out.size()).isEqualTo(size);

    encoder.encode(row(3, UUID_TEXT, "3", "calm"), 0, out);
    table.copy(format, out);
    assertThat(table.query("SELECT id FROM ty ORDER BY id")).containsExactly("1", "3");
  }

  @ParameterizedTest
  @EnumSource(CopyFormat.class)
  void refusesTheCharacterZero(CopyFormat format) throws Exception {
    RowEncoder encoder = encoder(format);
    GenericRowData row = (GenericRowData) row(2, UUID_TEXT, "2", "calm");
    row.setField(5, strings("fine", "a\0b"));
    assertThatThrownBy(() -> encoder.encode(row, 0, new CopyBuffer(16)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContainingAll(
            "Table c.d.ty: column 'ta' (text[])", "'a\\u0000b'", "key (id) = (2)", "U+0000");
  }

  @ParameterizedTest
  @CsvSource({"BINARY, sad, 1, e", "TEXT, sad, 1, e", "BINARY, calm, {, j", "TEXT, calm, {, j"})
  void namesTheRowThatTheServerRefused(CopyFormat format, String mood, String json, String column)
      throws Exception {
    RowEncoder encoder = encoder(format);
    CopyBuffer out = new CopyBuffer(16);
    out.putLong(0);
    encoder.encode(row(7, UUID_TEXT, "1", "calm"), 0, out);
    encoder.encode(row(8, UUID_TEXT, json, mood), 0, out);
    encoder.encode(row(9, UUID_TEXT, "1", "calm"), 0, out);
    CopyBuffer rows = new CopyBuffer(16);
    rows.put(out.bytes(), 8, out.size() - 8);

    assertThat(encoder.proven()).isFalse();
    PSQLException refusal =
        catchThrowableOfType(
            PSQLException.class,
            () -> {
              try {
                table.copy(format, rows);
              } catch (IOException e) {
                throw e.getCause();
              }
            });
    assertThat(refusal.getServerErrorMessage().getWhere())
        .contains("COPY ty, line 2, column " + column);
    assertThat(encoder.nameOf(out.bytes(), 8, out.size() - 8, 2))
        .isEqualTo("row 2, key (id) = (8)");
    assertThat(table.query("SELECT id FROM ty")).isEmpty();
  }

  /** As a staging table takes them: no NOT NULL, for a deletion has its key only. */
  @ParameterizedTest
  @EnumSource(CopyFormat.class)
  void rowsOfATableWithAKeyCarryOrderAndOperation(CopyFormat format) throws Exception {
    TargetTable keyed = table.target(List.of("id"), List.of());
    execute("ALTER TABLE ty ADD COLUMN place int8, ADD COLUMN operation int2");
    RowEncoder encoder = RowEncoders.of("c.d.ty", ROWS, keyed, format);
    CopyBuffer out = new CopyBuffer(16);
    encoder.encode(row(1, UUID_TEXT, "1", "calm"), Long.MAX_VALUE, out);
    RowData deleted = row(2, "not-a-uuid", "2", "sad");
    deleted.setRowKind(RowKind.DELETE);
    encoder.encode(deleted, 8, out);
    table.copy(format, out);
    assertThat(table.query("SELECT id, u IS NULL, e, place, operation FROM ty ORDER BY id"))
        .containsExactly("1|f|calm|9223372036854775807|0", "2|t|\u25cb|8|1");
  }
}
