// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import org.junit.jupiter.api.Test;

class Utf8Test {

  /** Whatever can follow the first byte, and the second: against the JDK's decoder. */
  @Test
  void agreesWithTheJdk() {
    int[] lasts = {0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF};
    for (int first = 0; first < 256; first++) {
      for (int second = 0; second < 256; second++) {
        for (int third : lasts) {
          for (int fourth : lasts) {
            byte[] bytes = {(byte) first, (byte) second, (byte) third, (byte) fourth};
            for (int end = 1; end <= 4; end++) {
              int length = Utf8.length(bytes, 0, end);
              assertThat(length)
                  .as("%02x %02x %02x %02x, %d of them", first, second, third, fourth, end)
                  .isEqualTo(expected(bytes, end));
            }
          }
        }
      }
    }
  }

  private static int expected(byte[] bytes, int end) {
    for (int length = 1; length <= end; length++) {
      try {
        UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .decode(ByteBuffer.wrap(bytes, 0, length));
        return length;
      } catch (CharacterCodingException expected) {
        // Not a character, or not yet.
      }
    }
    return 0;
  }
}
