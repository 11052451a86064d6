// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.protocol.RefusedException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.core.Oid;

/** The bytes of tuples, and what is refused before a server sees it. */
class RowEncodersTest {

  private static final PgType INT8 = base(Oid.INT8, "int8", -1);
  private static final PgType TEXT = base(Oid.TEXT, "text", -1);

  private static PgType base(int oid, String name, int modifier) {
    return new PgType(oid, name, name, PgType.Kind.BASE, modifier, null);
  }

  private static TargetColumn column(String name, PgType type) {
    return new TargetColumn(name, type, false);
  }

  private static TargetTable target(
      List<String> key, List<List<String>> uniqueKeys, TargetColumn... columns) {
    return new TargetTable(
        "public", "t", List.of(columns), key, uniqueKeys, true, false, List.of());
  }

  private static RowType rows(DataType... types) {
    return RowType.of(
        Arrays.stream(types).map(DataType::getLogicalType).toArray(LogicalType[]::new));
  }

  private static RowEncoder encoder(DataType from, PgType to) {
    return RowEncoders.of("c.d.t", rows(from), target(List.of(), List.of(), column("c", to)));
  }

  private static RowData change(RowKind kind, Object... fields) {
    return GenericRowData.ofKind(
        kind,
        Arrays.stream(fields)
            .map(field -> field instanceof String text ? StringData.fromString(text) : field)
            .toArray());
  }

  private static RowData row(Object... fields) {
    return change(RowKind.INSERT, fields);
  }

  private static String hex(RowEncoder encoder, RowData row) throws RefusedException {
    CopyBuffer out = new CopyBuffer(1);
    encoder.encode(row, 5, out);
    return HexFormat.of().formatHex(out.toByteArray());
  }

  private static String text(RowEncoder encoder, RowData row) throws RefusedException {
    CopyBuffer out = new CopyBuffer(1);
    encoder.encode(row, -7, out);
    return new String(out.toByteArray(), UTF_8);
  }

  private static final RowType KEYED_ROWS =
      rows(DataTypes.STRING(), DataTypes.BIGINT(), DataTypes.STRING());

  private static TargetTable keyedTarget() {
    return target(
        List.of("id"),
        List.of(),
        new TargetColumn("note", TEXT, true),
        new TargetColumn("id", INT8, true),
        column("more", TEXT));
  }

  @Test
  void aBinaryTupleIsACountAndFieldsWithLengths() throws Exception {
    RowEncoder encoder =
        RowEncoders.of(
            "c.d.t",
            rows(DataTypes.BIGINT(), DataTypes.STRING()),
            target(List.of(), List.of(), column("a", INT8), column("b", TEXT)));
    assertThat(encoder.format()).isEqualTo(CopyFormat.BINARY);
    assertThat(encoder.proven()).isTrue();
    assertThat(hex(encoder, row(258L, "é")))
        .isEqualTo("0002" + "00000008" + "0000000000000102" + "00000002" + "c3a9");
    assertThat(hex(encoder, row(null, ""))).isEqualTo("0002" + "ffffffff" + "00000000");
  }

  @ParameterizedTest
  @EnumSource(
      value = RowKind.class,
      names = {"INSERT", "UPDATE_AFTER"})
  void anUpsertIsFollowedByItsOrderAndOperation(RowKind kind) throws Exception {
    RowEncoder encoder = RowEncoders.of("c.d.t", KEYED_ROWS, keyedTarget());
    assertThat(hex(encoder, change(kind, "x", 1L, null)))
        .isEqualTo(
            "0005"
                + ("00000001" + "78")
                + ("00000008" + "0000000000000001")
                + "ffffffff"
                + ("00000008" + "0000000000000005")
                + ("00000002" + "0000"));
  }

  @Test
  void aDeleteHasItsKeyOnly() throws Exception {
    RowEncoder encoder = RowEncoders.of("c.d.t", KEYED_ROWS, keyedTarget());
    String deletion =
        "0005"
            + "ffffffff"
            + ("00000008" + "0000000000000001")
            + "ffffffff"
            + ("00000008" + "0000000000000005")
            + ("00000002" + "0001");
    assertThat(hex(encoder, change(RowKind.DELETE, "x", 1L, "y"))).isEqualTo(deletion);
    assertThat(hex(encoder, change(RowKind.DELETE, null, 1L, "a\0b"))).isEqualTo(deletion);
  }

  @Test
  void linesOfTextHaveOrderAndOperationToo() throws Exception {
    RowEncoder encoder = RowEncoders.of("c.d.t", KEYED_ROWS, keyedTarget(), CopyFormat.TEXT);
    assertThat(text(encoder, row("x", Long.MIN_VALUE, "y")))
        .isEqualTo("x\t-9223372036854775808\ty\t-7\t0\n");
    assertThat(text(encoder, change(RowKind.DELETE, "x", 10L, "y")))
        .isEqualTo("\\N\t10\t\\N\t-7\t1\n");
  }

  @Test
  void textIsEscaped() throws Exception {
    RowEncoder encoder =
        RowEncoders.of(
            "c.d.t",
            rows(DataTypes.STRING()),
            target(List.of(), List.of(), column("c", TEXT)),
            CopyFormat.TEXT);
    assertThat(text(encoder, row("a\tb\nc\rd\\Né\b"))).isEqualTo("a\\tb\\nc\\rd\\\\Né\b\n");
    assertThat(text(encoder, row("\\."))).isEqualTo("\\\\.\n");
    assertThat(text(encoder, row(""))).isEqualTo("\n");
  }

  @Test
  void aTableWithAKeyTakesNoUpdateBefore() {
    RowEncoder encoder = RowEncoders.of("c.d.t", KEYED_ROWS, keyedTarget());
    assertThatThrownBy(() -> hex(encoder, change(RowKind.UPDATE_BEFORE, "x", 1L, "y")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("UPDATE_BEFORE");
  }

  @ParameterizedTest
  @EnumSource(
      value = RowKind.class,
      names = {"UPDATE_BEFORE", "UPDATE_AFTER", "DELETE"})
  void aTableWithoutAKeyTakesInsertsOnly(RowKind kind) {
    RowEncoder encoder = encoder(DataTypes.BIGINT(), INT8);
    assertThatThrownBy(() -> hex(encoder, change(kind, 1L)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("c.d.t", kind.toString());
  }

  @Test
  void refusesNullWhereTheDatabaseDoes() {
    RowEncoder encoder = RowEncoders.of("c.d.t", KEYED_ROWS, keyedTarget());
    assertThatThrownBy(() -> hex(encoder, row(null, 7L, "y")))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "Table c.d.t: column 'note' is NOT NULL, but it is NULL in the row with"
                + " key (id) = (7); filter such rows, give them a value or drop the constraint.");
  }

  @Test
  void aRefusedRowLeavesNothingBehind() throws Exception {
    RowEncoder encoder = RowEncoders.of("c.d.t", KEYED_ROWS, keyedTarget());
    CopyBuffer out = new CopyBuffer(1);
    encoder.encode(row("x", 1L, "y"), 1, out);
    byte[] before = out.toByteArray();
    for (RowData refused : List.of(row(null, 2L, "y"), row("x", 3L, "a\0b"))) {
      assertThatThrownBy(() -> encoder.encode(refused, 2, out))
          .isInstanceOf(RefusedException.class);
      assertThat(out.toByteArray()).isEqualTo(before);
    }
  }

  @Test
  void namesARowByItsDeclaredKeyThenByAUniqueOneThenByItsFirstColumn() {
    RowType rows = rows(DataTypes.STRING(), DataTypes.BIGINT());
    TargetColumn[] columns = {column("a", TEXT), column("b", INT8)};
    RowData refused = row("x\0", 7L);
    assertThatThrownBy(
            () ->
                hex(
                    RowEncoders.of("t", rows, target(List.of("b", "a"), List.of(), columns)),
                    refused))
        .hasMessageContaining("key (b, a) = (7, x\\u0000)");
    assertThatThrownBy(
            () ->
                hex(
                    RowEncoders.of("t", rows, target(List.of(), List.of(List.of("b")), columns)),
                    refused))
        .hasMessageContaining("key (b) = (7)");
    assertThatThrownBy(
            () -> hex(RowEncoders.of("t", rows, target(List.of(), List.of(), columns)), refused))
        .hasMessageContaining("first column (a) = (x\\u0000)");
  }

  @Test
  void showsOnlyTheBeginningOfLongValues() {
    assertThatThrownBy(
            () ->
                hex(
                    encoder(DataTypes.STRING(), base(Oid.VARCHAR, "varchar(3)", 7)),
                    row("😀".repeat(5000))))
        .isInstanceOf(RefusedException.class)
        .hasMessageContainingAll(
            "column 'c' (varchar(3)) cannot hold '" + "😀".repeat(100) + "...'",
            "5000 characters, but 3 are allowed");
  }

  @Test
  void lengthsAreCountedInCodePoints() throws Exception {
    for (int oid : new int[] {Oid.VARCHAR, Oid.BPCHAR}) {
      RowEncoder encoder = encoder(DataTypes.STRING(), base(oid, "three", 3 + 4));
      for (String fits : List.of("abc", "😀é€", "abc   ", "😀é€  ", "")) {
        assertThat(text(encoder, row(fits))).endsWith(fits);
      }
      for (String tooLong : List.of("abcd", "😀é€x", "abc x")) {
        assertThatThrownBy(() -> text(encoder, row(tooLong))).isInstanceOf(RefusedException.class);
      }
    }
  }

  @Test
  void refusesStringsThatAreNotUtf8() {
    RowEncoder encoder = encoder(DataTypes.STRING(), TEXT);
    assertThatThrownBy(
            () -> text(encoder, row(StringData.fromBytes(new byte[] {'a', (byte) 0xE9, 'b'}))))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("not UTF-8");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 15, 16, 23})
  void findsTheCharacterZeroAnywhere(int position) throws Exception {
    RowEncoder encoder = encoder(DataTypes.STRING(), TEXT);
    StringBuilder value = new StringBuilder("abcdefghijklmnopqrstuvwx");
    assertThat(text(encoder, row(value.toString()))).endsWith(value.toString());
    value.setCharAt(position, '\0');
    assertThatThrownBy(() -> text(encoder, row(value.toString())))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("U+0000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f",
        "6F1D2C3B-0000-4000-8000-0A0B0C0D0E0F",
        "6f1d2c3b000040008000a0b0c0d0e0f0",
        "{6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f}",
        "6f1d-2c3b-0000-4000-8000-0a0b-0c0d-0e0f"
      })
  void takesUuidsInTheFormsPostgresTakes(String value) throws Exception {
    RowEncoder encoder = encoder(DataTypes.STRING(), base(Oid.UUID, "uuid", -1));
    assertThat(encoder.proven()).isTrue();
    assertThat(hex(encoder, row(value)))
        .isEqualTo("000100000010" + value.toLowerCase(Locale.ROOT).replaceAll("[{}-]", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "6f1d2c3b-0000-4000-8000-0a0b0c0d0e0",
        "6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f0",
        "{6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f",
        "6f1d2c3b--0000-4000-8000-0a0b0c0d0e0f",
        "6f-1d2c3b-0000-4000-8000-0a0b0c0d0e0f",
        "6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f-",
        "6f1d2c3b-0000-4000-8000-0a0b0c0d0e0g",
        " 6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f",
        "6f1d2c3b-0000-4000-8000-0a0b0c0d0é0f"
      })
  void refusesOtherUuids(String value) {
    RowEncoder encoder = encoder(DataTypes.STRING(), base(Oid.UUID, "uuid", -1));
    assertThatThrownBy(() -> hex(encoder, row(value)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("'" + value + "'");
  }

  @Test
  void refusesTimesThatPostgresDoesNotHave() throws Exception {
    RowEncoder dates = encoder(DataTypes.DATE(), base(Oid.DATE, "date", -1));
    assertThatThrownBy(() -> hex(dates, row(Integer.MIN_VALUE)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("4714-11-24 BC");
    RowEncoder timestamps = encoder(DataTypes.TIMESTAMP(3), base(Oid.TIMESTAMP, "timestamp", -1));
    // The first microsecond and the last, as PostgreSQL's sources have them.
    assertThat(hex(timestamps, row(TimestampData.fromEpochMillis(-210_866_803_200_000L))))
        .isEqualTo("000100000008%016x".formatted(-211_813_488_000_000_000L));
    assertThat(hex(timestamps, row(TimestampData.fromEpochMillis(9_224_318_015_999_999L, 999_999))))
        .isEqualTo("000100000008%016x".formatted(9_223_371_331_199_999_999L));
    for (long millis :
        new long[] {
          -210_866_803_200_001L, 9_224_318_016_000_000L, Long.MIN_VALUE, Long.MAX_VALUE
        }) {
      assertThatThrownBy(() -> hex(timestamps, row(TimestampData.fromEpochMillis(millis))))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("294276-12-31");
    }
  }

  @Test
  void namesEncodedRows() throws Exception {
    List<PgType> types =
        List.of(
            INT8,
            TEXT,
            base(Oid.UUID, "uuid", -1),
            base(Oid.NUMERIC, "numeric", -1),
            base(Oid.DATE, "date", -1),
            base(Oid.TIMESTAMP, "timestamp", -1),
            base(Oid.TIMESTAMPTZ, "timestamptz", -1),
            base(Oid.TIME, "time", -1),
            base(Oid.BOOL, "bool", -1),
            base(Oid.BYTEA, "bytea", -1));
    RowType rows =
        rows(
            DataTypes.BIGINT(),
            DataTypes.STRING(),
            DataTypes.STRING(),
            DataTypes.BIGINT(),
            DataTypes.DATE(),
            DataTypes.TIMESTAMP(3),
            DataTypes.TIMESTAMP_LTZ(3),
            DataTypes.TIME(),
            DataTypes.BOOLEAN(),
            DataTypes.BYTES());
    TargetColumn[] columns =
        IntStream.range(0, types.size())
            .mapToObj(field -> column("c" + field, types.get(field)))
            .toArray(TargetColumn[]::new);
    List<String> key = IntStream.range(0, types.size()).mapToObj(field -> "c" + field).toList();
    TimestampData time = TimestampData.fromEpochMillis(-1);
    for (CopyFormat format : CopyFormat.values()) {
      RowEncoder encoder = RowEncoders.of("t", rows, target(key, List.of(), columns), format);
      CopyBuffer out = new CopyBuffer(1);
      encoder.encode(row(1L, "a\tb\\N\n", null, null, null, null, null, null, null, null), 1, out);
      encoder.encode(
          row(
              -2L,
              "x",
              "6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f",
              100L,
              0,
              time,
              time,
              1,
              true,
              new byte[] {1, -1}),
          2,
          out);
      byte[] shifted = new byte[out.size() + 3];
      System.arraycopy(out.bytes(), 0, shifted, 3, out.size());
      assertThat(encoder.nameOf(shifted, 3, out.size(), 1))
          .isEqualTo(
              "row 1, key (c0, c1, c2, c3, c4, c5, c6, c7, c8, c9) = (1, a\\u0009b\\N\\u000a,"
                  + " NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)");
      assertThat(encoder.nameOf(shifted, 3, out.size(), 2))
          .isEqualTo(
              "row 2, key (c0, c1, c2, c3, c4, c5, c6, c7, c8, c9) = (-2, x,"
                  + " 6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f, 100, 1970-01-01,"
                  + " 1969-12-31 23:59:59.999, 1969-12-31 23:59:59.999+00, 00:00:00.001, "
                  + (format == CopyFormat.BINARY ? "true" : "t")
                  + ", \\x01ff)");
      assertThat(encoder.nameOf(shifted, 3, out.size(), 3)).isEqualTo("row 3");
    }
  }

  @Test
  void namesTheColumnThatHasNoEncoder() {
    assertThatThrownBy(() -> encoder(DataTypes.BIGINT(), base(Oid.INT4, "int4", -1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("c.d.t", "'f0'", "int4", "BIGINT");
  }
}
