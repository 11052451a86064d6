// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

/** Well-formed UTF-8 (The Unicode Standard, table 3-7), which is what PostgreSQL takes. */
final class Utf8 {

  private Utf8() {}

  /** Whether a byte is not the first one of its character. */
  static boolean continues(byte value) {
    return (value & 0xC0) == 0x80;
  }

  /** How many bytes the character at {@code at} has; 0 if it is malformed. */
  static int length(byte[] bytes, int at, int end) {
    int first = bytes[at] & 0xFF;
    if (first < 0x80) {
      return 1;
    }
    int length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (first < 0xC2 || first > 0xF4 || end - at < length) {
      return 0;
    }
    int second = bytes[at + 1] & 0xFF;
    // No longer than needed, no surrogates, nothing above U+10FFFF.
    int least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    int most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (second < least || second > most) {
      return 0;
    }
    for (int next = at + 2; next < at + length; next++) {
      if (!continues(bytes[next])) {
        return 0;
      }
    }
    return length;
  }
}
