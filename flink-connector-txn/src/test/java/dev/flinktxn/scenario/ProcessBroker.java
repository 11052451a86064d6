// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.BrokerProcess;
import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.KafkaFaults;
import dev.flinktxn.fixture.KafkaProbe;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.TcpRelay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;

/**
 * A broker process, the relay through which jobs reach it, and a probe that goes past the relay.
 */
final class ProcessBroker implements AutoCloseable {

  private static final Duration SETTLED = Duration.ofSeconds(10);

  private final KafkaFaults faults = new KafkaFaults();
  private final TcpRelay relay;
  private final BrokerProcess process;
  private final KafkaProbe probe;
  private final Map<String, List<String>> awaited = new HashMap<>();

  ProcessBroker(RunDirectory run, Distribution distribution, BrokerSettings settings) {
    try {
      relay = TcpRelay.open(faults);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      process = BrokerProcess.start(run, distribution, settings.behind(relay));
    } catch (RuntimeException e) {
      relay.close();
      throw e;
    }
    relay.forwardTo(process.relayTarget());
    probe = new KafkaProbe(process.bootstrapServers());
  }

  /** Where jobs connect. */
  String bootstrapServers() {
    return relay.address();
  }

  KafkaFaults faults() {
    return faults;
  }

  /** Closes the connections that exist now. */
  void dropConnections() {
    relay.dropConnections();
  }

  BrokerProcess process() {
    return process;
  }

  KafkaProbe probe() {
    return probe;
  }

  /** The ids of this prefix whose transactions have not ended yet. */
  Map<String, TransactionState> unfinished(String prefix) {
    return probe.transactions(prefix + "~").entrySet().stream()
        .filter(e -> !ENDED.contains(e.getValue()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static final List<TransactionState> ENDED =
      List.of(
          TransactionState.EMPTY,
          TransactionState.COMPLETE_COMMIT,
          TransactionState.COMPLETE_ABORT);

  /**
   * The common ending of all scenarios: nothing open, nobody who reads is kept waiting, and in the
   * topic still what {@link #awaitCommitted} was told last.
   */
  void assertNothingLeft(String prefix, String topic) {
    Await.until("nothing open of " + prefix, SETTLED, () -> unfinished(prefix).isEmpty());
    Await.until("readers of " + topic + " reach its end", SETTLED, () -> probe.isStable(topic));
    if (awaited.containsKey(topic)) {
      assertThat(probe.committed(topic)).containsExactlyInAnyOrderElementsOf(awaited.get(topic));
    }
  }

  /** Returns when read_committed readers see exactly these values. */
  void awaitCommitted(String topic, List<String> expected, Duration limit) {
    awaited.put(topic, expected);
    Await.until(
        expected.size() + " rows in " + topic,
        limit,
        () -> probe.committed(topic).size() >= expected.size());
    assertThat(probe.committed(topic)).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** Returns when that many records, committed or not, have reached the topic. */
  void awaitWritten(String topic, int rows, Duration limit) {
    Await.until(
        rows + " records in " + topic, limit, () -> probe.uncommitted(topic).size() >= rows);
  }

  /** Raises the feature on which the second version of the transaction protocol depends. */
  void raiseTransactionVersion() {
    FeatureUpdate update = new FeatureUpdate((short) 2, FeatureUpdate.UpgradeType.UPGRADE);
    try {
      probe
          .admin()
          .updateFeatures(Map.of("transaction.version", update), new UpdateFeaturesOptions())
          .all()
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Ends every fault and absence that a failed test may have left. */
  void heal() {
    if (process.isAlive()) {
      process.resume();
    } else {
      process.start();
    }
    faults.clear();
  }

  @Override
  public void close() {
    probe.close();
    process.close();
    relay.close();
  }
}
