// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.PartitionInfo;

/**
 * The partitions of topics as the current producer knows them, asked again once in a while so that
 * added ones are found. Used by the task thread.
 */
final class TopicPartitions implements PartitionLookup {

  private static final Duration TRUSTED = Duration.ofMinutes(1);

  private record Known(int[] partitions, long sinceNanos) {}

  private final Map<String, Known> known = new HashMap<>();
  private KafkaProducer<byte[], byte[]> producer;

  /** Asks {@code producer} from now on. */
  void ask(KafkaProducer<byte[], byte[]> producer) {
    this.producer = producer;
  }

  @Override
  public int[] partitions(String topic) {
    Known entry = known.get(topic);
    if (entry == null || System.nanoTime() - entry.sinceNanos() > TRUSTED.toNanos()) {
      int[] partitions =
          producer.partitionsFor(topic).stream()
              .mapToInt(PartitionInfo::partition)
              .sorted()
              .toArray();
      entry = new Known(partitions, System.nanoTime());
      known.put(topic, entry);
    }
    return entry.partitions();
  }
}
