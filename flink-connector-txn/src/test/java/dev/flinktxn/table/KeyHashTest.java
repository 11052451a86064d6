// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryArrayData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KeyHashTest {

  private static int hash(DataType type, Object value) {
    RowType rows = (RowType) DataTypes.ROW(type).getLogicalType();
    return KeyHash.of(rows, 0).getKey(GenericRowData.of(value));
  }

  static Stream<Arguments> sameKeys() {
    return Stream.of(
        Arguments.of(DataTypes.BIGINT(), 7L, 7L),
        Arguments.of(DataTypes.BYTES(), new byte[] {1, 2}, new byte[] {1, 2}),
        Arguments.of(
            DataTypes.STRING(),
            StringData.fromString("é"),
            StringData.fromBytes("é".getBytes(StandardCharsets.UTF_8))),
        Arguments.of(DataTypes.DOUBLE(), 0.0, -0.0),
        Arguments.of(DataTypes.FLOAT(), 0.0f, -0.0f),
        Arguments.of(
            DataTypes.DECIMAL(10, 2),
            DecimalData.fromBigDecimal(new BigDecimal("1.50"), 10, 2),
            DecimalData.fromUnscaledLong(150, 10, 2)),
        Arguments.of(
            DataTypes.TIMESTAMP(9),
            TimestampData.fromEpochMillis(5, 1_000),
            TimestampData.fromEpochMillis(5, 1_999)),
        Arguments.of(
            DataTypes.ARRAY(DataTypes.INT()),
            new GenericArrayData(new int[] {1, 2}),
            BinaryArrayData.fromPrimitiveArray(new int[] {1, 2})),
        Arguments.of(
            DataTypes.ARRAY(DataTypes.ARRAY(DataTypes.BYTES())),
            new GenericArrayData(
                new Object[] {new GenericArrayData(new Object[] {new byte[] {1}, null})}),
            new GenericArrayData(
                new Object[] {new GenericArrayData(new Object[] {new byte[] {1}, null})})));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("sameKeys")
  void isTheSameForOneKey(DataType type, Object one, Object other) {
    assertThat(hash(type, one)).isEqualTo(hash(type, other));
  }

  static Stream<Arguments> otherKeys() {
    return Stream.of(
        Arguments.of(DataTypes.BIGINT(), 7L, 8L),
        Arguments.of(DataTypes.BYTES(), new byte[] {1, 2}, new byte[] {2, 1}),
        Arguments.of(DataTypes.STRING(), StringData.fromString("a"), StringData.fromString("b")),
        Arguments.of(DataTypes.DOUBLE(), 1.0, -1.0),
        Arguments.of(
            DataTypes.TIMESTAMP(6),
            TimestampData.fromEpochMillis(5, 1_000),
            TimestampData.fromEpochMillis(5, 2_000)),
        Arguments.of(
            DataTypes.ARRAY(DataTypes.INT()),
            new GenericArrayData(new int[] {1, 2}),
            new GenericArrayData(new int[] {2, 1})));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("otherKeys")
  void spreadsOtherKeys(DataType type, Object one, Object other) {
    assertThat(hash(type, one)).isNotEqualTo(hash(type, other));
  }

  @Test
  void readsTheKeysColumnsOnly() {
    RowType rows =
        (RowType)
            DataTypes.ROW(DataTypes.INT(), DataTypes.STRING(), DataTypes.BIGINT()).getLogicalType();
    KeyHash hash = KeyHash.of(rows, 2, 0);
    RowData row = GenericRowData.of(1, StringData.fromString("a"), 5L);
    RowData changed =
        GenericRowData.ofKind(RowKind.UPDATE_AFTER, 1, StringData.fromString("b"), 5L);
    assertThat(hash.getKey(changed)).isEqualTo(hash.getKey(row));
    assertThat(hash.getKey(GenericRowData.of(2, StringData.fromString("a"), 5L)))
        .isNotEqualTo(hash.getKey(row));
    assertThat(hash.getKey(GenericRowData.of(1, StringData.fromString("a"), 6L)))
        .isNotEqualTo(hash.getKey(row));
  }

  @Test
  void travelsWithTheJob() throws Exception {
    RowType rows = (RowType) DataTypes.ROW(DataTypes.ARRAY(DataTypes.INT())).getLogicalType();
    RowData row = GenericRowData.of(new GenericArrayData(new int[] {3}));
    KeyHash hash = KeyHash.of(rows, 0);
    assertThat(InstantiationUtil.clone(hash).getKey(row)).isEqualTo(hash.getKey(row));
  }
}
