// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.kafka.TransactionDescription.State;

/**
 * Reads what the broker says now about a transactional id as evidence of what became of one
 * transaction written under it earlier. Measured on a 4.4.0 broker, for a transaction written under
 * producer P, epoch e, begun at time s:
 *
 * <pre>
 *                                        v2 (transaction.version 2)   v1
 * open                                   Ongoing        P e    s      Ongoing        P e    s
 * committed in its own flavour           CompleteCommit P e+1  s      CompleteCommit P e    s
 * committed in the other flavour         CompleteCommit P e    s      CompleteCommit P e+1  s
 * timed out, or fenced while open        CompleteAbort  P e+1  s      CompleteAbort  P e+1  s
 * fenced while open, id initialised      Empty          P e+2  -      Empty          P e+2  -
 * aborted by EndTxn v5 / by EndTxn v4    CompleteAbort  P e+1 / e  s  the same
 * committed, id initialised              Empty          P e+2  -      Empty          P e+1  -
 * committed, then begun again            Ongoing        P e+1  s'     Ongoing        P e+1  s'
 * committed at e = 32766                 CompleteCommit P' 0   s      CompleteCommit P e    s
 * id expired                             unknown id                   unknown id
 * </pre>
 *
 * <p>PrepareCommit and PrepareAbort count as their Complete states: the decision is in the
 * transaction log, only its markers are still on their way; an EndTxn answered OK means no more.
 *
 * <p>That a later use of the id proves the commit is rule (d) of the protocol: our writers begin an
 * id again only after they saw its transaction committed, and never again one that was aborted. On
 * v2 they do so without initialising it, so there an Empty id was initialised by somebody else, and
 * whether over an open or a committed transaction it does not tell: P e+2 either way.
 *
 * @param standing where that transaction stands
 * @param words the evidence, for messages
 */
record TransactionEvidence(Standing standing, String words) {

  /** Where a transaction stands. */
  enum Standing {
    /** Open: it can be committed. */
    OPEN,
    /** Its commit is decided, and the id has not been used since. */
    COMMITTED,
    /** It was committed, for the id has been used again since. */
    COMMITTED_BEFORE,
    /** A fence of it has begun and not got through yet; asking again will tell. */
    ENDING,
    /** Its abort is decided. */
    ABORTED,
    /** Nothing the broker holds tells. */
    UNKNOWN
  }

  private static final short LAST_EPOCH = Short.MAX_VALUE - 1;

  /** The evidence about {@code handle} in {@code now}. */
  static TransactionEvidence of(KafkaHandle handle, TransactionDescription now) {
    return new TransactionEvidence(
        standing(handle, now), "it was written by " + handle + "; " + now);
  }

  private static Standing standing(KafkaHandle handle, TransactionDescription now) {
    if (now.state() == State.ABSENT || now.state() == State.OTHER) {
      return Standing.UNKNOWN;
    }
    if (now.producerId() != handle.producerId()) {
      return otherProducerId(handle, now);
    }
    int raised = now.epoch() - handle.epoch();
    return switch (raised) {
      case 0 -> sameEpoch(handle, now);
      case 1 -> nextEpoch(handle, now);
      default -> raised < 0 ? Standing.UNKNOWN : farAhead(handle, now);
    };
  }

  private static Standing sameEpoch(KafkaHandle handle, TransactionDescription now) {
    if (now.state() == State.EMPTY || !handle.mayHaveStartedAt(now.startedAt())) {
      return Standing.UNKNOWN;
    }
    return now.state() == State.ONGOING ? Standing.OPEN : ended(now);
  }

  private static Standing nextEpoch(KafkaHandle handle, TransactionDescription now) {
    if (now.state() == State.EMPTY) {
      return handle.v2() ? Standing.UNKNOWN : Standing.COMMITTED_BEFORE;
    }
    if (handle.mayHaveStartedAt(now.startedAt())) {
      return now.state() == State.ONGOING ? Standing.ENDING : ended(now);
    }
    // On v2 an abort of the next transaction raises the epoch once more; this one is a stranger's.
    return handle.v2() && now.isAbort() ? Standing.UNKNOWN : Standing.COMMITTED_BEFORE;
  }

  private static Standing otherProducerId(KafkaHandle handle, TransactionDescription now) {
    boolean exhausted = handle.v2() && handle.epoch() == LAST_EPOCH && now.epoch() == 0;
    if (exhausted
        && (now.isCommit() || now.isAbort())
        && handle.mayHaveStartedAt(now.startedAt())) {
      return ended(now);
    }
    return farAhead(handle, now);
  }

  /** Used again, unless it was only initialised, or still shows our start. */
  private static Standing farAhead(KafkaHandle handle, TransactionDescription now) {
    if (now.state() == State.EMPTY) {
      return Standing.UNKNOWN;
    }
    if (handle.startedAt() < 0 || handle.startedAt() != now.startedAt()) {
      return Standing.COMMITTED_BEFORE;
    }
    return now.state() == State.ONGOING ? Standing.ENDING : ended(now);
  }

  private static Standing ended(TransactionDescription now) {
    return now.isCommit() ? Standing.COMMITTED : Standing.ABORTED;
  }
}
