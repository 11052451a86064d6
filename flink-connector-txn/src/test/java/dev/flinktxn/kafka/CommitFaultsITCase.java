// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.fixture.BrokerProcess;
import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.KafkaFaults;
import dev.flinktxn.fixture.KafkaRequest;
import dev.flinktxn.fixture.KeepLogsOnFailure;
import dev.flinktxn.fixture.RelayFault;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.TcpRelay;
import dev.flinktxn.kafka.TransactionDescription.State;
import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.Outcome;
import dev.flinktxn.protocol.Outcome.Kind;
import dev.flinktxn.protocol.Sighting;
import dev.flinktxn.protocol.WriterStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Commits on a broker that is slow, away, or whose answers are lost; and what requests it costs.
 */
final class CommitFaultsITCase {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

  private static final RunDirectory RUN = RunDirectory.create("commit-faults");

  @RegisterExtension
  static final KeepLogsOnFailure KEEP_LOGS_ON_FAILURE = new KeepLogsOnFailure(RUN);

  private static final KafkaFaults FAULTS = new KafkaFaults();
  private static TcpRelay relay;
  private static BrokerProcess broker;
  private static Admin admin;
  private KafkaRig rig;

  @BeforeAll
  static void start() throws IOException {
    relay = TcpRelay.open(FAULTS);
    broker =
        BrokerProcess.start(
            RUN,
            Distribution.locate(),
            BrokerSettings.usual()
                .with("broker.session.timeout.ms", "3000")
                .with("broker.heartbeat.interval.ms", "500")
                .behind(relay));
    relay.forwardTo(broker.relayTarget());
    admin =
        Admin.create(
            Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "client.id",
                EmbeddedKafka.ADMIN_CLIENT_ID));
  }

  @AfterAll
  static void stop() {
    admin.close();
    broker.close();
    relay.close();
    RUN.close();
  }

  @BeforeEach
  void open() {
    rig = new KafkaRig(broker.bootstrapServers(), admin);
    rig.properties.put("bootstrap.servers", relay.address());
    rig.properties.put("request.timeout.ms", Long.toString(REQUEST_TIMEOUT.toMillis()));
  }

  @AfterEach
  void close() throws Exception {
    FAULTS.clear();
    rig.close();
  }

  private static Outcome untilDecided(CommitterStore committer, Committable committable) {
    return Awaitility.await()
        .atMost(LIMIT)
        .until(
            () -> KafkaRig.commit(committer, committable), outcome -> outcome.kind() != Kind.RETRY);
  }

  @Test
  void recognisesACommitWhoseReplyWasLost() throws Exception {
    Committable committable = rig.prepare(rig.writer(), rig.name(0), "a");
    RelayFault cut = FAULTS.cutAfter(KafkaFaults.commitsOf(rig.prefix), 1);
    CommitterStore committer = rig.committer();

    assertThat(KafkaRig.commit(committer, committable).kind()).isEqualTo(Kind.RETRY);
    cut.awaitHits(1, LIMIT);
    assertThat(untilDecided(committer, committable).kind()).isEqualTo(Kind.ALREADY_COMMITTED);
    assertThat(rig.committed()).containsExactly("a");
  }

  @Test
  void triesAgainAfterARequestThatDidNotArrive() throws Exception {
    Committable committable = rig.prepare(rig.writer(), rig.name(0), "a");
    FAULTS.cutBefore(KafkaFaults.commitsOf(rig.prefix), 2);
    CommitterStore committer = rig.committer();

    assertThat(KafkaRig.commit(committer, committable).kind()).isEqualTo(Kind.RETRY);
    assertThat(untilDecided(committer, committable).kind()).isEqualTo(Kind.COMMITTED);
    assertThat(rig.committed()).containsExactly("a");
  }

  @Test
  void doesNotWaitForALateAnswerAndIsNotConfusedByIt() throws Exception {
    WriterStore writer = rig.writer();
    Committable first = rig.prepare(writer, rig.name(0), "a");
    Committable second = rig.prepare(writer, rig.name(1), "b");
    RelayFault hold = FAULTS.holdReply(KafkaFaults.commitsOf(rig.prefix), 1);
    CommitterStore committer = rig.committer();

    long start = System.nanoTime();
    assertThat(KafkaRig.commit(committer, first).kind()).isEqualTo(Kind.RETRY);
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(REQUEST_TIMEOUT.minusMillis(100), REQUEST_TIMEOUT.multipliedBy(2));
    hold.release();
    assertThat(untilDecided(committer, second).kind()).isEqualTo(Kind.COMMITTED);
    assertThat(untilDecided(committer, first).kind()).isEqualTo(Kind.ALREADY_COMMITTED);
    assertThat(rig.committed()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void threePendingCommitsSurviveAPausedBroker() throws Exception {
    WriterStore writer = rig.writer();
    List<Committable> pending = new ArrayList<>();
    for (int slot = 0; slot < 3; slot++) {
      pending.add(rig.prepare(writer, rig.name(slot), "row-" + slot));
    }
    CommitterStore committer = rig.committer();
    broker.pause();
    try {
      for (int i = 0; i < 3; i++) {
        assertThat(committer.commit(pending))
            .allSatisfy(outcome -> assertThat(outcome.kind()).isEqualTo(Kind.RETRY));
      }
    } finally {
      broker.resume();
    }
    for (Committable committable : pending) {
      assertThat(untilDecided(committer, committable).kind())
          .isIn(Kind.COMMITTED, Kind.ALREADY_COMMITTED);
    }
    assertThat(rig.committed()).hasSize(3);
    assertThat(writer.look(List.of(new WriterStore.Look(rig.name(0), pending.get(0).handle()))))
        .containsExactly(Sighting.COMMITTED);
    Committable next = rig.prepare(writer, rig.name(0), "next");
    assertThat(untilDecided(committer, next).kind()).isEqualTo(Kind.COMMITTED);
  }

  @Test
  void commitsAfterTheBrokerWasKilledAndStartedAgain() throws Exception {
    WriterStore writer = rig.writer();
    Committable committable = rig.prepare(writer, rig.name(0), "a");
    CommitterStore committer = rig.committer();
    assertThat(rig.outcome(rig.prepare(writer, rig.name(1), "b"))).isEqualTo(Kind.COMMITTED);
    // A broker killed before it has written the markers of a commit may never write them.
    rig.awaitState(rig.name(1), State.COMPLETE_COMMIT);
    broker.kill();
    try {
      assertThat(KafkaRig.commit(committer, committable).kind()).isEqualTo(Kind.RETRY);
    } finally {
      broker.start();
    }
    assertThat(untilDecided(committer, committable).kind()).isEqualTo(Kind.COMMITTED);
    assertThat(KafkaRig.look(writer, committable)).isEqualTo(Sighting.COMMITTED);
    Committable next = rig.prepare(writer, rig.name(0), "c");
    assertThat(untilDecided(committer, next).kind()).isEqualTo(Kind.COMMITTED);
    assertThat(rig.committed()).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void anInterruptEndsTheWaitForAnAnswer() throws Exception {
    Committable committable = rig.prepare(rig.writer(), rig.name(0), "a");
    rig.properties.put("request.timeout.ms", "60000");
    CommitterStore committer = rig.committer();
    RelayFault hold = FAULTS.hold(KafkaFaults.commitsOf(rig.prefix), 1);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread task =
        new Thread(
            () -> {
              try {
                KafkaRig.commit(committer, committable);
              } catch (Throwable e) {
                thrown.set(e);
              }
            });
    task.start();
    hold.awaitHits(1, LIMIT);
    task.interrupt();
    task.join(LIMIT.toMillis());
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    hold.discard();
    assertThat(rig.outcome(committable)).isEqualTo(Kind.COMMITTED);
  }

  @Test
  void theWriterWaitsForABrokerThatIsAwayAndGivesUpInTime() throws Exception {
    WriterStore writer = rig.writer();
    rig.properties.put("delivery.timeout.ms", "4000");
    WriterStore impatient = rig.writer();
    broker.pause();
    try {
      assertThatThrownBy(() -> impatient.open(rig.prefix))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("do not answer");
    } finally {
      broker.resume();
    }
    assertThat(writer.open(rig.prefix)).isEmpty();
  }

  @Test
  void aCheckpointCostsOneLookAndOneCommit() throws Exception {
    WriterStore writer = rig.writer();
    CommitterStore committer = rig.committer();
    Committable[] last = new Committable[3];
    for (int slot = 0; slot < 3; slot++) {
      last[slot] = rig.prepare(writer, rig.name(slot), "first");
      assertThat(KafkaRig.commit(committer, last[slot]).kind()).isEqualTo(Kind.COMMITTED);
    }
    int initialised = FAULTS.count(KafkaRequest.INIT_PRODUCER_ID);
    int ended = FAULTS.count(KafkaRequest.END_TXN);
    int described = FAULTS.count(KafkaRequest.DESCRIBE_TRANSACTIONS);
    int searched = FAULTS.count(KafkaRequest.FIND_COORDINATOR);
    int listed = FAULTS.count(KafkaRequest.LIST_TRANSACTIONS);
    int cycles = 30;
    for (int cycle = 0; cycle < cycles; cycle++) {
      int slot = cycle % 3;
      if (cycle < 3) {
        assertThat(KafkaRig.look(writer, last[slot])).isEqualTo(Sighting.COMMITTED);
      }
      last[slot] = rig.prepare(writer, rig.name(slot), List.of(last[(slot + 1) % 3]), "x");
      assertThat(KafkaRig.commit(committer, last[slot]).kind()).isEqualTo(Kind.COMMITTED);
    }
    assertThat(FAULTS.count(KafkaRequest.INIT_PRODUCER_ID)).isEqualTo(initialised);
    assertThat(FAULTS.count(KafkaRequest.FIND_COORDINATOR)).isEqualTo(searched);
    assertThat(FAULTS.count(KafkaRequest.LIST_TRANSACTIONS)).isEqualTo(listed);
    assertThat(FAULTS.count(KafkaRequest.END_TXN) - ended).isEqualTo(cycles);
    assertThat(FAULTS.count(KafkaRequest.DESCRIBE_TRANSACTIONS) - described).isEqualTo(cycles + 3);
  }
}
