// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.util.Optional;
import java.util.Random;

/** The protocol's parts as the simulation uses them. A mutation replaces one of them. */
class Rules {

  Slots slots() {
    return new Slots();
  }

  OrphanCleanup cleanup(
      SinkSettings settings, int subtask, int parallelism, WriterStore store, ProtocolClock clock)
      throws IOException, InterruptedException {
    return OrphanCleanup.open(settings, subtask, parallelism, store, clock);
  }

  /** The name that an id spells under a prefix. */
  Optional<TransactionName> parse(String prefix, String id) {
    return TransactionName.parse(prefix, id);
  }

  /** Runs when a writer has opened. */
  void opened(OrphanCleanup cleanup) throws IOException, InterruptedException {}

  /** Runs when the input of a writer has ended, before it is flushed. */
  void inputEnds(OrphanCleanup cleanup) throws IOException, InterruptedException {}

  Random attemptRandom(Random random) {
    return random;
  }

  WriterStore writerStore(WriterStore store) {
    return store;
  }

  CommitterStore committerStore(CommitterStore store) {
    return store;
  }

  EvidenceReading evidence() {
    return new StartTimeReading();
  }

  /** Whether the adapter of a ledger leaves out {@code rule}. */
  boolean lacks(LedgerRule rule) {
    return false;
  }

  /** Whether a committer forgets what it got for a checkpoint that was aborted. */
  boolean dropsCommittablesOfAbortedCheckpoints() {
    return false;
  }
}
