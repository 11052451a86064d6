// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.time.Instant;

/**
 * What the broker says about the newest transaction of one transactional id.
 *
 * @param state where the transaction stands
 * @param producerId the producer id in force
 * @param epoch the epoch in force
 * @param startedAt when it started, in milliseconds of the broker's clock; -1 if none did
 */
record TransactionDescription(State state, long producerId, short epoch, long startedAt) {

  /** The broker's states, and {@link #ABSENT} for an id it does not know. */
  enum State {
    EMPTY("Empty"),
    ONGOING("Ongoing"),
    PREPARE_COMMIT("PrepareCommit"),
    PREPARE_ABORT("PrepareAbort"),
    COMPLETE_COMMIT("CompleteCommit"),
    COMPLETE_ABORT("CompleteAbort"),
    /** The id is not known: never used, or expired. */
    ABSENT("TransactionalIdNotFound"),
    /** A state this version of the sink does not know. */
    OTHER("");

    private final String brokerName;

    State(String brokerName) {
      this.brokerName = brokerName;
    }

    static State of(String brokerName) {
      for (State state : values()) {
        if (state.brokerName.equals(brokerName)) {
          return state;
        }
      }
      return OTHER;
    }
  }

  static final TransactionDescription UNKNOWN_ID =
      new TransactionDescription(State.ABSENT, -1, (short) -1, -1);

  boolean isCommit() {
    return state == State.COMPLETE_COMMIT || state == State.PREPARE_COMMIT;
  }

  boolean isAbort() {
    return state == State.COMPLETE_ABORT || state == State.PREPARE_ABORT;
  }

  @Override
  public String toString() {
    if (state == State.ABSENT) {
      return "the broker does not know the transactional id (never used, or expired)";
    }
    return String.format(
        "the broker says %s for producer %d epoch %d%s",
        state.brokerName,
        producerId,
        epoch,
        startedAt < 0 ? "" : ", started " + Instant.ofEpochMilli(startedAt));
  }
}
