// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

/**
 * What a committer concludes from the described state of an id. The seam where the simulation takes
 * in an adapter's own reading.
 */
public interface EvidenceReading {

  /** States of a transactional id that describeTransactions shows. */
  enum State {
    EMPTY,
    ONGOING,
    COMPLETE_COMMIT,
    COMPLETE_ABORT
  }

  /**
   * What the writer stored in the committable.
   *
   * @param producerId the producer id it wrote with
   * @param epoch the epoch it wrote with
   * @param tv2 whether every end of a transaction moves the epoch
   * @param startedAt the broker's start time of the transaction
   */
  record Stored(long producerId, int epoch, boolean tv2, long startedAt) {}

  /**
   * What describeTransactions shows of an id.
   *
   * @param state its state
   * @param producerId its present producer id
   * @param epoch its present epoch
   * @param startedAt start of its last transaction; -1 when {@link State#EMPTY}
   */
  record Described(State state, long producerId, int epoch, long startedAt) {}

  /**
   * The outcome of the stored transaction; {@link Outcome.Kind#RETRY} while it is open.
   *
   * @param described null when the id is unknown
   */
  Outcome.Kind read(Stored stored, Described described);
}
