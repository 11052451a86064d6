// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.kafka.TransactionDescription.State;
import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.OpenTransaction;
import dev.flinktxn.protocol.Outcome.Kind;
import dev.flinktxn.protocol.RefusedException;
import dev.flinktxn.protocol.RowTarget;
import dev.flinktxn.protocol.Sighting;
import dev.flinktxn.protocol.Transaction;
import dev.flinktxn.protocol.TransactionName;
import dev.flinktxn.protocol.WriterStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of a writer's transactions on a real broker. */
final class KafkaWriterStoreITCase {

  private static final int CYCLES = 20;

  private static KafkaRig rig(int transactionVersion) {
    return new KafkaRig(EmbeddedKafka.shared(transactionVersion));
  }

  private static KafkaRig rig(int transactionVersion, String prefix) {
    return new KafkaRig(EmbeddedKafka.shared(transactionVersion), prefix);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void threeNamesCarryTwentyCheckpointsAndAreInitialisedNoMoreThanNeeded(int version)
      throws Exception {
    try (KafkaRig rig = rig(version)) {
      WriterStore writer = rig.writer();
      CommitterStore committer = rig.committer();
      List<String> written = new ArrayList<>();
      Committable[] last = new Committable[3];
      for (int cycle = 0; cycle < CYCLES; cycle++) {
        int slot = cycle % 3;
        if (last[slot] != null) {
          assertThat(KafkaRig.look(writer, last[slot])).isEqualTo(Sighting.COMMITTED);
        }
        String text = "row-" + cycle;
        written.add(text);
        Committable prepared = rig.prepare(writer, rig.name(slot), text);
        if (last[slot] != null) {
          KafkaHandle before = KafkaRig.handle(last[slot]);
          KafkaHandle now = KafkaRig.handle(prepared);
          // v2: the epoch the commit left, so nothing was initialised. v1: one initialisation.
          assertThat(now.producerId()).isEqualTo(before.producerId());
          assertThat(now.epoch()).isEqualTo((short) (before.epoch() + 1));
        }
        assertThat(KafkaRig.look(writer, prepared)).isEqualTo(Sighting.OPEN);
        assertThat(KafkaRig.commit(committer, prepared).kind()).isEqualTo(Kind.COMMITTED);
        last[slot] = prepared;
      }
      assertThat(rig.committed()).containsExactlyInAnyOrderElementsOf(written);
      assertThat(idsUnder(rig)).hasSize(3);
    }
  }

  @Test
  void anIdThatWasIdleForLongIsInitialisedHoweverLateItsCommitIsSeen() throws Exception {
    Duration expiration = Duration.ofSeconds(2);
    try (EmbeddedKafka kafka =
            EmbeddedKafka.start(
                2, Map.of("transactional.id.expiration.ms", "" + expiration.toMillis()));
        KafkaRig rig = new KafkaRig(kafka)) {
      WriterStore writer = rig.writer();
      Committable first = rig.prepare(writer, rig.name(0), "a");
      assertThat(rig.outcome(first)).isEqualTo(Kind.COMMITTED);
      Awaitility.await().pollDelay(expiration.dividedBy(2)).until(() -> true);
      assertThat(KafkaRig.look(writer, first)).isEqualTo(Sighting.COMMITTED);

      Committable second = rig.prepare(writer, rig.name(0), "b");

      // The commit raised the epoch by one, the initialisation by another.
      assertThat(KafkaRig.handle(second).epoch() - KafkaRig.handle(first).epoch()).isEqualTo(2);
      assertThat(rig.outcome(second)).isEqualTo(Kind.COMMITTED);
      assertThat(rig.committed()).containsExactlyInAnyOrder("a", "b");
    }
  }

  private static List<String> idsUnder(KafkaRig rig) throws Exception {
    return rig.kafka.admin().listTransactions().all().get().stream()
        .map(TransactionListing::transactionalId)
        .filter(id -> id.startsWith(rig.prefix + TransactionName.SEPARATOR))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void severalPreparedTransactionsWaitForOneCommit(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      WriterStore writer = rig.writer();
      List<Committable> prepared = new ArrayList<>();
      for (int slot = 0; slot < 12; slot++) {
        prepared.add(rig.prepare(writer, rig.name(slot), "row-" + slot));
      }
      writer.close();

      assertThat(rig.committer().commit(prepared))
          .allSatisfy(outcome -> assertThat(outcome.kind()).isEqualTo(Kind.COMMITTED));
      assertThat(rig.committed()).hasSize(12);
      assertThat(rig.committer().commit(prepared))
          .allSatisfy(outcome -> assertThat(outcome.kind()).isEqualTo(Kind.ALREADY_COMMITTED));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void closingTheStoreLeavesPreparedTransactionsAlone(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      WriterStore writer = rig.writer();
      Committable committable = rig.prepare(writer, rig.name(0), "a");
      writer.close();
      writer.close();

      assertThat(rig.describe(rig.name(0)).state()).isEqualTo(State.ONGOING);
      assertThat(rig.outcome(committable)).isEqualTo(Kind.COMMITTED);
      assertThat(rig.committed()).containsExactly("a");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void abortsExactlyWhatItWasGiven(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      WriterStore writer = rig.writer();
      Committable first = rig.prepare(writer, rig.name(0), "a");
      WriterStore successor = rig.writer();
      OpenTransaction seen = successor.open(rig.prefix).get(0);
      rig.end(first, true, version == 2);
      assertThat(KafkaRig.look(writer, first)).isEqualTo(Sighting.COMMITTED);
      Committable second = rig.prepare(writer, rig.name(0), "b");

      successor.abort(seen);

      assertThat(rig.describe(rig.name(0)).state()).isEqualTo(State.ONGOING);
      assertThat(rig.outcome(second)).isEqualTo(Kind.COMMITTED);
      successor.abort(seen);
      assertThat(rig.describe(rig.name(0)).epoch())
          .isEqualTo((short) (KafkaRig.handle(second).epoch() + version - 1));
      assertThat(rig.outcome(first)).isEqualTo(Kind.ALREADY_COMMITTED);
      assertThat(rig.committed()).containsExactlyInAnyOrder("a", "b");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anAbortShutsTheWriterOut(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      WriterStore zombie = rig.writer();
      Transaction transaction = zombie.begin(rig.name(0));
      transaction.write(KafkaRig.row("a"));
      transaction.flush();
      WriterStore successor = rig.writer();
      successor.abort(successor.open(rig.prefix).get(0));

      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 20; i++) {
                  transaction.write(KafkaRig.row("b" + i));
                }
                transaction.flush();
              })
          .hasMessageContaining(rig.topic);
      transaction.close();
      assertThat(successor.open(rig.prefix)).isEmpty();
      assertThat(rig.committed()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void seesItsOwnOpenTransactionsAndNoOthers(int version) throws Exception {
    String prefix = "orders" + version;
    try (KafkaRig rig = rig(version, prefix)) {
      KafkaRig europe = rig.sibling(prefix + "-eu");
      KafkaRig second = rig.sibling(prefix + "2");
      KafkaRig dotted = rig.sibling(prefix.substring(0, 5) + "." + version);
      KafkaProducer<byte[], byte[]> foreign = rig.stranger(prefix + "-service-a");
      foreign.beginTransaction();
      foreign.send(new ProducerRecord<>(rig.topic, new byte[] {1})).get();
      KafkaProducer<byte[], byte[]> almost = rig.stranger(prefix + "~x");
      almost.beginTransaction();
      almost.send(new ProducerRecord<>(rig.topic, new byte[] {1})).get();
      List<Committable> theirs = new ArrayList<>();
      for (KafkaRig other : List.of(europe, second, dotted)) {
        theirs.add(other.prepare(other.writer(), other.name(0), "theirs"));
      }
      WriterStore dead = rig.writer();
      IntStream.range(0, 2).forEach(slot -> quietly(() -> rig.prepare(dead, rig.name(slot), "x")));
      dead.close();

      WriterStore writer = rig.writer();
      List<OpenTransaction> open = writer.open(prefix);
      assertThat(open)
          .extracting(OpenTransaction::name)
          .containsExactlyInAnyOrder(rig.name(0), rig.name(1));
      for (OpenTransaction orphan : open) {
        writer.abort(orphan);
      }

      assertThat(writer.open(prefix)).isEmpty();
      foreign.commitTransaction();
      almost.commitTransaction();
      assertThat(List.of(europe.outcome(theirs.get(0)), second.outcome(theirs.get(1))))
          .containsOnly(Kind.COMMITTED);
      assertThat(dotted.outcome(theirs.get(2))).isEqualTo(Kind.COMMITTED);
    }
  }

  private interface Action {
    void run() throws Exception;
  }

  private static void quietly(Action action) {
    try {
      action.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anAbandonedUnflushedTransactionLeavesNothingBehind(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      rig.properties.put("linger.ms", "60000");
      WriterStore writer = rig.writer();
      Transaction transaction = writer.begin(rig.name(0));
      transaction.write(KafkaRig.row("a"));
      transaction.close();
      transaction.close();

      assertThat(writer.open(rig.prefix)).isEmpty();
      assertThat(rig.describe(rig.name(0)).state()).isNotEqualTo(State.ONGOING);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aRecordTooLargeFailsTheFlushAndNamesTheTopic(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      rig.properties.put("max.request.size", "2000");
      WriterStore writer = rig.writer();
      Transaction transaction = writer.begin(rig.name(0));
      transaction.write(KafkaRig.row("small"));
      assertThatThrownBy(
              () -> {
                transaction.write(KafkaRig.row("x".repeat(5_000)));
                transaction.flush();
              })
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining(rig.topic)
          .hasMessageContaining("max.request.size");
      transaction.close();
      // The small one fails with it if it had not left the producer yet.
      assertThat(rig.metrics.getNumRecordsSendErrorsCounter().getCount()).isBetween(1L, 2L);
      assertThat(rig.committed()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void countsWhatItSends(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      WriterStore writer = rig.writer();
      rig.prepare(writer, rig.name(0), "abc", "skip", "de");
      assertThat(rig.metrics.getNumRecordsSendCounter().getCount()).isEqualTo(2);
      assertThat(rig.metrics.getNumBytesSendCounter().getCount()).isEqualTo(5);
      writer.abort(writer.open(rig.prefix).get(0));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void rowsWithoutTransactionsAreThereAfterAFlush(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      RowTarget rows = rig.rowTarget();
      rows.write(KafkaRig.row("a"));
      rows.write(KafkaRig.row("skip"));
      rows.write(KafkaRig.row("b"));
      rows.flush();
      assertThat(rig.committed()).containsExactlyInAnyOrder("a", "b");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anInterruptedWriterStopsAndLeavesNoThread(int version) throws Exception {
    try (KafkaRig rig = rig(version)) {
      WriterStore writer = rig.writer();
      rig.prepare(writer, rig.name(0), "a");
      Transaction transaction = writer.begin(rig.name(1));
      transaction.write(KafkaRig.row("b"));
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> writer.open(rig.prefix)).isInstanceOf(InterruptedException.class);
      Thread.currentThread().interrupt();
      transaction.close();
      writer.close();
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
