// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.io.Serializable;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.JoinedRowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.types.RowKind;

/** Some columns of a row and the format they are written in. Used by one task thread only. */
final class RowPart implements Serializable {
  private static final long serialVersionUID = 1L;

  private final SerializationSchema<RowData> format;
  private final int[] columns;
  private final boolean insertOnly;

  private transient ProjectedRowData projection;
  private transient JoinedRowData inserted;

  /**
   * A part of a row.
   *
   * @param columns positions of the columns; null for the row as it is
   * @param insertOnly whether the format must see every row as an insert, as keys and the values of
   *     upserts are
   */
  RowPart(SerializationSchema<RowData> format, int[] columns, boolean insertOnly) {
    this.format = format;
    this.columns = columns;
    this.insertOnly = insertOnly;
  }

  void open(SerializationSchema.InitializationContext context) throws Exception {
    format.open(context);
    if (columns != null) {
      projection = ProjectedRowData.from(columns);
      inserted = new JoinedRowData(RowKind.INSERT, projection, new GenericRowData(0));
    }
  }

  byte[] encode(RowData row) {
    if (columns == null) {
      return format.serialize(row);
    }
    projection.replaceRow(row);
    return format.serialize(
        insertOnly && row.getRowKind() != RowKind.INSERT ? inserted : projection);
  }
}
