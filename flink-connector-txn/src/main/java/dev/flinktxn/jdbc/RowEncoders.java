// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/** Chooses the format and the encoders of a table's rows, once for all rows. */
final class RowEncoders {

  private RowEncoders() {}

  /**
   * The encoder for a table: binary if all columns have such an encoder.
   *
   * @param table the table's name in Flink, for messages
   * @param rows the type of the rows, each field {@link #writable} to its column
   * @param target the table, its columns in the order of the fields
   */
  static RowEncoder of(String table, RowType rows, TargetTable target) {
    ValueEncoder[] binary = encoders(CopyFormat.BINARY, rows, target);
    return Arrays.stream(binary).allMatch(Objects::nonNull)
        ? encoder(table, rows, target, CopyFormat.BINARY, binary)
        : of(table, rows, target, CopyFormat.TEXT);
  }

  /** The encoder for a table in a certain format. */
  static RowEncoder of(String table, RowType rows, TargetTable target, CopyFormat format) {
    ValueEncoder[] encoders = encoders(format, rows, target);
    for (int field = 0; field < encoders.length; field++) {
      if (encoders[field] == null) {
        throw new IllegalArgumentException(
            "Table %s: column '%s' (%s) has no encoder for %s in %s"
                .formatted(
                    table,
                    rows.getFieldNames().get(field),
                    target.columns().get(field).type().declared(),
                    rows.getTypeAt(field),
                    format));
      }
    }
    return encoder(table, rows, target, format, encoders);
  }

  /** Whether values of a SQL type may be written to columns of a type in the database. */
  static boolean writable(LogicalType from, PgType to) {
    return TextValues.of(from, to) != null;
  }

  private static RowEncoder encoder(
      String table, RowType rows, TargetTable target, CopyFormat format, ValueEncoder[] encoders) {
    boolean proven =
        IntStream.range(0, encoders.length)
            .allMatch(
                field ->
                    TypeProof.proven(rows.getTypeAt(field), target.columns().get(field).type()));
    return new CopyRowEncoder(table, target, format, encoders, proven, new RowKeys(rows, target));
  }

  private static ValueEncoder[] encoders(CopyFormat format, RowType rows, TargetTable target) {
    return IntStream.range(0, rows.getFieldCount())
        .mapToObj(
            field -> {
              LogicalType from = rows.getTypeAt(field);
              PgType to = target.columns().get(field).type();
              return format == CopyFormat.BINARY
                  ? BinaryValues.of(from, to)
                  : TextValues.of(from, to);
            })
        .toArray(ValueEncoder[]::new);
  }
}
