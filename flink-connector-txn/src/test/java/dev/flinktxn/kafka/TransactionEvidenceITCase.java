// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.kafka.TransactionDescription.State;
import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.Outcome.Kind;
import dev.flinktxn.protocol.Sighting;
import dev.flinktxn.protocol.Transaction;
import dev.flinktxn.protocol.WriterStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every state a broker can be brought into, and what our committer makes of it. */
final class TransactionEvidenceITCase {

  private static KafkaRig rig(int transactionVersion) {
    return new KafkaRig(EmbeddedKafka.shared(transactionVersion));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void commitsAnOpenTransaction(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      WriterStore writer = rig.writer();
      Committable committable = rig.prepare(writer, rig.name(0), "a");
      assertThat(KafkaRig.handle(committable).v2()).isEqualTo(version == 2);
      assertThat(KafkaRig.handle(committable).startedAt()).isPositive();

      assertThat(rig.outcome(committable)).isEqualTo(Kind.COMMITTED);

      assertThat(rig.committed()).containsExactly("a");
      assertThat(rig.awaitState(rig.name(0), State.COMPLETE_COMMIT).epoch())
          .isEqualTo((short) (KafkaRig.handle(committable).epoch() + version - 1));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void recognisesACommitInItsOwnFlavour(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      Committable committable = rig.prepare(rig.writer(), rig.name(0), "a");
      rig.end(committable, true, version == 2);

      assertThat(rig.outcome(committable)).isEqualTo(Kind.ALREADY_COMMITTED);
      assertThat(rig.committed()).containsExactly("a");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void recognisesACommitInTheOtherFlavour(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      WriterStore writer = rig.writer();
      Committable settled = rig.prepare(writer, rig.name(0), "s");
      Committable committable = rig.prepare(writer, rig.name(1), "a");
      rig.end(committable, true, version == 1);

      assertThat(rig.outcome(committable)).isEqualTo(Kind.ALREADY_COMMITTED);
      assertThat(rig.secondCallOutcome(settled, committable).kind())
          .isEqualTo(Kind.ALREADY_COMMITTED);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aTimedOutTransactionIsLost(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      rig.transactionTimeout = Duration.ofMillis(500);
      WriterStore writer = rig.writer();
      Committable committable = rig.prepare(writer, rig.name(0), "a");
      rig.awaitState(rig.name(0), State.COMPLETE_ABORT);

      assertThat(rig.outcome(committable)).isEqualTo(Kind.LOST);
      assertThat(KafkaRig.look(writer, committable)).isEqualTo(Sighting.ABORTED);
      rig.transactionTimeout = null;
      Committable settled = rig.prepare(rig.writer(), rig.name(1), "s");
      assertThat(rig.secondCallOutcome(settled, committable).kind()).isEqualTo(Kind.LOST);
      assertThat(rig.committed()).containsExactly("s");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anAbortOfTheCleanUpIsALoss(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      Committable committable = rig.prepare(rig.writer(), rig.name(0), "a");
      WriterStore successor = rig.writer();
      successor.abort(successor.open(rig.prefix).get(0));

      assertThat(rig.outcome(committable)).isEqualTo(Kind.LOST);
      assertThat(rig.describe(rig.name(0)).state()).isEqualTo(State.COMPLETE_ABORT);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anAbortInTheOldFlavourIsALoss(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      Committable committable = rig.prepare(rig.writer(), rig.name(0), "a");
      rig.end(committable, false, false);

      assertThat(rig.outcome(committable)).isEqualTo(Kind.LOST);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anIdInitialisedByAStrangerTellsNothing(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      WriterStore writer = rig.writer();
      Committable aborted = rig.prepare(writer, rig.name(0), "a");
      rig.stranger(rig.name(0).toString());
      TransactionDescription overOpen = rig.describe(rig.name(0));
      assertThat(overOpen.state()).isEqualTo(State.EMPTY);
      assertThat(rig.outcome(aborted)).isEqualTo(Kind.UNKNOWN);

      Committable settled = rig.prepare(writer, rig.name(1), "s");
      assertThat(rig.secondCallOutcome(settled, aborted).kind()).isEqualTo(Kind.UNKNOWN);
      rig.stranger(rig.name(0).toString());
      assertThat(rig.outcome(aborted)).isEqualTo(Kind.UNKNOWN);
    }
  }

  @Test
  void anIdInitialisedAfterTheCommitLooksOnV2LikeOneInitialisedBefore() throws Exception {
    try (KafkaRig rig = rig(2)) {
      WriterStore writer = rig.writer();
      Committable committed = rig.prepare(writer, rig.name(0), "a");
      rig.end(committed, true, true);
      rig.stranger(rig.name(0).toString());
      Committable aborted = rig.prepare(writer, rig.name(1), "b");
      rig.stranger(rig.name(1).toString());

      assertThat(rig.describe(rig.name(0)).state()).isEqualTo(rig.describe(rig.name(1)).state());
      assertThat(rig.describe(rig.name(0)).epoch() - KafkaRig.handle(committed).epoch())
          .isEqualTo(rig.describe(rig.name(1)).epoch() - KafkaRig.handle(aborted).epoch());
      assertThat(rig.outcome(committed)).isEqualTo(Kind.UNKNOWN);
      assertThat(rig.outcome(aborted)).isEqualTo(Kind.UNKNOWN);
    }
  }

  @Test
  void anIdInitialisedAfterTheCommitProvesItOnV1() throws Exception {
    try (KafkaRig rig = rig(1)) {
      Committable committable = rig.prepare(rig.writer(), rig.name(0), "a");
      rig.end(committable, true, false);
      rig.stranger(rig.name(0).toString());

      assertThat(rig.describe(rig.name(0)).state()).isEqualTo(State.EMPTY);
      assertThat(rig.outcome(committable)).isEqualTo(Kind.ALREADY_COMMITTED);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aLaterUseOfTheIdProvesTheCommit(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      WriterStore writer = rig.writer();
      Committable old = rig.prepare(writer, rig.name(0), "a");
      assertThat(rig.outcome(old)).isEqualTo(Kind.COMMITTED);
      assertThat(KafkaRig.look(writer, old)).isEqualTo(Sighting.COMMITTED);

      Committable next = rig.prepare(writer, rig.name(0), "b");
      assertThat(rig.outcome(old)).isEqualTo(Kind.ALREADY_COMMITTED);
      assertThat(rig.outcome(next)).isEqualTo(Kind.COMMITTED);
      assertThat(rig.outcome(old)).isEqualTo(Kind.ALREADY_COMMITTED);

      assertThat(KafkaRig.look(writer, next)).isEqualTo(Sighting.COMMITTED);
      Committable third = rig.prepare(writer, rig.name(0), "c");
      assertThat(List.of(rig.outcome(old), rig.outcome(next))).containsOnly(Kind.ALREADY_COMMITTED);
      assertThat(rig.outcome(third)).isEqualTo(Kind.COMMITTED);
      assertThat(rig.committed()).containsExactlyInAnyOrder("a", "b", "c");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anAbortOfTheNextTransactionIsNoneOfTheOldOne(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      WriterStore writer = rig.writer();
      Committable old = rig.prepare(writer, rig.name(0), "a");
      rig.outcome(old);
      assertThat(KafkaRig.look(writer, old)).isEqualTo(Sighting.COMMITTED);
      Committable next = rig.prepare(writer, rig.name(0), "b");
      writer.abort(writer.open(rig.prefix).get(0));

      assertThat(rig.outcome(old)).isEqualTo(Kind.ALREADY_COMMITTED);
      assertThat(rig.outcome(next)).isEqualTo(Kind.LOST);
      assertThat(rig.committed()).containsExactly("a");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aTransactionAbandonedByItsWriterIsAbortedAtOnce(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      WriterStore writer = rig.writer();
      Committable old = rig.prepare(writer, rig.name(0), "a");
      rig.outcome(old);
      assertThat(KafkaRig.look(writer, old)).isEqualTo(Sighting.COMMITTED);
      Transaction abandoned = writer.begin(rig.name(0));
      abandoned.write(KafkaRig.row("b"));
      abandoned.flush();
      abandoned.close();

      rig.awaitState(rig.name(0), State.COMPLETE_ABORT);
      assertThat(rig.outcome(old)).isEqualTo(Kind.ALREADY_COMMITTED);
      assertThat(rig.committed()).containsExactly("a");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anUnknownIdTellsNothing(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      KafkaHandle handle = new KafkaHandle(1, (short) 1, version == 2, false, 1);
      Committable committable = new Committable(rig.name(0), handle.encode(), 1, 1, 1, 60_000);

      assertThat(rig.outcome(committable)).isEqualTo(Kind.UNKNOWN);
      Committable settled = rig.prepare(rig.writer(), rig.name(1), "s");
      assertThat(rig.secondCallOutcome(settled, committable).kind()).isEqualTo(Kind.UNKNOWN);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void transactionsWithoutRecordsNeedNoBroker(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      WriterStore writer = rig.writer();
      Committable empty = rig.prepare(writer, rig.name(0), "skip");
      assertThat(rig.outcome(empty)).isEqualTo(Kind.COMMITTED);
      assertThat(KafkaRig.look(writer, empty)).isEqualTo(Sighting.COMMITTED);

      Committable next = rig.prepare(writer, rig.name(0), "a");
      assertThat(rig.outcome(next)).isEqualTo(Kind.COMMITTED);
      assertThat(rig.committed()).containsExactly("a");
    }
  }

  @Test
  void survivesTheFeatureBeingRaisedBetweenPrepareAndCommit() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(1, Map.of());
        KafkaRig rig = new KafkaRig(kafka)) {
      WriterStore writer = rig.writer();
      Committable first = rig.prepare(writer, rig.name(0), "a");
      Committable second = rig.prepare(writer, rig.name(1), "b");
      kafka
          .admin()
          .updateFeatures(
              Map.of(
                  "transaction.version",
                  new FeatureUpdate((short) 2, FeatureUpdate.UpgradeType.UPGRADE)),
              new UpdateFeaturesOptions())
          .all()
          .get();

      assertThat(rig.outcome(first)).isEqualTo(Kind.COMMITTED);
      assertThat(rig.outcome(first)).isEqualTo(Kind.ALREADY_COMMITTED);
      writer.abort(
          writer.open(rig.prefix).stream()
              .filter(open -> open.name().equals(rig.name(1)))
              .findFirst()
              .orElseThrow());
      assertThat(rig.outcome(second)).isEqualTo(Kind.LOST);
      assertThat(KafkaRig.look(writer, first)).isEqualTo(Sighting.COMMITTED);
      Committable third = rig.prepare(writer, rig.name(0), "c");
      assertThat(rig.outcome(third)).isEqualTo(Kind.COMMITTED);
      assertThat(rig.outcome(first)).isEqualTo(Kind.ALREADY_COMMITTED);
      WriterStore later = rig.writer();
      assertThat(KafkaRig.handle(rig.prepare(later, rig.name(2), "d")).v2()).isTrue();
      later.abort(later.open(rig.prefix).get(0));
      assertThat(rig.committed()).containsExactlyInAnyOrder("a", "c");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anExpiredIdTellsNothingAndIsUsableAnew(int version) throws Exception {
    try (EmbeddedKafka kafka =
            EmbeddedKafka.start(
                version,
                Map.of(
                    "transactional.id.expiration.ms", "2000",
                    "transaction.remove.expired.transaction.cleanup.interval.ms", "500"));
        KafkaRig rig = new KafkaRig(kafka)) {
      WriterStore writer = rig.writer();
      Committable committable = rig.prepare(writer, rig.name(0), "a");
      assertThat(rig.outcome(committable)).isEqualTo(Kind.COMMITTED);
      assertThat(KafkaRig.look(writer, committable)).isEqualTo(Sighting.COMMITTED);
      rig.awaitState(rig.name(0), State.ABSENT);

      assertThat(rig.outcome(committable)).isEqualTo(Kind.UNKNOWN);
      Committable next = rig.prepare(writer, rig.name(0), "b");
      assertThat(rig.outcome(next)).isEqualTo(Kind.COMMITTED);
      assertThat(rig.committed()).containsExactlyInAnyOrder("a", "b");
    }
  }

  @Test
  void recognisesACommitAcrossARollOverOfTheProducerId() throws Exception {
    try (KafkaRig rig = rig(2)) {
      short last = Short.MAX_VALUE - 1;
      rig.stranger(rig.name(0).toString()).close();
      rig.kafka.moveToEpoch(rig.name(0).toString(), (short) (last - 1));
      WriterStore writer = rig.writer();
      Committable committable = rig.prepare(writer, rig.name(0), "a");
      KafkaHandle handle = KafkaRig.handle(committable);
      assertThat(handle.epoch()).isEqualTo(last);

      rig.end(committable, true, true);
      TransactionDescription rolled = rig.describe(rig.name(0));
      assertThat(rolled.producerId()).isNotEqualTo(handle.producerId());
      assertThat(rolled.epoch()).isZero();
      assertThat(rig.outcome(committable)).isEqualTo(Kind.ALREADY_COMMITTED);
      Committable settled = rig.prepare(writer, rig.name(1), "s");
      assertThat(rig.secondCallOutcome(settled, committable).kind()).isEqualTo(Kind.COMMITTED);

      assertThat(KafkaRig.look(writer, committable)).isEqualTo(Sighting.COMMITTED);
      Committable next = rig.prepare(writer, rig.name(0), "b");
      assertThat(KafkaRig.handle(next).producerId()).isEqualTo(rolled.producerId());
      assertThat(rig.outcome(committable)).isEqualTo(Kind.ALREADY_COMMITTED);
      assertThat(rig.outcome(next)).isEqualTo(Kind.COMMITTED);
      assertThat(rig.outcome(committable)).isEqualTo(Kind.ALREADY_COMMITTED);
      assertThat(rig.committed()).containsExactlyInAnyOrder("a", "b", "s");
    }
  }

  @Test
  void recognisesALossAtTheLastEpoch() throws Exception {
    try (KafkaRig rig = rig(2)) {
      short last = Short.MAX_VALUE - 1;
      rig.stranger(rig.name(0).toString()).close();
      rig.kafka.moveToEpoch(rig.name(0).toString(), (short) (last - 1));
      Committable committable = rig.prepare(rig.writer(), rig.name(0), "a");
      assertThat(KafkaRig.handle(committable).epoch()).isEqualTo(last);
      WriterStore successor = rig.writer();
      successor.abort(successor.open(rig.prefix).get(0));

      assertThat(rig.outcome(committable)).isEqualTo(Kind.LOST);
    }
  }
}
