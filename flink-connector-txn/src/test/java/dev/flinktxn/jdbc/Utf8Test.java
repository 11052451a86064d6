// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class Utf8Test {

  /** Every first byte, and those behind it at all bounds: against the JDK's decoder. */
  @Test
  void agreesWithTheJdk() {
    int[] seconds = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
    int[] lasts = {0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF};
    List<String> differences = new ArrayList<>();
    int characters = 0;
    for (int first = 0; first < 256; first++) {
      for (int second : seconds) {
        for (int third : lasts) {
          for (int fourth : lasts) {
            byte[] bytes = {(byte) first, (byte) second, (byte) third, (byte) fourth};
            for (int end = 1; end <= 4; end++) {
              int expected = expected(bytes, end);
              characters += expected > 0 ? 1 : 0;
              if (Utf8.length(bytes, 0, end) != expected) {
                differences.add(HexFormat.of().formatHex(bytes, 0, end));
              }
            }
          }
        }
      }
    }
    assertThat(differences).isEmpty();
    assertThat(characters).isGreaterThan(128);
  }

  private static int expected(byte[] bytes, int end) {
    CharBuffer out = CharBuffer.allocate(4);
    for (int length = 1; length <= end; length++) {
      if (!UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, 0, length), out.clear(), true)
          .isError()) {
        return length;
      }
    }
    return 0;
  }
}
