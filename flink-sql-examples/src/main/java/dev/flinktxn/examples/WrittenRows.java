// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What a read_committed reader finds in a topic.
 *
 * @param count how many rows
 * @param bytes the length of their values
 * @param last when the last of them was stored, in ms since 1970; the topic has to stamp on append
 */
record WrittenRows(long count, long bytes, long last) {

  private static final long LIMIT = Duration.ofSeconds(120).toNanos();

  /** Reads the topic up to {@code ends}, its last stable offsets. */
  static WrittenRows read(String bootstrapServers, Map<TopicPartition, Long> ends) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "isolation.level",
            "read_committed",
            "auto.offset.reset",
            "earliest",
            "enable.auto.commit",
            false,
            "max.partition.fetch.bytes",
            8 << 20,
            "max.poll.records",
            10_000);
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, bytes, bytes)) {
      consumer.assign(ends.keySet());
      long start = System.nanoTime();
      WrittenRows found = new WrittenRows(0, 0, 0);
      while (!hasReached(consumer, ends)) {
        if (System.nanoTime() - start > LIMIT) {
          throw new IllegalStateException("read only " + found + " on the way to " + ends);
        }
        found = found.and(consumer.poll(Duration.ofMillis(200)));
      }
      return found;
    }
  }

  private static boolean hasReached(KafkaConsumer<?, ?> consumer, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  private WrittenRows and(Iterable<ConsumerRecord<byte[], byte[]>> records) {
    long moreRows = 0;
    long moreBytes = 0;
    long latest = last;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      moreRows++;
      moreBytes += record.value().length;
      latest = Math.max(latest, record.timestamp());
    }
    return new WrittenRows(count + moreRows, bytes + moreBytes, latest);
  }
}
