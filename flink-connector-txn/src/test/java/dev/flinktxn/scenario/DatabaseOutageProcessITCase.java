// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static dev.flinktxn.scenario.ProcessLab.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.Fault;
import dev.flinktxn.fixture.PostgresProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A11 for PostgreSQL: the server is away while the rows of one job are staged and those of others
 * are committed.
 */
@Tag("full")
class DatabaseOutageProcessITCase {

  @RegisterExtension static final ProcessLab LAB = ProcessLab.withSlots(3);

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final Duration OUTAGE = Duration.ofSeconds(30);
  private static final int ROWS = 1_500;
  private static final int ROWS_PER_SECOND = 50;
  private static final List<String> FIRST =
      List.of(row(1, "ant", 10), row(2, "bee", 20), row(3, "cat", 30));
  private static final List<String> SECOND = List.of(row(4, "dog", 40), row(5, "eel", 50));
  private static final List<String> ALL = Stream.of(FIRST, SECOND).flatMap(List::stream).toList();

  private static final Function<PostgresTables, Fault> COMMIT = target -> target.holdCommits(1);
  private static final Function<PostgresTables, Fault> REPLY =
      target -> target.holdCommitReplies(1);

  /** A job that waits for the answer to its commit of the first rows. */
  private record Committing(ProcessJob job, Drip drip, Fault held) {

    static Committing start(TargetKind kind, Function<PostgresTables, Fault> fault)
        throws Exception {
      ProcessTable table = LAB.table(kind, "commit");
      Drip drip = LAB.drip();
      ProcessJob job = LAB.insertInto(table).from(drip).start();
      Fault held = fault.apply(table.target());
      drip.drop(FIRST);
      job.awaitMetric("numRecordsSend", FIRST.size());
      job.checkpoint();
      held.awaitHits(1, LIMIT);
      return new Committing(job, drip, held);
    }

    void assertGoesOn() throws Exception {
      job.awaitCommitted(FIRST);
      drip.drop(SECOND);
      job.awaitMetric("numRecordsSend", ALL.size());
      job.checkpoint();
      job.awaitCommitted(ALL);
      assertThat(job.restarts()).isZero();
    }
  }

  /** A job that has committed some rows and has more of them in a staging table. */
  private static ProcessJob staging() {
    ProcessTable table = LAB.table(TargetKind.PG_STAGED, "staging");
    ProcessJob job = LAB.insertInto(table).fromSequence(ROWS, ROWS_PER_SECOND).start();
    awaitStaged(table);
    job.checkpoint();
    Await.until("the first commit", LIMIT, () -> !job.committed().isEmpty());
    awaitStaged(table);
    return job;
  }

  private static void awaitStaged(ProcessTable table) {
    Await.until("staged rows", LIMIT, () -> !table.target().open(table.prefix()).isEmpty());
  }

  /** SIGSTOP, then SIGCONT: connections stay, nothing is answered. */
  @Test
  void aServerThatDoesNotAnswerDelaysTheCheckpointAndTheCommitsAndNothingElse() throws Exception {
    final Committing inline = Committing.start(TargetKind.PG_INLINE, COMMIT);
    final Committing staged = Committing.start(TargetKind.PG_STAGED, COMMIT);
    final ProcessJob staging = staging();
    PostgresProcess server = LAB.postgres().process();

    assertThat(inline.job().committed()).isEmpty();
    assertThat(staged.job().committed()).isEmpty();
    server.pause();
    inline.held().release();
    staged.held().release();
    CompletableFuture<Void> checkpoint = CompletableFuture.runAsync(staging::checkpoint);
    ProcessLab.assertRunUndisturbed(OUTAGE, inline.job(), staged.job(), staging);
    assertThat(checkpoint).isNotDone();
    server.resume();

    assertThat(checkpoint).succeedsWithin(LIMIT);
    inline.assertGoesOn();
    staged.assertGoesOn();
    staging.awaitState("FINISHED", LIMIT);
    staging.awaitCommitted(ProcessLab.sequence(ROWS));
    assertThat(staging.restarts()).isZero();
  }

  /**
   * An immediate stop: connections break, later ones are refused. The job whose rows were on their
   * way to a staging table has to read them again; restored, it waits in its committer like the
   * others.
   */
  @Test
  void aServerThatCrashesRestartsTheJobThatStagesOnceAndNothingElse() throws Exception {
    final Committing inline = Committing.start(TargetKind.PG_INLINE, COMMIT);
    final Committing staged = Committing.start(TargetKind.PG_STAGED, REPLY);
    final ProcessJob staging = staging();
    PostgresProcess server = LAB.postgres().process();

    assertThat(inline.job().committed()).isEmpty();
    assertThat(staged.job().committed()).hasSize(FIRST.size());
    server.stopImmediately();
    inline.held().discard();
    staged.held().discard();
    CompletableFuture<Void> checkpoint = CompletableFuture.runAsync(staging::checkpoint);
    ProcessLab.assertRunUndisturbed(OUTAGE, inline.job(), staged.job());
    assertThat(checkpoint).failsWithin(LIMIT);
    server.restart();

    inline.assertGoesOn();
    staged.assertGoesOn();
    staged.job().awaitMetric("alreadyCommitted", 1);
    staging.awaitState("FINISHED", LIMIT);
    staging.awaitCommitted(ProcessLab.sequence(ROWS));
    assertThat(staging.restarts()).isEqualTo(1);
  }
}
