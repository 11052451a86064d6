// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.Arrays;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.apache.flink.table.types.logical.BinaryType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.VarBinaryType;

/** Strings and bytes; what is longer than the declared type is refused, never cut. */
final class StringReading {

  private static final String LONGER = "declare the column longer, or as STRING or BYTES";

  private StringReading() {}

  /** Strings of at most {@code limit} characters. */
  static ValueDecoder limited(int limit) {
    return (bytes, at, length) -> {
      if (length > limit) {
        check(bytes, at, length, limit);
      }
      return BinaryStringData.fromBytes(bytes, at, length);
    };
  }

  /** Strings of exactly {@code size} characters, filled up with spaces as CHAR wants it. */
  static ValueDecoder padded(int size) {
    return (bytes, at, length) -> {
      int missing = size - check(bytes, at, length, size);
      if (missing == 0) {
        return BinaryStringData.fromBytes(bytes, at, length);
      }
      byte[] filled = Arrays.copyOfRange(bytes, at, at + length + missing);
      Arrays.fill(filled, length, filled.length, (byte) ' ');
      return BinaryStringData.fromBytes(filled);
    };
  }

  private static int check(byte[] bytes, int at, int length, int limit) throws UnfitValueException {
    int characters = 0;
    for (int i = at; i < at + length; i++) {
      if (!Utf8.continues(bytes[i])) {
        characters++;
      }
    }
    if (characters > limit) {
      throw new UnfitValueException(BinaryStringData.fromBytes(bytes, at, length), LONGER);
    }
    return characters;
  }

  /** Bytes of BINARY or VARBINARY. */
  static ValueDecoder bytes(LogicalType to) {
    int most =
        to instanceof BinaryType fixed ? fixed.getLength() : ((VarBinaryType) to).getLength();
    int least = to instanceof BinaryType ? most : 0;
    return (bytes, at, length) -> {
      if (length < least || length > most) {
        throw new UnfitValueException(length + " bytes", LONGER);
      }
      return Arrays.copyOfRange(bytes, at, at + length);
    };
  }
}
