// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.EvidenceReading.Described;
import dev.flinktxn.protocol.EvidenceReading.Stored;
import dev.flinktxn.protocol.Outcome;
import dev.flinktxn.protocol.ProtocolSimulation;
import org.junit.jupiter.api.Test;

/**
 * The protocol's simulation over the reading of evidence that the Kafka sink really uses. Left out
 * are schedules in which strangers initialise our ids: on v2 the reading takes such an id for one
 * that was fenced while it was open, and says LOST also of what was committed.
 */
final class TransactionEvidenceSimulationTest {

  private static final int SCHEDULES = 20_000;

  @Test
  void readsTheTruthInEverySchedule() {
    try (ProtocolSimulation simulation =
        ProtocolSimulation.reading(TransactionEvidenceSimulationTest::read)) {
      for (int seed = 0; seed < SCHEDULES; seed++) {
        simulation.runUnlessStrangersInitialise(seed);
      }
    }
  }

  static Outcome.Kind read(Stored stored, Described described) {
    KafkaHandle handle =
        new KafkaHandle(
            stored.producerId(), (short) stored.epoch(), stored.tv2(), false, stored.startedAt());
    TransactionDescription now =
        described == null
            ? TransactionDescription.UNKNOWN_ID
            : new TransactionDescription(
                state(described),
                described.producerId(),
                (short) described.epoch(),
                described.startedAt());
    return switch (TransactionEvidence.of(handle, now).standing()) {
      case OPEN, ENDING -> Outcome.Kind.RETRY;
      case COMMITTED, COMMITTED_BEFORE -> Outcome.Kind.ALREADY_COMMITTED;
      case ABORTED -> Outcome.Kind.LOST;
      case UNKNOWN -> Outcome.Kind.UNKNOWN;
    };
  }

  private static TransactionDescription.State state(Described described) {
    return switch (described.state()) {
      case EMPTY -> TransactionDescription.State.EMPTY;
      case ONGOING -> TransactionDescription.State.ONGOING;
      case COMPLETE_COMMIT -> TransactionDescription.State.COMPLETE_COMMIT;
      case COMPLETE_ABORT -> TransactionDescription.State.COMPLETE_ABORT;
    };
  }
}
