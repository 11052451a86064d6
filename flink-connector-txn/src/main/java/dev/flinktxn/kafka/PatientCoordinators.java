// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.kafka.TransactionDescription.State;
import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;

/**
 * What a writer asks of the transaction coordinators. Brokers that are away for a while are waited
 * for, up to a limit. Used by the task thread.
 */
final class PatientCoordinators implements AutoCloseable {

  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  private final CoordinatorClient client;
  private final Duration patience;
  private final String table;

  PatientCoordinators(CoordinatorClient client, Duration patience, String table) {
    this.client = client;
    this.patience = patience;
    this.table = table;
  }

  /** Waits longer and longer between tries, until patience ends. */
  private final class Waiting {
    private final long deadline = System.nanoTime() + patience.toNanos();
    private long pause = FIRST_PAUSE_MILLIS;

    void orGiveUp(String trouble) throws IOException, InterruptedException {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "Table " + table + ": Kafka's transaction coordinators do not answer: " + trouble);
      }
      BrokerConnections.pause(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
  }

  /** Describes all of {@code ids}, in one round trip if all goes well. */
  Map<String, TransactionDescription> describe(Collection<String> ids)
      throws IOException, InterruptedException {
    Map<String, TransactionDescription> descriptions = new HashMap<>();
    Set<String> missing = new HashSet<>(ids);
    Waiting waiting = new Waiting();
    while (!missing.isEmpty()) {
      String trouble = null;
      for (Map.Entry<String, Answer<TransactionDescription>> answer :
          client.describe(missing).entrySet()) {
        if (answer.getValue().value() != null) {
          descriptions.put(answer.getKey(), answer.getValue().value());
        } else {
          trouble = answer.getValue().trouble();
        }
      }
      missing.removeAll(descriptions.keySet());
      if (!missing.isEmpty()) {
        waiting.orGiveUp(trouble);
      }
    }
    return descriptions;
  }

  /** Lets the transactions of {@code id} never expire; the answer is its new owner. */
  ProducerIdAndEpoch makeEndless(String id, ProducerIdAndEpoch owner)
      throws IOException, InterruptedException {
    Waiting waiting = new Waiting();
    while (true) {
      Answer<ProducerIdAndEpoch> answer;
      try {
        answer = client.makeEndless(id, owner);
      } catch (RefusedException e) {
        throw new RefusedException("Table " + table + ": " + e.getMessage() + ".", e);
      }
      if (answer.value() != null) {
        return answer.value();
      }
      if (answer.error() != null && answer.error() != Errors.CONCURRENT_TRANSACTIONS) {
        throw new IOException(
            "Table "
                + table
                + ": Kafka transactional id '"
                + id
                + "' cannot be initialised: "
                + answer.error().message());
      }
      waiting.orGiveUp(answer.error() == null ? answer.trouble() : answer.error().message());
    }
  }

  /** The ids with an open transaction that start with exactly {@code start}. */
  Set<String> open(String start) throws IOException, InterruptedException {
    Waiting waiting = new Waiting();
    while (true) {
      Answer<Set<String>> answer = client.open(start);
      if (answer.value() != null) {
        return answer.value();
      }
      waiting.orGiveUp(answer.trouble());
    }
  }

  /** Aborts exactly {@code incarnation} and returns once it has ended, this way or another. */
  void abort(String id, Incarnation incarnation, Duration transactionTimeout)
      throws IOException, InterruptedException {
    Waiting waiting = new Waiting();
    while (true) {
      TransactionDescription now = describe(Set.of(id)).get(id);
      boolean ending = now.state() == State.PREPARE_ABORT || now.state() == State.PREPARE_COMMIT;
      if (!incarnation.isSeenIn(now) || now.state() != State.ONGOING && !ending) {
        return;
      }
      if (!ending) {
        sendAbort(client, id, incarnation, now.epoch(), transactionTimeout);
      }
      waiting.orGiveUp("transaction " + id + " does not end; " + now);
    }
  }

  /** Tries once, for a short time, to abort a transaction of our own. */
  void abortOnce(String id, KafkaHandle handle, Duration limit, Duration transactionTimeout)
      throws IOException, InterruptedException {
    CoordinatorClient hurried = client.within(limit);
    TransactionDescription now = hurried.describe(Set.of(id)).get(id).value();
    Incarnation own = new Incarnation(handle.producerId(), handle.epoch(), handle.startedAt());
    if (now == null) {
      return;
    }
    boolean open = now.state() == State.ONGOING && own.isSeenIn(now);
    // Its first request may still be under way to the broker, which refuses it after this.
    boolean notYetOpen =
        handle.startedAt() < 0
            && now.producerId() == handle.producerId()
            && now.epoch() == handle.epoch()
            && (now.state() == State.EMPTY || now.state() == State.COMPLETE_COMMIT);
    if (open || notYetOpen) {
      sendAbort(hurried, id, own, now.epoch(), transactionTimeout);
    }
  }

  /**
   * Sends the request that ends the transaction and raises the epoch, so that its writer is shut
   * out. From Kafka 4.0 on that is EndTxn v5, which ends this epoch or nothing, whatever
   * transaction version is in force. Before, only InitProducerId raises the epoch; the broker does
   * not compare epochs there while a transaction is open (measured), so the description just seen
   * has to do.
   */
  private static void sendAbort(
      CoordinatorClient client,
      String id,
      Incarnation incarnation,
      short epochNow,
      Duration transactionTimeout)
      throws IOException, InterruptedException {
    boolean raises = client.endsWithRaise(id);
    KafkaHandle handle =
        new KafkaHandle(incarnation.producerId(), epochNow, raises, false, incarnation.startedAt());
    if (raises) {
      client.end(List.of(new CoordinatorClient.End(id, handle, false)));
    } else {
      client.initProducerId(id, handle, transactionTimeout);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
