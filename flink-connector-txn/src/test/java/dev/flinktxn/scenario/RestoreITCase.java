// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.flinktxn.fixture.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.runtime.execution.ExecutionState;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A10, A16, A17 and A19: restores that are not simply the next run of the same job. */
@ExtendWith(ScenarioExtension.class)
class RestoreITCase {

  private static final List<String> FIRST = Rows.ids(1, 5);
  private static final List<String> SECOND = Rows.ids(5, 9);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @ParameterizedTest
  @EnumSource(names = "BOTH")
  void aChangedQueryGoesOnFromASavepoint(TargetKind kind, Scenario scenario) throws Exception {
    Flow flow = scenario.on(kind).flow("changed", 2);
    flow.drop(FIRST);
    RunningJob job = flow.job().start();
    flow.awaitWritten(FIRST.size());
    String savepoint = job.stopWithSavepoint();

    goesOnWithAChangedQuery(flow, savepoint, FIRST.size());
  }

  @ParameterizedTest
  @EnumSource(names = {"BOTH", "PG_INLINE"})
  void aChangedQueryCommitsWhatTheOldOneHadPrepared(TargetKind kind, Scenario scenario)
      throws Exception {
    Flow flow = scenario.on(kind).flow("changed", 2);
    flow.drop(FIRST);
    RunningJob job = flow.job().start();
    flow.awaitWritten(FIRST.size());
    String checkpoint = checkpointWithoutCommit(flow, job, 1);
    assertThat(flow.committed()).isEmpty();

    goesOnWithAChangedQuery(flow, checkpoint, FIRST.size());
  }

  /** The rows after the change come from another directory: the old source's state may be gone. */
  private static void goesOnWithAChangedQuery(Flow flow, String path, int written)
      throws Exception {
    Drip others = flow.scenario().drip();
    others.drop(Rows.ids(20, 24));
    RunningJob changed =
        flow.job()
            .from(others)
            .query("SELECT id + 1 AS id, UPPER(name) AS name, qty FROM src WHERE id > 21")
            .with("execution.state-recovery.ignore-unclaimed-state", "true")
            .restoring(path)
            .start();
    flow.awaitCommitted(FIRST);
    flow.awaitWritten(written + 2);
    changed.stopWithSavepoint();

    assertThat(flow.committed())
        .containsExactlyInAnyOrderElementsOf(
            Rows.all(FIRST, List.of(Rows.row(23, "R22", 220), Rows.row(24, "R23", 230))));
  }

  @ParameterizedTest
  @EnumSource(names = {"BOTH", "PG_INLINE"})
  void forksOfOneCheckpointAreEachExact(TargetKind kind, Scenario scenario) throws Exception {
    Flow flow = scenario.on(kind).flow("forks", 3);
    RunningJob trunk = flow.job().parallelism(2).start();
    flow.drip().dropOneByOne(FIRST);
    flow.awaitWritten(FIRST.size());
    String checkpoint = trunk.checkpoint();
    flow.awaitCommitted(FIRST);
    flow.drip().dropOneByOne(SECOND);
    flow.awaitWritten(FIRST.size() + SECOND.size());
    flow.crash(trunk);

    List<String> expected = new ArrayList<>(FIRST);
    int written = FIRST.size() + SECOND.size();
    for (int parallelism : new int[] {3, 1}) {
      assertThat(flow.openTransactions())
          .as("orphans before")
          .hasSizeGreaterThanOrEqualTo(kind.holdsOpenRows() ? 1 : 0);
      RunningJob fork = flow.job().parallelism(parallelism).restoring(checkpoint).start();
      expected.addAll(SECOND);
      written += SECOND.size();
      flow.awaitWritten(written);
      fork.checkpoint();
      flow.awaitCommitted(expected);
      assertThat(flow.openTransactions()).as("orphans after the first checkpoint").isEmpty();

      if (parallelism == 3) {
        List<String> unfinished = List.of(Rows.row(9, "only in the second fork", 0));
        flow.drop(unfinished);
        flow.awaitWritten(++written);
        flow.crash(fork);
        expected.addAll(unfinished);
        written += unfinished.size();
      } else {
        fork.stopWithSavepoint();
      }
    }
    assertThat(flow.committed()).containsExactlyInAnyOrderElementsOf(expected);
  }

  @ParameterizedTest
  @EnumSource(names = {"BOTH", "PG_INLINE"})
  void aShortInputEndsBeforeOthersHaveCommittedWhatTheyRestored(TargetKind kind, Scenario scenario)
      throws Exception {
    Flow flow = scenario.on(kind).flow("short", 3);
    RunningJob job = flow.job().parallelism(3).start();
    flow.drip().dropOneByOne(Rows.ids(0, 6));
    flow.awaitWritten(6);
    String checkpoint = checkpointWithoutCommit(flow, job, 3);
    assertThat(flow.committed()).isEmpty();
    assertThat(flow.openTransactions()).as("prepared").hasSize(kind == TargetKind.BOTH ? 6 : 0);

    Fault oneHeld = scenario.target().holdCommits(1);
    RunningJob bounded =
        scenario
            .insertInto(flow.destination(), flow.prefix())
            .parallelism(2)
            .query("VALUES (100, 'r100', 1000)")
            .with("execution.state-recovery.ignore-unclaimed-state", "true")
            .restoring(checkpoint)
            .submit();
    oneHeld.awaitHits(1, PATIENCE);
    // One sink subtask waits for its commit; the input of the others is over by now.
    await()
        .atMost(PATIENCE)
        .during(Duration.ofSeconds(1))
        .until(
            () -> {
              List<ExecutionState> states = bounded.taskStates();
              return states.contains(ExecutionState.INITIALIZING)
                  && (states.contains(ExecutionState.RUNNING)
                      || states.contains(ExecutionState.FINISHED));
            });
    oneHeld.release();

    bounded.awaitEnd(JobStatus.FINISHED);
    assertThat(flow.committed())
        .containsExactlyInAnyOrderElementsOf(
            Rows.all(Rows.ids(0, 6), List.of(Rows.row(100, "r100", 1000))));
  }

  @ParameterizedTest
  @EnumSource(names = "BOTH")
  void anOldSavepointDoublesExactlyWhatItsPositionReplays(TargetKind kind, Scenario scenario)
      throws Exception {
    Flow flow = scenario.on(kind).flow("old", 2);
    flow.drop(FIRST);
    RunningJob job = flow.job().start();
    flow.awaitWritten(FIRST.size());
    String old = job.savepoint();
    List<String> later = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      later.add(Rows.row(100 + i, "later", i));
      flow.drop(later.subList(i, i + 1));
      flow.awaitWritten(FIRST.size() + later.size());
      job.checkpoint();
    }
    flow.awaitCommitted(Rows.all(FIRST, later));
    flow.drop(SECOND);
    flow.awaitWritten(FIRST.size() + later.size() + SECOND.size());
    flow.crash(job);

    RunningJob restored = flow.job().restoring(old).start();
    flow.awaitWritten(FIRST.size() + 2 * later.size() + 2 * SECOND.size());
    restored.stopWithSavepoint();

    assertThat(flow.committed())
        .containsExactlyInAnyOrderElementsOf(Rows.all(FIRST, later, later, SECOND));
  }

  /** Completes a checkpoint of which not one commit reaches the target before the job ends. */
  private static String checkpointWithoutCommit(Flow flow, RunningJob job, int transactions)
      throws Exception {
    Fault held = flow.target().holdCommits(Integer.MAX_VALUE);
    String checkpoint = job.checkpoint();
    held.awaitHits(transactions, PATIENCE);
    job.cancel();
    held.discard();
    return checkpoint;
  }
}
