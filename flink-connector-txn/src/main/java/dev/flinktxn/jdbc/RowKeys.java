// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Says in messages which row is meant: by its declared key, else by a unique key of the database,
 * else by its first column.
 */
final class RowKeys {

  private static final int SHOWN = 100;

  private final List<String> columns;
  private final int[] fields;
  private final String label;
  private final List<ValueEncoder> encoders = new ArrayList<>();

  RowKeys(RowType rows, TargetTable target) {
    boolean unique = !target.uniqueKeys().isEmpty();
    List<String> names = target.columnNames();
    columns =
        target.keyed() ? target.key() : unique ? target.uniqueKeys().get(0) : names.subList(0, 1);
    label = target.keyed() || unique ? "key" : "first column";
    fields = columns.stream().mapToInt(names::indexOf).toArray();
    for (int field : fields) {
      encoders.add(TextValues.of(rows.getTypeAt(field), target.columns().get(field).type()));
    }
  }

  /** The row that is being encoded: {@code key (id) = (7)}. */
  String of(RowData row) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < fields.length; i++) {
      values.add(row.isNullAt(fields[i]) ? "NULL" : text(encoders.get(i), row, fields[i]));
    }
    return words(values);
  }

  private static String text(ValueEncoder encoder, RowData row, int field) {
    CopyBuffer text = new CopyBuffer(64);
    try {
      encoder.encode(row, field, text);
      return new String(text.bytes(), 0, text.size(), StandardCharsets.UTF_8);
    } catch (UnfitValueException e) {
      return e.value().toString();
    }
  }

  /** A row that was encoded: {@code row 3, key (id) = (7)}. */
  String of(TupleFormat format, byte[] encoded, int offset, int length, long number) {
    String[] values = format.read(encoded, offset, length, number, fields);
    String row = "row " + number;
    return values == null ? row : row + ", " + words(List.of(values));
  }

  private String words(List<String> values) {
    return "%s (%s) = (%s)"
        .formatted(
            label,
            String.join(", ", columns),
            String.join(", ", values.stream().map(RowKeys::shown).toList()));
  }

  /** A value for people: not too long, nothing invisible. */
  static String shown(String value) {
    boolean isLong = value.codePointCount(0, value.length()) > SHOWN;
    int end = isLong ? value.offsetByCodePoints(0, SHOWN) : value.length();
    StringBuilder text = new StringBuilder();
    value
        .substring(0, end)
        .codePoints()
        .forEach(
            character -> {
              if (Character.isISOControl(character)) {
                text.append(String.format("\\u%04x", character));
              } else {
                text.appendCodePoint(character);
              }
            });
    return isLong ? text.append("...").toString() : text.toString();
  }
}
