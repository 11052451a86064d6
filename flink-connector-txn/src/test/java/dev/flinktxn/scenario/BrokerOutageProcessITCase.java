// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static dev.flinktxn.scenario.ProcessLab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.flinktxn.fixture.BrokerProcess;
import dev.flinktxn.fixture.KafkaFaults;
import dev.flinktxn.fixture.RelayFault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A11 and K5: the broker is away while rows are prepared or committed. */
class BrokerOutageProcessITCase {

  @RegisterExtension static final ProcessLab LAB = ProcessLab.withSlots(3);

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final Duration OUTAGE = Duration.ofSeconds(30);
  private static final int ROWS = 1_500;
  private static final int ROWS_PER_SECOND = 100;

  /** How a broker is away. */
  enum Absence {
    /** SIGSTOP, then SIGCONT: connections stay, nothing is answered. */
    PAUSED {
      @Override
      void begin(BrokerProcess broker) {
        broker.pause();
      }

      @Override
      void end(BrokerProcess broker) {
        broker.resume();
      }
    },
    /** SIGKILL, then started again: connections break, later ones are refused. */
    KILLED {
      @Override
      void begin(BrokerProcess broker) {
        broker.kill();
      }

      @Override
      void end(BrokerProcess broker) {
        broker.start();
      }
    };

    abstract void begin(BrokerProcess broker);

    abstract void end(BrokerProcess broker);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource
  void anOutageDuringPrepareDelaysTheCheckpointAndNothingElse(Absence absence) {
    ProcessBroker broker = LAB.broker();
    ProcessJob job = flow(broker, "prepare");

    absence.begin(broker.process());
    CompletableFuture<Void> checkpoint = CompletableFuture.runAsync(job::checkpoint);
    ProcessLab.assertRunUndisturbed(OUTAGE, job);
    assertThat(checkpoint).isNotDone();
    absence.end(broker.process());

    assertThat(checkpoint).succeedsWithin(LIMIT);
    job.awaitState("FINISHED", LIMIT);
    job.awaitCommitted(ProcessLab.sequence(ROWS));
    assertThat(job.restarts()).isZero();
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource
  void anOutageDuringCommitDelaysTheCommitAndNothingElse(Absence absence) {
    ProcessBroker broker = LAB.broker();
    ProcessJob job = flow(broker, "commit");
    final int before = job.committed().size();

    RelayFault held = broker.faults().hold(KafkaFaults.commitsOf(job.prefix() + "~"), 1);
    job.checkpoint();
    held.awaitHits(1, LIMIT);
    absence.begin(broker.process());
    held.release();
    ProcessLab.assertRunUndisturbed(OUTAGE, job);
    absence.end(broker.process());

    await().atMost(LIMIT).until(() -> job.committed().size() > before);
    job.awaitState("FINISHED", LIMIT);
    job.awaitCommitted(ProcessLab.sequence(ROWS));
    assertThat(job.restarts()).isZero();
  }

  @Test
  void aCommitThatOutlastsTheProducersPatienceNeedsNoFailover() throws Exception {
    ProcessBroker broker = LAB.broker();
    Drip drip = LAB.drip();
    ProcessJob job =
        LAB.insertInto(broker, "patience", 1)
            .from(drip)
            .sinkOption("properties.max.block.ms", "5000")
            .start();
    RelayFault held = broker.faults().hold(KafkaFaults.commitsOf(job.prefix() + "~"), 1);
    List<String> first = List.of(row(1, "ant", 10), row(2, "bee", 20));
    drip.drop(first);
    broker.awaitWritten(job.topic(), first.size(), LIMIT);
    job.checkpoint();
    held.awaitHits(1, LIMIT);

    broker.process().pause();
    held.release();
    ProcessLab.assertRunUndisturbed(Duration.ofSeconds(12), job);
    broker.process().resume();

    job.awaitCommitted(first);
    drip.drop(List.of(row(3, "cat", 30)));
    broker.awaitWritten(job.topic(), 3, LIMIT);
    job.checkpoint();
    job.awaitCommitted(List.of(first.get(0), first.get(1), row(3, "cat", 30)));
    assertThat(job.restarts()).isZero();
  }

  @Test
  void threeCommitsPendingAtARestoreAllFinishOnceTheBrokerAnswers() throws Exception {
    ProcessBroker broker = LAB.broker();
    Drip drip = LAB.drip();
    ProcessInsert insert =
        LAB.insertInto(broker, "pending", 1)
            .from(drip)
            .sinkOption("properties.max.block.ms", "5000");
    List<String> rows = ProcessLab.sequence(30);
    ProcessJob three = insert.parallelism(3).start();
    RelayFault held = broker.faults().hold(KafkaFaults.commitsOf(three.prefix() + "~"), 3);
    drip.dropOneByOne(rows);
    broker.awaitWritten(three.topic(), rows.size(), LIMIT);
    three.checkpoint();
    held.awaitHits(3, LIMIT);
    three.cancel();
    held.discard();
    assertThat(broker.unfinished(three.prefix())).hasSize(3);
    assertThat(three.committed()).isEmpty();

    broker.process().pause();
    ProcessJob one = insert.parallelism(1).restoring(three.checkpointPath()).submit();
    ProcessLab.assertRunUndisturbed(Duration.ofSeconds(12), one);
    broker.process().resume();

    one.awaitCommitted(rows);
    LAB.cluster().awaitRunning(one.id(), LIMIT);
    drip.drop(List.of(row(31, "n", 1)));
    broker.awaitWritten(one.topic(), 31, LIMIT);
    one.checkpoint();
    one.awaitCommitted(ProcessLab.sequence(31));
    assertThat(one.restarts()).isZero();
  }

  /**
   * A job that has committed some rows and has more of them in an open transaction: a checkpoint
   * without rows asks nothing of the broker.
   */
  private static ProcessJob flow(ProcessBroker broker, String name) {
    ProcessJob job = LAB.insertInto(broker, name, 1).fromSequence(ROWS, ROWS_PER_SECOND).start();
    broker.awaitWritten(job.topic(), ROWS_PER_SECOND, LIMIT);
    job.checkpoint();
    await().atMost(LIMIT).until(() -> !job.committed().isEmpty());
    broker.awaitWritten(job.topic(), job.committed().size() + 1, LIMIT);
    return job;
  }
}
