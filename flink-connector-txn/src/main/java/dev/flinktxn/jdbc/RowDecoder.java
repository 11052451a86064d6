// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.RefusedException;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.postgresql.util.ByteConverter;

/** Decodes the tuples of one COPY TO STDOUT in binary format, of which each comes by itself. */
final class RowDecoder {

  private static final int HEADER = 19;
  private static final int TRAILER = -1;

  private final String table;
  private final RowType rows;
  private final List<ReadColumn> columns;
  private final ValueDecoder[] decoders;

  /**
   * A decoder of rows.
   *
   * @param table the table's name in Flink, for messages
   * @param rows the type of the rows
   * @param columns the columns in the order of the fields
   */
  RowDecoder(String table, RowType rows, List<ReadColumn> columns) {
    this.table = table;
    this.rows = rows;
    this.columns = columns;
    this.decoders = columns.stream().map(ReadColumn::decoder).toArray(ValueDecoder[]::new);
  }

  /**
   * The row of one message; null for the trailer.
   *
   * @param first whether it is the first message, which begins with the header
   */
  RowData decode(byte[] message, boolean first) throws RefusedException {
    int at = first ? HEADER : 0;
    if (at >= message.length || ByteConverter.int2(message, at) == TRAILER) {
      return null;
    }
    at += 2;
    GenericRowData row = new GenericRowData(decoders.length);
    for (int field = 0; field < decoders.length; field++) {
      int length = ByteConverter.int4(message, at);
      at += 4;
      if (length >= 0) {
        try {
          row.setField(field, decoders[field].decode(message, at, length));
        } catch (UnfitValueException e) {
          throw refused(field, e);
        }
        at += length;
      }
    }
    return row;
  }

  private RefusedException refused(int field, UnfitValueException e) {
    ReadColumn column = columns.get(field);
    return new RefusedException(
        "Table %s: column '%s' (%s) holds '%s', which %s of the DDL cannot; %s."
            .formatted(
                table,
                column.name(),
                column.type().declared(),
                RowKeys.shown(e.value().toString()),
                rows.getTypeAt(field).asSummaryString(),
                e.getMessage()),
        e);
  }
}
