// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static dev.flinktxn.scenario.ProcessLab.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.KafkaFaults;
import dev.flinktxn.fixture.KafkaRequest;
import dev.flinktxn.fixture.RelayFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** K9, K12, and transactions that time out before or after their checkpoint completes. */
class LostTransactionProcessITCase {

  @RegisterExtension static final ProcessLab LAB = ProcessLab.withSlots(1);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> FIRST =
      List.of(row(1, "ant", 10), row(2, "bee", 20), row(3, "cat", 30));
  private static final List<String> SECOND = List.of(row(4, "dog", 40), row(5, "eel", 50));
  private static final List<String> ALL = Stream.of(FIRST, SECOND).flatMap(List::stream).toList();

  private static ProcessBroker forgetful;
  private static ProcessBroker impatient;
  private static ProcessBroker patient;

  @BeforeAll
  static void startBrokers() {
    patient =
        LAB.broker(
            BrokerSettings.usual()
                .with("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500")
                .with("transaction.max.timeout.ms", "10000")
                .with("unstable.api.versions.enable", "true")
                .with("transaction.two.phase.commit.enable", "true"));
    forgetful =
        LAB.broker(
            BrokerSettings.usual()
                .with("transactional.id.expiration.ms", "5000")
                .with("transaction.remove.expired.transaction.cleanup.interval.ms", "500"));
    impatient =
        LAB.broker(
            BrokerSettings.usual()
                .with("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500"));
  }

  @Test
  void goesOnAfterTheBrokerHasForgottenItsIdleIds() throws Exception {
    Drip drip = LAB.drip();
    ProcessJob job = LAB.insertInto(forgetful, "idle", 1).from(drip).start();
    List<String> expected = new ArrayList<>();
    // Enough rounds on either side for the ids to be used again.
    for (int id = 1; id <= 8; id++) {
      if (id == 5) {
        awaitForgotten(job);
      }
      expected.add(row(id, "n", 1));
      drip.drop(List.of(row(id, "n", 1)));
      forgetful.awaitWritten(job.topic(), id, LIMIT);
      job.checkpoint();
      job.awaitCommitted(expected);
    }
    assertThat(job.restarts()).isZero();
  }

  @Test
  void endsTheJobWhoseCommittedIdTheBrokerHasForgottenAndLetsTheUserGoOn() throws Exception {
    Drip drip = LAB.drip();
    ProcessInsert insert =
        LAB.insertInto(forgetful, "expired", 1)
            .set("restart-strategy.type", "exponential-delay")
            .from(drip);
    ProcessJob stopped = insert.start();
    drip.drop(FIRST);
    forgetful.awaitWritten(stopped.topic(), FIRST.size(), LIMIT);
    stopped.checkpoint();
    stopped.awaitCommitted(FIRST);
    String id = onlyId(stopped);
    stopped.cancel();
    awaitForgotten(stopped);

    ProcessJob restored = insert.restoring(stopped.checkpointPath()).submit();
    restored.awaitState("FAILED", LIMIT);
    assertThat(restored.newestException())
        .get()
        .asString()
        .contains("UNKNOWN", id, "'" + restored.topic() + "'", "first checkpoint")
        .contains("the broker does not know the transactional id (never used, or expired)")
        .contains("sink.on-lost-transaction = 'continue'");
    assertThat(restored.restarts()).isZero();

    ProcessJob goesOn = insert.sinkOption("sink.on-lost-transaction", "continue").start();
    goesOn.awaitMetric("lostTransactions", 1);
    drip.drop(SECOND);
    forgetful.awaitWritten(goesOn.topic(), ALL.size(), LIMIT);
    goesOn.checkpoint();
    goesOn.awaitCommitted(ALL);
    assertThat(goesOn.restarts()).isZero();
  }

  @Test
  void endsTheJobWhoseTransactionTimedOutBetweenCheckpointAndRestore() throws Exception {
    Drip drip = LAB.drip();
    ProcessInsert insert = impatientInsert("late", drip);
    ProcessJob job = insert.start();
    RelayFault held = impatient.faults().hold(KafkaFaults.commitsOf(job.prefix() + "~"), 1);
    drip.drop(FIRST);
    held.awaitHits(1, LIMIT);
    String id = onlyId(job);
    LAB.killTaskManager();
    awaitAborted(job, id);
    held.discard();
    LAB.cluster().startTaskManager();

    job.awaitState("FAILED", LIMIT);
    assertThat(job.newestException())
        .get()
        .asString()
        .contains("is LOST", id, "'" + job.topic() + "'", "CompleteAbort")
        .containsPattern("of the (first checkpoint|checkpoint after \\d+)")
        .containsPattern("[\\d,]+ ms before this commit; its timeout is 10,000 ms")
        .contains("SuppressRestartsException");
    assertThat(job.restarts()).as("for the loss of the TaskManager").isEqualTo(1);
    assertThat(job.committed()).isEmpty();

    ProcessJob goesOn =
        insert
            .sinkOption("sink.on-lost-transaction", "continue")
            .restoring(job.checkpointPath())
            .start();
    goesOn.awaitMetric("lostTransactions", 1);
    drip.drop(SECOND);
    goesOn.awaitCommitted(SECOND);
  }

  /** K9. */
  @Test
  void commitsATransactionThatNeverExpiresHoweverLateTheJobComesBack() throws Exception {
    Drip drip = LAB.drip();
    ProcessInsert insert =
        LAB.insertInto(patient, "endless", 1)
            .set("restart-strategy.type", "exponential-delay")
            .checkpointEvery(Duration.ofSeconds(2))
            .sinkOption("properties.transaction.two.phase.commit.enable", "true")
            .from(drip);
    ProcessJob job = insert.start();
    RelayFault held = patient.faults().hold(KafkaFaults.commitsOf(job.prefix() + "~"), 1);
    drip.drop(FIRST);
    held.awaitHits(1, LIMIT);
    LAB.killTaskManager();
    String other = job.topic() + "-other";
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            patient.process().bootstrapServers(),
            "transactional.id",
            other,
            "transaction.timeout.ms",
            10_000);
    try (var producer =
        new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(job.topic(), row(0, "other", 0)));
      producer.flush();
      awaitAborted(job, other);
    }
    held.discard();
    LAB.cluster().startTaskManager();

    job.awaitCommitted(FIRST);
    drip.drop(SECOND);
    job.awaitCommitted(ALL);
    assertThat(job.restarts()).as("for the loss of the TaskManager").isEqualTo(1);
  }

  @Test
  void writesAgainWhatTimedOutBeforeItsCheckpointCompleted() throws Exception {
    Drip drip = LAB.drip();
    ProcessJob job = impatientInsert("early", drip).start();
    LAB.cluster().awaitCheckpoints(job.id(), 1, LIMIT);
    RelayFault looks =
        impatient
            .faults()
            .hold(
                request -> request.apiKey() == KafkaRequest.DESCRIBE_TRANSACTIONS,
                Integer.MAX_VALUE);
    drip.drop(FIRST);
    looks.awaitHits(1, LIMIT);
    awaitAborted(job, onlyId(job));
    assertThat(job.committed()).isEmpty();
    looks.release();

    job.awaitRestored(1);
    job.awaitCommitted(FIRST);
    drip.drop(SECOND);
    job.awaitCommitted(ALL);
    assertThat(job.restarts()).isEqualTo(1);
    assertThat(job.newestException()).get().asString().contains("is ABORTED", job.prefix() + "~");
  }

  /** Checkpoints often enough for transactions that live for ten seconds. */
  private static ProcessInsert impatientInsert(String name, Drip drip) {
    return LAB.insertInto(impatient, name, 1)
        .set("restart-strategy.type", "exponential-delay")
        .checkpointEvery(Duration.ofSeconds(2))
        .sinkOption("sink.transaction-timeout", "10 s")
        .from(drip);
  }

  private static String onlyId(ProcessJob job) {
    assertThat(job.broker().probe().transactions(job.prefix() + "~")).hasSize(1);
    return job.broker().probe().transactions(job.prefix() + "~").keySet().iterator().next();
  }

  private static void awaitForgotten(ProcessJob job) {
    Await.until(
        "the broker has forgotten the ids of " + job.prefix(),
        LIMIT,
        () -> job.broker().probe().transactions(job.prefix() + "~").isEmpty());
  }

  private static void awaitAborted(ProcessJob job, String id) {
    Await.until(
        id + " is aborted",
        LIMIT,
        () -> job.broker().probe().transactions(id).get(id) == TransactionState.COMPLETE_ABORT);
  }
}
