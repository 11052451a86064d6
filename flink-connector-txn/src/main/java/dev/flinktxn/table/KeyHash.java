// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * A number that is the same for all rows of one key, in every JVM and whichever operator made the
 * row. Values that the external system takes for equal although SQL does not (the same uuid in
 * another spelling) may have different numbers. Used by the task threads before the sink.
 *
 * @param columns the key's columns
 */
record KeyHash(Column... columns) implements KeySelector<RowData, Integer> {

  private static final long serialVersionUID = 1L;

  /** The hash over the columns of {@code rows} at {@code positions}. */
  static KeyHash of(RowType rows, int... positions) {
    return new KeyHash(
        Arrays.stream(positions)
            .mapToObj(
                position ->
                    new Column(
                        RowData.createFieldGetter(rows.getTypeAt(position), position),
                        Content.of(rows.getTypeAt(position))))
            .toArray(Column[]::new));
  }

  @Override
  public Integer getKey(RowData row) {
    int hash = 1;
    for (Column column : columns) {
      hash = 31 * hash + column.content().hash(column.getter().getFieldOrNull(row));
    }
    return hash;
  }

  /** One column of the key. */
  record Column(RowData.FieldGetter getter, Content content) implements Serializable {}

  /**
   * Hashes values by content: an array's own hash depends on which class holds it.
   *
   * @param elements reads an array's elements; null for other types
   * @param inner hashes an array's elements; null for other types
   */
  record Content(ArrayData.ElementGetter elements, Content inner) implements Serializable {

    static Content of(LogicalType type) {
      return type instanceof ArrayType array
          ? new Content(
              ArrayData.createElementGetter(array.getElementType()), of(array.getElementType()))
          : new Content(null, null);
    }

    int hash(Object value) {
      if (value instanceof byte[] bytes) {
        return Arrays.hashCode(bytes);
      }
      if (value instanceof TimestampData time) {
        // Databases cut nanoseconds off: what they hold is one key.
        return 31 * Long.hashCode(time.getMillisecond()) + time.getNanoOfMillisecond() / 1000;
      }
      if (value instanceof Double number) {
        // -0.0 + 0.0 is 0.0, and both are one key.
        return Double.hashCode(number + 0.0);
      }
      if (value instanceof Float number) {
        return Float.hashCode(number + 0.0f);
      }
      return value instanceof ArrayData array ? hash(array) : Objects.hashCode(value);
    }

    private int hash(ArrayData array) {
      int hash = 1;
      for (int position = 0; position < array.size(); position++) {
        hash = 31 * hash + inner.hash(elements.getElementOrNull(array, position));
      }
      return hash;
    }
  }
}
