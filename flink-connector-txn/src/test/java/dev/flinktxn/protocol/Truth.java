// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A transaction as it really is, whatever anyone was told about it. */
final class Truth {

  /** How a transaction really ended. */
  enum Fate {
    OPEN,
    COMMITTED,
    ABORTED
  }

  /** Who aborted a transaction. */
  enum Cause {
    OWNER,
    CLEANUP,
    TIMEOUT,
    THIRD_PARTY,
    INITIALISED
  }

  final String id;
  final SimulatedTask writer;
  final long startedAt;
  final long expiresAt;
  final List<Long> rows = new ArrayList<>(4);

  /** Whether a completed checkpoint, or a finished batch writer, relies on it. */
  boolean reliedOn;

  /** What its id parses to, once asked. */
  Optional<TransactionName> parsed;

  Fate fate = Fate.OPEN;
  Cause cause;
  long abortedInStep = -1;
  boolean prepared;

  /** A failed job has named it as lost or unknown. */
  boolean claimed;

  /** Somebody took rows from it. */
  boolean damaged;

  /** Its evidence was removed or disturbed by somebody else than this sink. */
  boolean evidenceTouched;

  Truth(String id, SimulatedTask writer, long startedAt, long expiresAt) {
    this.id = id;
    this.writer = writer;
    this.startedAt = startedAt;
    this.expiresAt = expiresAt;
  }

  @Override
  public String toString() {
    return id + "@" + startedAt % 100_000_000 + rows + fate + (cause == null ? "" : "/" + cause);
  }
}
