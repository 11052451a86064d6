// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.RefusedException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;

/**
 * Encodes rows column by column. A row that is refused leaves nothing in the buffer. Allocates
 * nothing itself. Used by the task thread.
 */
final class CopyRowEncoder implements RowEncoder {

  /** What is asked for each field. */
  private record Column(TargetColumn target, ValueEncoder encoder, boolean inKey) {}

  private final String table;
  private final CopyFormat format;
  private final TupleFormat tuples;
  private final Column[] columns;
  private final boolean keyed;
  private final int fields;
  private final boolean proven;
  private final RowKeys keys;

  /**
   * An encoder for a table.
   *
   * @param table the table's name in Flink, for messages
   * @param encoders one for each of the target's columns, for this format
   * @param proven whether every column takes what its encoder lets through
   */
  CopyRowEncoder(
      String table,
      TargetTable target,
      CopyFormat format,
      ValueEncoder[] encoders,
      boolean proven,
      RowKeys keys) {
    this.table = table;
    this.format = format;
    this.tuples =
        switch (format) {
          case BINARY ->
              new BinaryTuples(target.columns().stream().map(TargetColumn::type).toList());
          case TEXT -> new TextTuples();
        };
    this.columns = new Column[encoders.length];
    for (int field = 0; field < encoders.length; field++) {
      TargetColumn column = target.columns().get(field);
      columns[field] = new Column(column, encoders[field], target.key().contains(column.name()));
    }
    this.keyed = target.keyed();
    this.fields = keyed ? encoders.length + 2 : encoders.length;
    this.proven = proven;
    this.keys = keys;
  }

  @Override
  public CopyFormat format() {
    return format;
  }

  @Override
  public boolean proven() {
    return proven;
  }

  @Override
  public void encode(RowData row, long order, CopyBuffer out) throws RefusedException {
    short operation = operation(row.getRowKind());
    int start = out.size();
    tuples.beginRow(fields, out);
    for (int field = 0; field < columns.length; field++) {
      Column column = columns[field];
      if (operation == DELETE && !column.inKey()) {
        tuples.putNull(field, out);
      } else if (row.isNullAt(field)) {
        if (column.target().notNull()) {
          out.truncate(start);
          throw refusedNull(row, column.target());
        }
        tuples.putNull(field, out);
      } else {
        int begin = tuples.beginField(field, out);
        try {
          column.encoder().encode(row, field, out);
        } catch (UnfitValueException e) {
          out.truncate(start);
          throw refused(row, column.target(), e);
        }
        tuples.endField(begin, out);
      }
    }
    if (keyed) {
      tuples.putChange(order, operation, out);
    }
    tuples.endRow(out);
  }

  private short operation(RowKind kind) {
    if (kind == RowKind.INSERT || keyed && kind == RowKind.UPDATE_AFTER) {
      return UPSERT;
    }
    if (keyed && kind == RowKind.DELETE) {
      return DELETE;
    }
    throw new IllegalStateException(
        "Table %s %s a key takes no row of kind %s"
            .formatted(table, keyed ? "with" : "without", kind));
  }

  private RefusedException refusedNull(RowData row, TargetColumn column) {
    return new RefusedException(
        ("Table %s: column '%s' is NOT NULL, but it is NULL in the row with %s; filter such"
                + " rows, give them a value or drop the constraint.")
            .formatted(table, column.name(), keys.of(row)));
  }

  private RefusedException refused(RowData row, TargetColumn column, UnfitValueException e) {
    return new RefusedException(
        "Table %s: column '%s' (%s) cannot hold '%s' of the row with %s: %s."
            .formatted(
                table,
                column.name(),
                column.type().declared(),
                RowKeys.shown(e.value().toString()),
                keys.of(row),
                e.getMessage()),
        e);
  }

  @Override
  public String nameOf(byte[] encoded, int offset, int length, long number) {
    return keys.of(tuples, encoded, offset, length, number);
  }
}
