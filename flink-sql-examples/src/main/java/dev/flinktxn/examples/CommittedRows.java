// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The output topic as a read_committed reader sees it. For one thread. */
final class CommittedRows implements AutoCloseable {

  private final KafkaConsumer<String, String> consumer;
  private final List<HourlyDelay> rows = new ArrayList<>();

  CommittedRows(String bootstrapServers, List<TopicPartition> partitions) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "isolation.level",
            "read_committed",
            "auto.offset.reset",
            "earliest",
            "enable.auto.commit",
            false);
    StringDeserializer strings = new StringDeserializer();
    this.consumer = new KafkaConsumer<>(settings, strings, strings);
    consumer.assign(partitions);
  }

  /** Reads what has come since the last call, or waits that long for it. */
  void read(Duration wait) {
    for (ConsumerRecord<String, String> record : consumer.poll(wait)) {
      rows.add(HourlyDelay.parse(record.value()));
    }
  }

  /** Whether the reader has come to {@code ends}. */
  boolean hasReached(Map<TopicPartition, Long> ends) {
    Map<TopicPartition, Long> behind = new HashMap<>(ends);
    behind.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
    return behind.isEmpty();
  }

  /** Everything read so far. */
  List<HourlyDelay> rows() {
    return rows;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
