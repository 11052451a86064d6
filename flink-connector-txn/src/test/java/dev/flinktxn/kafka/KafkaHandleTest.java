// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KafkaHandleTest {

  @Test
  void survivesItsEncoding() throws IOException {
    for (boolean v2 : List.of(false, true)) {
      for (boolean empty : List.of(false, true)) {
        KafkaHandle handle = new KafkaHandle(Long.MAX_VALUE, (short) 32_766, v2, empty, 1_234L);
        assertThat(KafkaHandle.decode(handle.encode())).isEqualTo(handle);
      }
    }
  }

  @Test
  void readsWhatOlderVersionsWrote() throws IOException {
    byte[] version1 =
        HexFormat.of().parseHex("01" + "0000000000000007" + "0003" + "01" + "ff".repeat(8));
    assertThat(KafkaHandle.decode(version1))
        .isEqualTo(new KafkaHandle(7, (short) 3, true, false, -1));
  }

  @Test
  void refusesWhatANewerVersionWrote() {
    byte[] encoded = new KafkaHandle(1, (short) 1, true, false, -1).encode();
    encoded[0] = 2;
    assertThatThrownBy(() -> KafkaHandle.decode(encoded))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("newer jar");
  }

  @Test
  void refusesDamagedBytes() {
    assertThatThrownBy(() -> KafkaHandle.decode(new byte[] {1, 2, 3}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged");
  }
}
