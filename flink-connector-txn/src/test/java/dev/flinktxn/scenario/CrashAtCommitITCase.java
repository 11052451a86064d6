// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Fault;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A1 and its part of A15 into PostgreSQL: the task managers end between the checkpoint and its
 * commits.
 */
@ExtendWith(ScenarioExtension.class)
class CrashAtCommitITCase {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> FIRST =
      List.of(Rows.row(1, "ant", 10), Rows.row(2, "bee", 20), Rows.row(3, "cat", 30));
  private static final List<String> SECOND =
      List.of(Rows.row(4, "dog", 40), Rows.row(5, "eel", 50));

  @ParameterizedTest
  @CsvSource({
    "PG_INLINE, true",
    "PG_STAGED, true",
    "PG_STAGED, false",
    "PG_POOLED_INLINE, true",
    "PG_POOLED_STAGED, true",
    "PG_POOLED_STAGED, false"
  })
  void commitsAfterTheRestoreWhatTheCheckpointHolds(
      TargetKind kind, boolean chained, Scenario scenario) throws Exception {
    Flow flow = scenario.on(kind).flow("crash", 1);
    RunningJob job = flow.job().parallelism(2).chained(chained).restarting().start();
    Fault held = flow.target().holdCommits(Integer.MAX_VALUE);
    flow.drip().dropOneByOne(FIRST);
    flow.awaitWritten(FIRST.size());

    job.checkpoint();
    held.awaitHits(1, LIMIT);
    assertThat(flow.committed()).isEmpty();
    scenario.flink().replaceTaskManagers();
    assertThat(flow.committed()).isEmpty();
    held.release();
    flow.awaitCommitted(FIRST);

    flow.drip().dropOneByOne(SECOND);
    flow.awaitWritten(FIRST.size() + SECOND.size());
    job.awaitRunning().checkpoint();
    flow.awaitCommitted(Rows.all(FIRST, SECOND));
    // Each subtask by itself, and again if it came to a task manager that was to end next.
    assertThat(job.restarts()).isPositive();
    job.stopWithSavepoint();
    assertThat(flow.committed()).isEqualTo(Rows.all(FIRST, SECOND));
  }
}
