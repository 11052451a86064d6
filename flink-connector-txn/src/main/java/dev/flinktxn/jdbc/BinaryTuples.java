// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Tuples of COPY's binary format: the count of fields, then the length of each field and its bytes.
 */
final class BinaryTuples implements TupleFormat {

  private static final int NULL = -1;

  private final List<PgType> types;

  BinaryTuples(List<PgType> types) {
    this.types = types;
  }

  @Override
  public void beginRow(int fields, CopyBuffer out) {
    out.putShort(fields);
  }

  @Override
  public void putNull(int field, CopyBuffer out) {
    out.putInt(NULL);
  }

  @Override
  public int beginField(int field, CopyBuffer out) {
    return out.reserve(4);
  }

  @Override
  public void endField(int start, CopyBuffer out) {
    out.setInt(start, out.size() - start - 4);
  }

  @Override
  public void putChange(long order, short operation, CopyBuffer out) {
    out.putInt(8);
    out.putLong(order);
    out.putInt(2);
    out.putShort(operation);
  }

  @Override
  public void endRow(CopyBuffer out) {}

  @Override
  public String[] read(byte[] encoded, int offset, int length, long number, int[] fields) {
    ByteBuffer rest = ByteBuffer.wrap(encoded, offset, length);
    for (long row = 1; row < number && rest.hasRemaining(); row++) {
      skipFields(rest, rest.getShort());
    }
    if (!rest.hasRemaining()) {
      return null;
    }
    rest.getShort();
    int first = rest.position();
    String[] values = new String[fields.length];
    for (int i = 0; i < fields.length; i++) {
      rest.position(first);
      skipFields(rest, fields[i]);
      int size = rest.getInt();
      values[i] =
          size == NULL
              ? "NULL"
              : PgValue.shown(types.get(fields[i]), rest.slice(rest.position(), size));
    }
    return values;
  }

  private static void skipFields(ByteBuffer rest, int count) {
    for (int field = 0; field < count; field++) {
      int size = rest.getInt();
      rest.position(rest.position() + Math.max(0, size));
    }
  }
}
