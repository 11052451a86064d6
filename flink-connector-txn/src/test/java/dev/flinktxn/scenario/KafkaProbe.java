// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What a test sees of a broker from outside: its records, offsets and transactions. */
final class KafkaProbe implements AutoCloseable {

  /** Marks the probe's own threads, so that the search for leaked ones can tell them apart. */
  static final String CLIENT_ID = "scenario-probe";

  private static final Set<TransactionState> OPEN =
      Set.of(
          TransactionState.ONGOING,
          TransactionState.PREPARE_COMMIT,
          TransactionState.PREPARE_ABORT);

  private final String bootstrapServers;
  private final Admin admin;

  KafkaProbe(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
    this.admin =
        Admin.create(Map.of("bootstrap.servers", bootstrapServers, "client.id", CLIENT_ID));
  }

  String bootstrapServers() {
    return bootstrapServers;
  }

  void createTopic(String topic, int partitions) throws Exception {
    admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
  }

  /** The values that a read_committed reader sees, sorted. */
  List<String> committed(String topic) {
    return values(topic, IsolationLevel.READ_COMMITTED);
  }

  /** The values in the log whatever became of them, sorted. */
  List<String> uncommitted(String topic) {
    return values(topic, IsolationLevel.READ_UNCOMMITTED);
  }

  /** Waits until a read_committed reader sees exactly these values, in any order. */
  void awaitCommitted(String topic, Collection<String> expected) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(
            () -> assertThat(committed(topic)).containsExactlyInAnyOrderElementsOf(expected));
  }

  /** Waits until all these values have reached the log, committed or not. */
  void awaitWritten(String topic, Collection<String> expected) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(uncommitted(topic)).containsAll(expected));
  }

  private List<String> values(String topic, IsolationLevel isolation) {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "client.id",
            CLIENT_ID,
            "isolation.level",
            isolation.toString(),
            "fetch.max.wait.ms",
            "20",
            "enable.auto.commit",
            "false");
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        for (ConsumerRecord<byte[], byte[]> found : consumer.poll(Duration.ofMillis(100))) {
          values.add(new String(found.value(), StandardCharsets.UTF_8));
        }
      }
    }
    values.sort(null);
    return values;
  }

  /** Per partition, how far a reader of this isolation could read. */
  Map<TopicPartition, Long> endOffsets(String topic, IsolationLevel isolation) {
    try {
      Map<TopicPartition, OffsetSpec> latest =
          admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().stream()
              .collect(
                  Collectors.toMap(
                      info -> new TopicPartition(topic, info.partition()),
                      info -> OffsetSpec.latest()));
      Map<TopicPartition, ListOffsetsResult.ListOffsetsResultInfo> ends =
          admin.listOffsets(latest, new ListOffsetsOptions(isolation)).all().get();
      return ends.entrySet().stream()
          .collect(
              Collectors.toMap(
                  Map.Entry::getKey,
                  e -> e.getValue().offset(),
                  (a, b) -> a,
                  () -> new TreeMap<>(java.util.Comparator.comparing(TopicPartition::toString))));
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Waits until no reader of the topic is blocked: last stable offset = end, everywhere. */
  void awaitNothingBlocks(String topic) {
    await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(
            () ->
                assertThat(endOffsets(topic, IsolationLevel.READ_COMMITTED))
                    .as("last stable offsets and end offsets of %s", topic)
                    .isEqualTo(endOffsets(topic, IsolationLevel.READ_UNCOMMITTED)));
  }

  /** The transactional ids the broker knows, in any state. */
  Set<String> transactionalIds(Predicate<String> chosen) {
    return ids(listing -> chosen.test(listing.transactionalId()));
  }

  /** The transactional ids with a transaction that is not over. */
  Set<String> openTransactions(Predicate<String> chosen) {
    return ids(
        listing -> chosen.test(listing.transactionalId()) && OPEN.contains(listing.state()));
  }

  private Set<String> ids(Predicate<TransactionListing> chosen) {
    try {
      return admin.listTransactions().all().get().stream()
          .filter(chosen)
          .map(TransactionListing::transactionalId)
          .collect(Collectors.toSet());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
