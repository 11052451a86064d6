// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinarySegmentUtils;
import org.apache.flink.table.data.binary.BinaryStringData;

/**
 * Strings as UTF-8, copied without decoding them. What PostgreSQL would refuse in any text is
 * refused here: U+0000, malformed UTF-8, more characters than the column has.
 */
final class StringValue implements ValueEncoder {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private final int limit;

  private StringValue(int limit) {
    this.limit = limit;
  }

  /** Strings of any length. */
  static StringValue unlimited() {
    return new StringValue(Integer.MAX_VALUE);
  }

  /** Strings for varchar and char with this type modifier. */
  static StringValue limited(int modifier) {
    return modifier < 0 ? unlimited() : new StringValue(modifier - 4);
  }

  @Override
  public void encode(RowData row, int field, CopyBuffer out) throws UnfitValueException {
    StringData value = row.getString(field);
    int start = out.size();
    copy(value, out);
    int end = out.size();
    if (!isPlainAscii(out.bytes(), start, end)) {
      check(value, out.bytes(), start, end);
    } else if (end - start > limit) {
      checkLength(value, out.bytes(), start, end);
    }
  }

  private static void copy(StringData value, CopyBuffer out) {
    if (value instanceof BinaryStringData binary) {
      binary.ensureMaterialized();
      int length = binary.getSizeInBytes();
      int start = out.reserve(length);
      MemorySegment[] segments = binary.getSegments();
      if (segments.length == 1) {
        segments[0].get(binary.getOffset(), out.bytes(), start, length);
      } else {
        BinarySegmentUtils.copyToBytes(segments, binary.getOffset(), out.bytes(), start, length);
      }
    } else {
      byte[] bytes = value.toBytes();
      out.put(bytes, 0, bytes.length);
    }
  }

  /** Whether all bytes are from 1 to 127; looks at eight at a time. */
  private static boolean isPlainAscii(byte[] bytes, int start, int end) {
    int at = start;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      long eight = (long) LONGS.get(bytes, at);
      if (((eight | (eight - ONES)) & HIGH_BITS) != 0) {
        return false;
      }
    }
    for (; at < end; at++) {
      if (bytes[at] <= 0) {
        return false;
      }
    }
    return true;
  }

  private void check(StringData value, byte[] bytes, int start, int end)
      throws UnfitValueException {
    int at = start;
    while (at < end) {
      if (bytes[at] == 0) {
        throw new UnfitValueException(
            value,
            "it contains the character U+0000, which PostgreSQL's text lacks; remove it in the query");
      }
      int length = Utf8.length(bytes, at, end);
      if (length == 0) {
        throw new UnfitValueException(
            value,
            "its bytes are not UTF-8; cast them to STRING with their own character set (DECODE)");
      }
      at += length;
    }
    checkLength(value, bytes, start, end);
  }

  /** Spaces beyond the limit are no matter: PostgreSQL cuts them off. */
  private void checkLength(StringData value, byte[] bytes, int start, int end)
      throws UnfitValueException {
    int characters = 0;
    boolean tooLong = false;
    for (int at = start; at < end; at++) {
      if (!Utf8.continues(bytes[at])) {
        characters++;
        tooLong |= characters > limit && bytes[at] != ' ';
      }
    }
    if (tooLong) {
      throw new UnfitValueException(
          value,
          "it has %d characters, but %d are allowed; shorten it in the query or widen the column"
              .formatted(characters, limit));
    }
  }
}
