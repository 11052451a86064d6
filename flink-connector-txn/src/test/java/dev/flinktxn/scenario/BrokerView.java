// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.flinktxn.fixture.KafkaProbe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** What a scenario expects to see of a broker from outside, or waits for. */
final class BrokerView implements AutoCloseable {

  private static final Duration PERIOD = Duration.ofMillis(50);
  private static final Set<TransactionState> OPEN =
      Set.of(
          TransactionState.ONGOING,
          TransactionState.PREPARE_COMMIT,
          TransactionState.PREPARE_ABORT);

  private final KafkaProbe probe;

  BrokerView(String bootstrapServers) {
    probe = new KafkaProbe(bootstrapServers);
  }

  KafkaProbe probe() {
    return probe;
  }

  /** The values that a read_committed reader sees, sorted. */
  List<String> committed(String topic) {
    return probe.committed(topic).stream().sorted().toList();
  }

  /** How far a read_committed reader can read. */
  Map<TopicPartition, Long> stableEnds(String topic) {
    return probe.ends(topic, IsolationLevel.READ_COMMITTED);
  }

  /** Waits until no reader of the topic is blocked: last stable offset = end, everywhere. */
  void awaitNothingBlocks(String topic) {
    await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(PERIOD)
        .untilAsserted(
            () ->
                assertThat(stableEnds(topic))
                    .as("last stable offsets and end offsets of %s", topic)
                    .isEqualTo(probe.ends(topic, IsolationLevel.READ_UNCOMMITTED)));
  }

  /** The transactional ids the broker knows, in any state. */
  Set<String> transactionalIds(Predicate<String> chosen) {
    return probe.transactions("").keySet().stream().filter(chosen).collect(Collectors.toSet());
  }

  /** The transactional ids with a transaction that is not over. */
  Set<String> openTransactions(Predicate<String> chosen) {
    return probe.transactions("").entrySet().stream()
        .filter(e -> chosen.test(e.getKey()) && OPEN.contains(e.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  void awaitNoOpenTransactions(Predicate<String> chosen) {
    await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(PERIOD)
        .untilAsserted(
            () -> assertThat(openTransactions(chosen)).as("open transactions").isEmpty());
  }

  @Override
  public void close() {
    probe.close();
  }
}
