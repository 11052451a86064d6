// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/** Makes rows as they arrive from another task. */
final class BinaryRows {

  private final TypeSerializer<RowData> serializer;

  /** Flink's runtime is there when tests run, but tests are not compiled against it. */
  @SuppressWarnings("unchecked")
  BinaryRows(RowType type) throws ReflectiveOperationException {
    serializer =
        (TypeSerializer<RowData>)
            Class.forName("org.apache.flink.table.runtime.typeutils.InternalSerializers")
                .getMethod("create", LogicalType.class)
                .invoke(null, type);
  }

  RowData of(RowData row) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(256);
    serializer.serialize(row, out);
    return serializer.deserialize(
        new DataInputDeserializer(out.getSharedBuffer(), 0, out.length()));
  }
}
