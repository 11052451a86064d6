// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

/** Puts backslashes before certain ASCII characters at the end of a buffer, in place. */
final class BackslashEscapes {

  /** What follows the backslash, by character; 0 for characters that stay as they are. */
  private final byte[] letters = new byte[128];

  /**
   * Escapes for some characters.
   *
   * @param pairs each character followed by what stands for it behind the backslash
   */
  BackslashEscapes(String... pairs) {
    for (String pair : pairs) {
      letters[pair.charAt(0)] = (byte) pair.charAt(1);
    }
  }

  void escape(CopyBuffer out, int start) {
    byte[] bytes = out.bytes();
    int from = out.size();
    int escapes = 0;
    for (int at = start; at < from; at++) {
      if (letter(bytes[at]) != 0) {
        escapes++;
      }
    }
    if (escapes == 0) {
      return;
    }
    out.reserve(escapes);
    bytes = out.bytes();
    int to = out.size();
    while (to > from) {
      byte value = bytes[--from];
      byte letter = letter(value);
      bytes[--to] = letter == 0 ? value : letter;
      if (letter != 0) {
        bytes[--to] = '\\';
      }
    }
  }

  private byte letter(byte value) {
    return value < 0 ? 0 : letters[value];
  }
}
