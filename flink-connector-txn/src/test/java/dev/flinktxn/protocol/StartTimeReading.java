// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

/**
 * Section 1 of the Kafka protocol with one addition: the broker keeps the start time of an id's
 * last transaction also when that has ended, so an equal start time means "this very transaction"
 * and another one means "a later begin", which by rule (d) follows a commit only.
 */
final class StartTimeReading implements EvidenceReading {

  @Override
  public Outcome.Kind read(Stored stored, Described described) {
    if (described == null) {
      return Outcome.Kind.UNKNOWN;
    }
    if (described.state() == State.EMPTY) {
      return readEmpty(stored, described);
    }
    if (stored.startedAt() >= 0 && described.startedAt() != stored.startedAt()) {
      return Outcome.Kind.ALREADY_COMMITTED;
    }
    return switch (described.state()) {
      case COMPLETE_COMMIT -> Outcome.Kind.ALREADY_COMMITTED;
      case COMPLETE_ABORT -> Outcome.Kind.LOST;
      default -> Outcome.Kind.RETRY;
    };
  }

  /** An initialised id shows no start time. On TV1 each begin initialises, and only once. */
  private static Outcome.Kind readEmpty(Stored stored, Described described) {
    boolean onceInitialised =
        described.producerId() == stored.producerId() && described.epoch() == stored.epoch() + 1;
    return !stored.tv2() && onceInitialised ? Outcome.Kind.ALREADY_COMMITTED : Outcome.Kind.UNKNOWN;
  }
}
