// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

/** ASCII text at the end of a buffer. */
final class PlainText {

  private PlainText() {}

  static void put(String text, CopyBuffer out) {
    int at = out.reserve(text.length());
    byte[] bytes = out.bytes();
    for (int i = 0; i < text.length(); i++) {
      bytes[at + i] = (byte) text.charAt(i);
    }
  }

  static void put(long value, CopyBuffer out) {
    // Negative numbers reach one further than positive ones.
    long rest = value > 0 ? -value : value;
    int length = value < 0 ? 2 : 1;
    for (long power = rest / 10; power != 0; power /= 10) {
      length++;
    }
    int start = out.reserve(length);
    byte[] bytes = out.bytes();
    for (int at = start + length - 1; at >= start; at--) {
      bytes[at] = (byte) ('0' - rest % 10);
      rest /= 10;
    }
    if (value < 0) {
      bytes[start] = '-';
    }
  }

  static void putHex(byte[] source, CopyBuffer out) {
    int at = out.reserve(source.length * 2);
    byte[] bytes = out.bytes();
    for (byte value : source) {
      bytes[at++] = (byte) Character.forDigit(value >> 4 & 0xF, 16);
      bytes[at++] = (byte) Character.forDigit(value & 0xF, 16);
    }
  }
}
