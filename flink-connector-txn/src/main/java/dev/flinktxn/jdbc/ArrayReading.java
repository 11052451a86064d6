// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import org.apache.flink.table.data.GenericArrayData;
import org.postgresql.util.ByteConverter;

/**
 * Arrays from binary: count of dimensions, whether there are NULLs, the elements' type, size and
 * first index of each dimension, the elements. Indexes are lost: Flink's begin with 1.
 */
final class ArrayReading implements ValueDecoder {

  private static final int HEADER = 12;
  private static final int DIMENSION = 8;

  private final int dimensions;
  private final ValueDecoder element;

  /** A decoder for arrays with that many dimensions. */
  ArrayReading(int dimensions, ValueDecoder element) {
    this.dimensions = dimensions;
    this.element = element;
  }

  @Override
  public Object decode(byte[] bytes, int at, int length) throws UnfitValueException {
    int found = ByteConverter.int4(bytes, at);
    if (found == 0) {
      return new GenericArrayData(new Object[0]);
    }
    if (found != dimensions) {
      throw new UnfitValueException(
          "an array with " + found + (found == 1 ? " dimension" : " dimensions"),
          "declare the column as ARRAY of as many dimensions, or as STRING");
    }
    int[] sizes = new int[found];
    for (int dimension = 0; dimension < found; dimension++) {
      sizes[dimension] = ByteConverter.int4(bytes, at + HEADER + DIMENSION * dimension);
    }
    return new Elements(bytes, at + HEADER + DIMENSION * found).read(sizes, 0);
  }

  /** Reads elements one after the other. */
  private final class Elements {
    private final byte[] bytes;
    private int at;

    Elements(byte[] bytes, int at) {
      this.bytes = bytes;
      this.at = at;
    }

    GenericArrayData read(int[] sizes, int dimension) throws UnfitValueException {
      Object[] values = new Object[sizes[dimension]];
      boolean innermost = dimension == sizes.length - 1;
      for (int i = 0; i < values.length; i++) {
        values[i] = innermost ? next() : read(sizes, dimension + 1);
      }
      return new GenericArrayData(values);
    }

    private Object next() throws UnfitValueException {
      int length = ByteConverter.int4(bytes, at);
      at += 4;
      if (length < 0) {
        return null;
      }
      Object value = element.decode(bytes, at, length);
      at += length;
      return value;
    }
  }
}
