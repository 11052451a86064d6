// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.OpenTransaction;
import dev.flinktxn.protocol.Outcome;
import dev.flinktxn.protocol.RefusedException;
import dev.flinktxn.protocol.Sighting;
import dev.flinktxn.protocol.Transaction;
import dev.flinktxn.protocol.WriterStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** K9: transactions that no timeout ends (KIP-939), on a broker that allows none for long. */
final class EndlessTransactionsITCase {

  private static final Map<String, String> OFFERED =
      Map.of("unstable.api.versions.enable", "true", "transaction.max.timeout.ms", "5000");

  private static Map<String, String> allowed() {
    Map<String, String> settings = new HashMap<>(OFFERED);
    settings.put("transaction.two.phase.commit.enable", "true");
    return settings;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void areCommittedWhenOthersHaveLongTimedOut(int transactionVersion) throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(transactionVersion, allowed());
        KafkaRig endless = new KafkaRig(kafka)) {
      KafkaRig mortal = endless.sibling("mortal");
      endless.endless = true;
      WriterStore writer = endless.writer();
      assertThat(writer.transactionTimeout()).isEmpty();
      Committable first = endless.prepare(writer, endless.name(0), "first");
      Committable second = endless.prepare(writer, endless.name(1), "second");
      Transaction open = writer.begin(endless.name(2));
      open.write(KafkaRig.row("third"));
      open.flush();

      awaitTimeout(mortal, 0);
      assertThat(endless.outcome(first)).isEqualTo(Outcome.Kind.COMMITTED);
      assertThat(endless.outcome(first)).isEqualTo(Outcome.Kind.ALREADY_COMMITTED);
      // The next transaction of the same id does not expire either.
      assertThat(KafkaRig.look(writer, first)).isEqualTo(Sighting.COMMITTED);
      Committable again = endless.prepare(writer, endless.name(0), "first again");
      assertThat(endless.outcome(second)).isEqualTo(Outcome.Kind.COMMITTED);
      awaitTimeout(mortal, 1);
      assertThat(endless.outcome(again)).isEqualTo(Outcome.Kind.COMMITTED);

      List<OpenTransaction> orphans = endless.writer().open(endless.prefix);
      assertThat(orphans).extracting(OpenTransaction::name).containsExactly(endless.name(2));
      endless.writer().abort(orphans.get(0));
      assertThat(endless.describe(endless.name(2)).state())
          .isEqualTo(TransactionDescription.State.COMPLETE_ABORT);
      assertThat(endless.committed()).containsExactlyInAnyOrder("first", "second", "first again");
    }
  }

  /** Returns when a transaction that began after all others before has timed out. */
  private static void awaitTimeout(KafkaRig rig, int slot) throws Exception {
    Committable timed = rig.prepare(rig.writer(), rig.name(slot), "timed");
    rig.awaitState(rig.name(slot), TransactionDescription.State.COMPLETE_ABORT);
    assertThat(rig.outcome(timed)).isEqualTo(Outcome.Kind.LOST);
  }

  @Test
  void areRefusedByABrokerThatDoesNotAllowThem() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(2, OFFERED);
        KafkaRig rig = new KafkaRig(kafka)) {
      rig.endless = true;
      assertThatThrownBy(rig::writer)
          .isInstanceOf(RefusedException.class)
          .hasMessageStartingWith(
              "Table t: option 'properties.transaction.two.phase.commit.enable'")
          .hasMessageContaining("set transaction.two.phase.commit.enable = true on every broker");
    }
  }

  @Test
  void areRefusedByABrokerThatDoesNotOfferThem() throws Exception {
    try (EmbeddedKafka kafka =
            EmbeddedKafka.start(2, Map.of("unstable.api.versions.enable", "false"));
        KafkaRig rig = new KafkaRig(kafka)) {
      rig.endless = true;
      assertThatThrownBy(rig::writer)
          .isInstanceOf(RefusedException.class)
          .hasMessageStartingWith(
              "Table t: option 'properties.transaction.two.phase.commit.enable'")
          .hasMessageContainingAll("do not offer", "KIP-939");
    }
  }
}
