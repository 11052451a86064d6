// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.EvidenceReading.Described;
import dev.flinktxn.protocol.EvidenceReading.State;
import dev.flinktxn.protocol.Truth.Cause;
import dev.flinktxn.protocol.Truth.Fate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The reference external system: the transaction coordinator of a Kafka broker, reduced to what
 * decides the fate of a transaction. Knows the truth about each transaction, which the protocol
 * under test never sees.
 */
final class InMemorySystem {

  /** The last epoch of a producer id that can write a transaction, as on a Kafka broker. */
  static final int LAST_EPOCH = Short.MAX_VALUE - 1;

  /** Errors of EndTxn that say something about the transaction. */
  enum EndError {
    INVALID_TXN_STATE,
    PRODUCER_FENCED,
    INVALID_PRODUCER_ID_MAPPING
  }

  /** A producer id with its epoch. */
  record Producer(long id, int epoch) {}

  /** One transactional id in the coordinator. */
  private static final class Entry {
    private long producerId;
    private int epoch;
    private State state = State.EMPTY;
    private boolean fencing;
    private boolean endedByTv2;
    private long previousProducerId = -1;
    private Truth last;
    private long changedAt;
  }

  private final int firstEpoch;
  private boolean tv2;
  private final Map<String, Entry> entries = new HashMap<>();
  private final Map<Producer, Truth> truths = new HashMap<>();
  private final List<Truth> all = new ArrayList<>();
  private long nextProducerId = 1;
  private int steps;

  /**
   * An empty system.
   *
   * @param tv2 whether every end of a transaction moves the epoch
   * @param firstEpoch of new ids: close to {@link #LAST_EPOCH}, producer ids roll over soon
   */
  InMemorySystem(boolean tv2, int firstEpoch) {
    this.tv2 = tv2;
    this.firstEpoch = firstEpoch;
  }

  boolean tv2() {
    return tv2;
  }

  /** From now on every end of a transaction moves the epoch. */
  void raiseToTv2() {
    tv2 = true;
  }

  /** Counts the changes, to say what came first. */
  int step() {
    return steps;
  }

  List<Truth> transactions() {
    return all;
  }

  /** InitProducerId: ends what is open and hands out the next epoch. */
  Producer initialise(String id, long now) {
    steps++;
    Entry entry = entries.get(id);
    if (entry == null) {
      entry = new Entry();
      entry.producerId = nextProducerId++;
      entry.epoch = firstEpoch;
      entries.put(id, entry);
    } else {
      if (entry.state == State.ONGOING) {
        fence(entry, Cause.INITIALISED, now, false);
      }
      if (entry.epoch >= LAST_EPOCH) {
        entry.producerId = nextProducerId++;
        entry.epoch = 0;
      } else {
        entry.epoch++;
      }
    }
    entry.state = State.EMPTY;
    entry.changedAt = now;
    return new Producer(entry.producerId, entry.epoch);
  }

  /** Whether the id is known at all. */
  boolean knows(String id) {
    return entries.containsKey(id);
  }

  /**
   * Writes into the open transaction, which the first write of a producer begins.
   *
   * @return false if the producer is fenced
   */
  boolean write(
      String id, Producer producer, SimulatedTask writer, List<Long> rows, long now, long timeout) {
    steps++;
    Entry entry = entries.get(id);
    if (entry == null
        || entry.producerId != producer.id()
        || entry.epoch != producer.epoch()
        || entry.fencing) {
      return false;
    }
    if (entry.state != State.ONGOING) {
      entry.state = State.ONGOING;
      entry.last = new Truth(id, writer, now, now + timeout);
      entry.changedAt = now;
      truths.put(producer, entry.last);
      all.add(entry.last);
    }
    entry.last.rows.addAll(rows);
    return true;
  }

  /** EndTxn; empty when the transaction has ended as asked, now or earlier. */
  Optional<EndError> end(
      String id, Producer producer, boolean tv2Client, boolean commit, long now) {
    steps++;
    Entry entry = entries.get(id);
    if (entry == null) {
      return Optional.of(EndError.INVALID_PRODUCER_ID_MAPPING);
    }
    boolean overflowRetry =
        entry.endedByTv2
            && entry.previousProducerId == producer.id()
            && producer.epoch() == LAST_EPOCH
            && entry.epoch == 0;
    if (entry.producerId != producer.id() && !overflowRetry) {
      return Optional.of(EndError.INVALID_PRODUCER_ID_MAPPING);
    }
    boolean ended = entry.state == State.COMPLETE_COMMIT || entry.state == State.COMPLETE_ABORT;
    boolean valid =
        ended && entry.endedByTv2
            ? entry.epoch == producer.epoch() + 1 || overflowRetry
            : entry.epoch == producer.epoch() && entry.producerId == producer.id();
    if (!valid) {
      return Optional.of(EndError.PRODUCER_FENCED);
    }
    if (entry.state == State.ONGOING) {
      entry.last.fate = commit ? Fate.COMMITTED : Fate.ABORTED;
      if (!commit) {
        entry.last.cause = Cause.OWNER;
        entry.last.abortedInStep = steps;
      }
      entry.state = commit ? State.COMPLETE_COMMIT : State.COMPLETE_ABORT;
      entry.endedByTv2 = tv2Client;
      entry.changedAt = now;
      entry.previousProducerId = entry.producerId;
      if (tv2Client && entry.epoch >= LAST_EPOCH) {
        entry.producerId = nextProducerId++;
        entry.epoch = 0;
      } else if (tv2Client) {
        entry.epoch++;
      }
      return Optional.empty();
    }
    boolean asAsked = entry.state == (commit ? State.COMPLETE_COMMIT : State.COMPLETE_ABORT);
    return asAsked ? Optional.empty() : Optional.of(EndError.INVALID_TXN_STATE);
  }

  /** Aborts exactly the transaction that began at {@code startedAt} and fences its producer. */
  void fence(String id, long startedAt, Cause cause, long now, boolean slowly) {
    steps++;
    Entry entry = entries.get(id);
    if (entry != null && entry.state == State.ONGOING && entry.last.startedAt == startedAt) {
      fence(entry, cause, now, slowly);
    }
  }

  private void fence(Entry entry, Cause cause, long now, boolean slowly) {
    if (!entry.fencing) {
      entry.epoch++;
      entry.last.cause = cause;
      entry.fencing = true;
    }
    if (!slowly) {
      finishFence(entry, now);
    }
  }

  private void finishFence(Entry entry, long now) {
    entry.fencing = false;
    entry.last.fate = Fate.ABORTED;
    entry.last.abortedInStep = steps;
    entry.state = State.COMPLETE_ABORT;
    entry.endedByTv2 = tv2;
    entry.changedAt = now;
  }

  /** Ends the fences in progress. */
  void finishFences(long now) {
    steps++;
    for (Entry entry : entries.values()) {
      if (entry.fencing) {
        finishFence(entry, now);
      }
    }
  }

  /** Aborts what is open for longer than its timeout; returns how many. */
  int timeOut(long now) {
    steps++;
    int aborted = 0;
    for (Entry entry : entries.values()) {
      if (entry.state == State.ONGOING && !entry.fencing && entry.last.expiresAt <= now) {
        fence(entry, Cause.TIMEOUT, now, false);
        aborted++;
      }
    }
    return aborted;
  }

  /** Forgets the ids without change since {@code before}; returns how many. */
  int forget(long before) {
    int forgotten = 0;
    for (Iterator<Map.Entry<String, Entry>> it = entries.entrySet().iterator(); it.hasNext(); ) {
      Map.Entry<String, Entry> entry = it.next();
      if (entry.getValue().state != State.ONGOING && entry.getValue().changedAt < before) {
        touchEvidence(entry.getKey());
        it.remove();
        forgotten++;
      }
    }
    return forgotten;
  }

  /** Notes that somebody else has removed or disturbed what the system knows about an id. */
  void touchEvidence(String id) {
    for (Truth truth : all) {
      if (truth.id.equals(id)) {
        truth.evidenceTouched = true;
      }
    }
  }

  /** DescribeTransactions; null when the id is unknown. */
  Described describe(String id) {
    Entry entry = entries.get(id);
    if (entry == null) {
      return null;
    }
    long startedAt = entry.state == State.EMPTY ? -1 : entry.last.startedAt;
    return new Described(entry.state, entry.producerId, entry.epoch, startedAt);
  }

  /** The open transactions, of everybody. */
  List<Truth> open() {
    List<Truth> open = new ArrayList<>();
    for (Entry entry : entries.values()) {
      if (entry.state == State.ONGOING) {
        open.add(entry.last);
      }
    }
    return open;
  }

  /** The last transaction of an id; null when there is none. */
  Truth lastOf(String id) {
    Entry entry = entries.get(id);
    return entry == null ? null : entry.last;
  }

  /** The transaction this producer wrote. */
  Truth truthOf(Producer producer) {
    return truths.get(producer);
  }
}
