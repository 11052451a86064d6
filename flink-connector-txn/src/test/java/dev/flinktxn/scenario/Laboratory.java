// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.util.EnumMap;
import java.util.Map;

/**
 * The Flink cluster and the brokers that all scenarios of a test run share, started when needed.
 */
final class Laboratory implements AutoCloseable {

  private final Map<TargetKind, RelayedBroker> brokers = new EnumMap<>(TargetKind.class);
  private final ClientThreads threads = new ClientThreads();
  private FlinkLab flink;

  ClientThreads threads() {
    return threads;
  }

  synchronized FlinkLab flink() {
    if (flink == null) {
      try {
        flink = FlinkLab.start();
      } catch (Exception e) {
        throw new IllegalStateException("Flink did not start", e);
      }
    }
    return flink;
  }

  /** A target for one test. */
  Target target(TargetKind kind) {
    if (kind == TargetKind.BOTH) {
      return new BothTargets(topics(TargetKind.TV2), PostgresTables.create(TargetKind.PG_STAGED));
    }
    return kind.isKafka() ? topics(kind) : PostgresTables.create(kind);
  }

  private KafkaTopics topics(TargetKind kind) {
    return new KafkaTopics(kind, broker(kind), threads);
  }

  synchronized RelayedBroker broker(TargetKind kind) {
    return brokers.computeIfAbsent(
        kind,
        missing -> {
          try {
            RelayedBroker broker = RelayedBroker.start(missing);
            threads.ignorePresent();
            return broker;
          } catch (Exception e) {
            throw new IllegalStateException("The broker did not start", e);
          }
        });
  }

  @Override
  public synchronized void close() throws Exception {
    if (flink != null) {
      flink.close();
    }
    for (RelayedBroker broker : brokers.values()) {
      broker.close();
    }
  }
}
