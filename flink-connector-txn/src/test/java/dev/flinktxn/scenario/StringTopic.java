// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import dev.flinktxn.kafka.EmbeddedKafka;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.testframe.external.ExternalSystemDataReader;
import org.apache.flink.connector.testframe.external.sink.DataStreamSinkV2ExternalContext;
import org.apache.flink.connector.testframe.external.sink.TestingSinkSettings;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A topic of strings, as Flink's test suite for sinks wants to know it. */
final class StringTopic implements DataStreamSinkV2ExternalContext<String> {

  private static final int PARTITIONS = 3;

  private final EmbeddedKafka kafka;
  private final String topic = "suite-" + UUID.randomUUID();

  StringTopic(EmbeddedKafka kafka) {
    this.kafka = kafka;
    kafka.createTopic(topic, PARTITIONS);
  }

  String topic() {
    return topic;
  }

  @Override
  public Sink<String> createSink(TestingSinkSettings settings) {
    Map<String, String> options = SinkUnderTest.options(kafka.bootstrapServers(), topic, topic);
    options.put("format", "raw");
    options.put("sink.delivery-guarantee", guarantee(settings));
    return StringSink.ofTable(options);
  }

  /** The settings name another enum on each version of Flink; its constants stay the same. */
  static String guarantee(TestingSinkSettings settings) {
    return settings.getCheckpointingMode().name().equals(CheckpointingMode.EXACTLY_ONCE.name())
        ? "exactly-once"
        : "at-least-once";
  }

  @Override
  public ExternalSystemDataReader<String> createSinkDataReader(TestingSinkSettings settings) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "isolation.level",
                "read_committed",
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                "false"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList());
    return new Reader(consumer);
  }

  @Override
  public List<String> generateTestData(TestingSinkSettings settings, long seed) {
    return testData(seed);
  }

  static List<String> testData(long seed) {
    Random random = new Random(seed);
    List<String> records = new ArrayList<>();
    for (int i = random.nextInt(50, 100); i > 0; i--) {
      records.add(i + "-" + Long.toHexString(random.nextLong()));
    }
    return records;
  }

  @Override
  public TypeInformation<String> getProducedType() {
    return TypeInformation.of(String.class);
  }

  @Override
  public List<URL> getConnectorJarPaths() {
    return List.of();
  }

  @Override
  public void close() {}

  private record Reader(KafkaConsumer<byte[], byte[]> consumer)
      implements ExternalSystemDataReader<String> {

    @Override
    public List<String> poll(Duration timeout) {
      List<String> values = new ArrayList<>();
      consumer
          .poll(timeout)
          .forEach(found -> values.add(new String(found.value(), StandardCharsets.UTF_8)));
      return values;
    }

    @Override
    public void close() {
      consumer.close();
    }
  }
}
