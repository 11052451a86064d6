// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.Arrays;

/** Bytes that grow at their end; reused from chunk to chunk. Used by the task thread. */
final class CopyBuffer {

  private byte[] bytes;
  private int size;

  CopyBuffer(int capacity) {
    bytes = new byte[capacity];
  }

  int size() {
    return size;
  }

  /** The bytes themselves, of which the first {@link #size} are valid until the next change. */
  byte[] bytes() {
    return bytes;
  }

  /** Forgets everything from {@code newSize} on. */
  void truncate(int newSize) {
    size = newSize;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  /** Makes room for {@code length} more bytes; answers where they begin, and counts them. */
  int reserve(int length) {
    int start = size;
    int needed = Math.addExact(size, length);
    if (needed > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, bytes.length * 2L)));
    }
    size = needed;
    return start;
  }

  void putByte(int value) {
    int at = reserve(1);
    bytes[at] = (byte) value;
  }

  void putShort(int value) {
    int at = reserve(2);
    bytes[at] = (byte) (value >>> 8);
    bytes[at + 1] = (byte) value;
  }

  void putInt(int value) {
    setInt(reserve(4), value);
  }

  void putLong(long value) {
    int at = reserve(8);
    setInt(at, (int) (value >>> 32));
    setInt(at + 4, (int) value);
  }

  /** Overwrites four bytes, such as a length that is known only afterwards. */
  void setInt(int at, int value) {
    bytes[at] = (byte) (value >>> 24);
    bytes[at + 1] = (byte) (value >>> 16);
    bytes[at + 2] = (byte) (value >>> 8);
    bytes[at + 3] = (byte) value;
  }

  void put(byte[] source, int offset, int length) {
    int at = reserve(length);
    System.arraycopy(source, offset, bytes, at, length);
  }
}
