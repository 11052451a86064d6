// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Fault;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A4 and its part of A15: stop-with-savepoint and resume. */
@ExtendWith(ScenarioExtension.class)
class StopAndResumeITCase {

  private static final List<String> FIRST = Rows.ids(1, 4);
  private static final List<String> SECOND = Rows.ids(4, 6);

  @ParameterizedTest
  @CsvSource({
    "TV1, true",
    "BOTH, true",
    "BOTH, false",
    "PG_INLINE, true",
    "PG_POOLED_INLINE, true",
    "PG_POOLED_STAGED, true"
  })
  void stopsWithEverythingVisibleAndResumesWithTheRest(
      TargetKind kind, boolean chained, Scenario scenario) throws Exception {
    Flow flow = scenario.on(kind).flow("stop", 2);
    RunningJob job = startWithFirstRows(flow, chained);

    String savepoint = job.stopWithSavepoint();

    assertThat(flow.committed()).isEqualTo(FIRST);
    assertThat(flow.openTransactions()).isEmpty();
    resume(flow, chained, savepoint);
  }

  @ParameterizedTest
  @CsvSource({
    "TV1, 1, true",
    "TV2, 1, true",
    "TV2, 1000, true",
    "TV2, 1, false",
    "PG_INLINE, 1, true",
    "PG_STAGED, 1, true",
    "PG_STAGED, 1, false",
    "PG_POOLED_INLINE, 1, true",
    "PG_POOLED_STAGED, 1, true"
  })
  void aCommitWhoseReplyIsLostAtTheStopCountsOnce(
      TargetKind kind, int lostReplies, boolean chained, Scenario scenario) throws Exception {
    Flow flow = scenario.on(kind).flow("lost", 2);
    RunningJob job = startWithFirstRows(flow, chained);
    Fault lost = scenario.target().loseCommitReplies(lostReplies);

    try {
      job.stopWithSavepoint();
    } catch (ExecutionException reported) {
      assertThat(reported).hasMessageContaining("savepoint");
      job.cancel();
    }
    assertThat(lost.hits()).isPositive();
    lost.release();

    resume(flow, chained, scenario.savepoints().get(0));
  }

  private static RunningJob startWithFirstRows(Flow flow, boolean chained) throws Exception {
    flow.drop(FIRST);
    RunningJob job = flow.job().chained(chained).start();
    flow.awaitWritten(FIRST.size());
    assertThat(flow.committed()).isEmpty();
    return job;
  }

  private static void resume(Flow flow, boolean chained, String savepoint) throws Exception {
    RunningJob resumed = flow.job().chained(chained).restoring(savepoint).start();
    flow.drop(SECOND);
    flow.awaitWritten(FIRST.size() + SECOND.size());
    resumed.stopWithSavepoint();
    assertThat(flow.committed()).isEqualTo(Rows.all(FIRST, SECOND));
  }
}
