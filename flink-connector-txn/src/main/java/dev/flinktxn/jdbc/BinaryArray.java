// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;

/** One-dimensional arrays in binary. */
final class BinaryArray implements ValueEncoder {

  private final ValueEncoder encoder;
  private final int elementOid;
  private final ArrayData.ElementGetter elements;
  private final GenericRowData element = new GenericRowData(1);

  /**
   * An encoder for arrays.
   *
   * @param type the elements' type in Flink
   * @param elementOid their type in the database
   * @param encoder encodes them
   */
  BinaryArray(LogicalType type, int elementOid, ValueEncoder encoder) {
    this.encoder = encoder;
    this.elementOid = elementOid;
    this.elements = ArrayData.createElementGetter(type.copy(true));
  }

  @Override
  public void encode(RowData row, int field, CopyBuffer out) throws UnfitValueException {
    ArrayData array = row.getArray(field);
    int size = array.size();
    out.putInt(size == 0 ? 0 : 1);
    int nulls = out.reserve(4);
    out.setInt(nulls, 0);
    out.putInt(elementOid);
    if (size == 0) {
      return;
    }
    out.putInt(size);
    out.putInt(1);
    for (int i = 0; i < size; i++) {
      Object value = elements.getElementOrNull(array, i);
      if (value == null) {
        out.setInt(nulls, 1);
        out.putInt(-1);
      } else {
        element.setField(0, value);
        int start = out.reserve(4);
        encoder.encode(element, 0, out);
        out.setInt(start, out.size() - start - 4);
      }
    }
  }
}
