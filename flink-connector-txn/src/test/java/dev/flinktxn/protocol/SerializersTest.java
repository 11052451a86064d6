// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Checkpoints outlive versions of the jar: the bytes of version 1 are written down here. */
class SerializersTest {

  private static final Committable COMMITTABLE =
      new Committable(
          new TransactionName("orders-eu", new Attempt(1_800_000_000_123L, "0abc123z"), 7, 2),
          new byte[] {1, 0, -1, 42},
          41,
          1_800_000_001_000L,
          1_800_000_002_000L,
          900_000);

  private static final String COMMITTABLE_BYTES =
      "0009"
          + "6f72646572732d6575" // prefix
          + "000001a3185c507b" // attempt, opened at
          + "0008"
          + "306162633132337a" // attempt, random
          + "00000007" // subtask
          + "00000002" // slot
          + "0000000000000029" // checkpoint
          + "000001a3185c53e8" // begun at
          + "000001a3185c57d0" // prepared at
          + "00000000000dbba0" // timeout
          + "00000004"
          + "0100ff2a"; // handle

  @Test
  void aCommittableIsWrittenAsVersionOneSays() throws IOException {
    CommittableSerializer serializer = new CommittableSerializer();
    assertThat(serializer.getVersion()).isEqualTo(1);
    assertThat(HexFormat.of().formatHex(serializer.serialize(COMMITTABLE)))
        .isEqualTo(COMMITTABLE_BYTES);
  }

  @Test
  void aCommittableOfVersionOneIsRead() throws IOException {
    Committable read =
        new CommittableSerializer().deserialize(1, HexFormat.of().parseHex(COMMITTABLE_BYTES));
    assertThat(read).usingRecursiveComparison().isEqualTo(COMMITTABLE);
  }

  @Test
  void aCommittableWithoutCheckpointAndTimeoutSurvives() throws IOException {
    Committable bare = new Committable(COMMITTABLE.name(), new byte[0], -1, 0, 0, -1);
    CommittableSerializer serializer = new CommittableSerializer();
    assertThat(serializer.deserialize(1, serializer.serialize(bare)))
        .usingRecursiveComparison()
        .isEqualTo(bare);
  }

  @Test
  void writerStateIsItsPrefixInUtf8() throws IOException {
    WriterStateSerializer serializer = new WriterStateSerializer();
    assertThat(serializer.getVersion()).isEqualTo(1);
    assertThat(HexFormat.of().formatHex(serializer.serialize(new WriterState("orders-eu"))))
        .isEqualTo("6f72646572732d6575");
    assertThat(serializer.deserialize(1, HexFormat.of().parseHex("6f72646572732d6575")))
        .isEqualTo(new WriterState("orders-eu"));
  }

  @Test
  void aNewerVersionIsRefusedNamingBoth() {
    assertThatThrownBy(() -> new CommittableSerializer().deserialize(2, new byte[0]))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("version 2", "version 1", "newer jar");
    assertThatThrownBy(() -> new WriterStateSerializer().deserialize(2, new byte[0]))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("version 2", "version 1", "newer jar");
  }

  @Test
  void aTruncatedCommittableIsAnError() {
    byte[] whole = HexFormat.of().parseHex(COMMITTABLE_BYTES);
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> new CommittableSerializer().deserialize(1, part))
          .isInstanceOf(IOException.class);
    }
  }
}
