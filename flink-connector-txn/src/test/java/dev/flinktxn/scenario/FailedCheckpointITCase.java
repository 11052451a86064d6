// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.flinktxn.scenario.CheckpointFault.Part;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A8 and its part of A15: a failure inside a checkpoint. */
@ExtendWith(ScenarioExtension.class)
class FailedCheckpointITCase {

  @ParameterizedTest
  @CsvSource({
    "TV2, SYNC, 1, 0, true",
    "TV2, SYNC, 2, 0, true",
    "TV2, ASYNC, 1, 0, true",
    "TV2, ASYNC, 2, 0, false",
    "TV2, ASYNC, 1, 100, true",
    "TV2, ASYNC, 2, 100, true",
    "TV1, SYNC, 1, 0, true",
    "TV1, ASYNC, 1, 100, true",
    "TV2, SYNC, 1, 0, false",
    "PG_INLINE, ASYNC, 2, 100, true",
    "PG_STAGED, SYNC, 1, 0, true",
    "PG_STAGED, ASYNC, 1, 100, true",
    "PG_STAGED, ASYNC, 2, 0, false",
    "PG_POOLED_STAGED, SYNC, 1, 0, true",
  })
  void losesAndDoublesNothing(
      TargetKind kind, Part part, int concurrent, int tolerated, boolean chained, Scenario scenario)
      throws Exception {
    run(kind, part, concurrent, tolerated, chained, scenario);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "PG_INLINE, SYNC, 1, 0, true",
    "PG_INLINE, SYNC, 2, 0, false",
    "PG_INLINE, ASYNC, 1, 0, true",
    "PG_INLINE, ASYNC, 1, 100, true",
    "PG_STAGED, SYNC, 2, 0, true",
    "PG_STAGED, SYNC, 1, 0, false",
    "PG_STAGED, ASYNC, 1, 0, true",
    "PG_STAGED, ASYNC, 2, 100, true",
    "PG_POOLED_INLINE, SYNC, 1, 0, true",
    "PG_POOLED_INLINE, ASYNC, 2, 100, true",
    "PG_POOLED_STAGED, ASYNC, 1, 0, true",
    "PG_POOLED_STAGED, ASYNC, 2, 100, true",
  })
  void losesAndDoublesNothingInPostgres(
      TargetKind kind, Part part, int concurrent, int tolerated, boolean chained, Scenario scenario)
      throws Exception {
    run(kind, part, concurrent, tolerated, chained, scenario);
  }

  private static void run(
      TargetKind kind, Part part, int concurrent, int tolerated, boolean chained, Scenario scenario)
      throws Exception {
    // Longer than the interval, so that two checkpoints do overlap.
    CheckpointFault.reset(concurrent > 1 ? 300 : 0);
    Flow flow = scenario.on(kind).flow("fault", 2);
    RunningJob job =
        flow.job()
            .parallelism(2)
            .chained(chained)
            .restarting()
            .checkpointEvery(Duration.ofMillis(200))
            .with("execution.checkpointing.max-concurrent-checkpoints", "" + concurrent)
            .with("execution.checkpointing.tolerable-failed-checkpoints", "" + tolerated)
            .through(CheckpointFault::pass)
            .start();
    List<String> expected = new ArrayList<>();
    int next = 0;
    for (int failure = 1; failure <= 2; failure++) {
      expected.addAll(drip(flow, next++));
      flow.awaitCommitted(expected);

      CheckpointFault.arm(part);
      expected.addAll(drip(flow, next++));
      int failed = failure;
      await().atMost(Duration.ofSeconds(30)).until(() -> CheckpointFault.fired() == failed);

      expected.addAll(drip(flow, next++));
      flow.awaitCommitted(expected);
    }
    seesNewRowsWithTheNextCheckpoint(flow, job, expected);
    assertThat(job.restarts()).as("restarts").isEqualTo(tolerated > 0 ? 0 : 2);
    if (concurrent > 1) {
      assertThat(overlapping(job)).as("overlapping checkpoints").isTrue();
    }
    job.stopWithSavepoint();
    assertThat(flow.committed()).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static List<String> drip(Flow flow, int number) throws Exception {
    List<String> rows = Rows.ids(10 * number, 10 * number + 4);
    flow.drip().dropOneByOne(rows);
    return rows;
  }

  /** Two, because the first to complete may have begun before the rows came. */
  private static void seesNewRowsWithTheNextCheckpoint(
      Flow flow, RunningJob job, List<String> expected) throws Exception {
    int before = flow.written();
    expected.addAll(drip(flow, 99));
    flow.awaitWritten(before + 4);
    job.awaitCheckpoints(job.completedCheckpoints() + 2, Duration.ofSeconds(10));
    await()
        .atMost(Duration.ofSeconds(5))
        .untilAsserted(
            () -> assertThat(flow.committed()).containsExactlyInAnyOrderElementsOf(expected));
  }

  private static boolean overlapping(RunningJob job) {
    List<AbstractCheckpointStats> all = job.checkpoints().getHistory().getCheckpoints();
    return all.stream()
        .anyMatch(
            one ->
                all.stream()
                    .anyMatch(
                        other ->
                            other.getTriggerTimestamp() > one.getTriggerTimestamp()
                                && other.getTriggerTimestamp()
                                    < one.getTriggerTimestamp() + one.getEndToEndDuration()));
  }
}
