// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** Which records are sent, and in which order. */
class FoldingSenderTest {

  private final List<String> sent = new ArrayList<>();
  private int flushes;

  private final RecordSender next =
      new RecordSender() {
        @Override
        public void send(ProducerRecord<byte[], byte[]> record) {
          String value = record.value() == null ? "-" : new String(record.value(), UTF_8);
          sent.add(record.topic() + ":" + new String(record.key(), UTF_8) + "=" + value);
        }

        @Override
        public void flush() {
          flushes++;
        }
      };

  private RecordSender sender(int maxRows) {
    return new FoldingSender(next, new Folding(maxRows, Duration.ZERO), null);
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, String key, String value) {
    return new ProducerRecord<>(
        topic, key.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8));
  }

  @Test
  void keepsTheLastRecordOfEachKeyInTheOrderOfTheLastChanges() throws Exception {
    RecordSender sender = sender(1_000);
    sender.send(record("t", "a", "1"));
    sender.send(record("t", "b", "1"));
    sender.send(record("t", "c", "1"));
    sender.send(record("t", "a", "2"));
    sender.send(record("t", "b", null));
    assertThat(sent).isEmpty();
    sender.flush();
    assertThat(sent).containsExactly("t:c=1", "t:a=2", "t:b=-");
    assertThat(flushes).isEqualTo(1);
    sender.flush();
    assertThat(sent).hasSize(3);
  }

  @Test
  void sendsAfterThatManyRowsWhateverTheirKeys() throws Exception {
    RecordSender sender = sender(3);
    sender.send(record("t", "a", "1"));
    sender.send(record("t", "a", "2"));
    assertThat(sent).isEmpty();
    sender.send(record("t", "a", "3"));
    assertThat(sent).containsExactly("t:a=3");
    sender.send(record("t", "a", "4"));
    assertThat(sent).hasSize(1);
  }

  @Test
  void doesNotFoldAcrossTopics() throws Exception {
    RecordSender sender = sender(1_000);
    sender.send(record("t", "a", "1"));
    sender.send(record("u", "a", "2"));
    sender.flush();
    assertThat(sent).containsExactly("t:a=1", "u:a=2");
  }

  @Test
  void isBoundedInBytes() throws Exception {
    RecordSender sender = sender(0);
    String megabyte = "x".repeat(1 << 20);
    for (int i = 0; i < 8; i++) {
      sender.send(record("t", "k" + i, megabyte));
    }
    assertThat(sent).hasSize(8);
  }

  @Test
  void forgetsWhatIsDiscarded() throws Exception {
    RecordSender sender = sender(2);
    sender.send(record("t", "a", "1"));
    sender.discard();
    sender.send(record("t", "b", "1"));
    assertThat(sent).isEmpty();
    sender.flush();
    assertThat(sent).containsExactly("t:b=1");
  }
}
