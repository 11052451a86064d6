// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;

/** Arrays of one and more dimensions as text: <code>{"1",NULL}</code>. */
final class TextArray implements ValueEncoder {

  private static final BackslashEscapes ESCAPES = new BackslashEscapes("\"\"", "\\\\");

  private final ValueEncoder encoder;
  private final char delimiter;
  private final ArrayData.ElementGetter elements;
  private final GenericRowData element = new GenericRowData(1);

  /**
   * An encoder for arrays.
   *
   * @param type the elements' type in Flink
   * @param encoder encodes them
   * @param delimiter what the elements' type in the database wants between them
   */
  TextArray(LogicalType type, ValueEncoder encoder, char delimiter) {
    this.encoder = encoder;
    this.delimiter = delimiter;
    this.elements = ArrayData.createElementGetter(type.copy(true));
  }

  @Override
  public void encode(RowData row, int field, CopyBuffer out) throws UnfitValueException {
    ArrayData array = row.getArray(field);
    int size = array.size();
    out.putByte('{');
    for (int i = 0; i < size; i++) {
      if (i > 0) {
        out.putByte(delimiter);
      }
      put(elements.getElementOrNull(array, i), out);
    }
    out.putByte('}');
  }

  private void put(Object value, CopyBuffer out) throws UnfitValueException {
    if (value == null) {
      PlainText.put("NULL", out);
      return;
    }
    element.setField(0, value);
    if (encoder instanceof TextArray) {
      encoder.encode(element, 0, out);
      return;
    }
    out.putByte('"');
    int start = out.size();
    encoder.encode(element, 0, out);
    ESCAPES.escape(out, start);
    out.putByte('"');
  }
}
