// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A6: what a job holds does not grow, neither with checkpoints nor with restarts. */
@ExtendWith(ScenarioExtension.class)
class LongRunITCase {

  private static final int SUBTASKS = 2;
  private static final Numbers NUMBERS = new Numbers(10_000_000, 5_000_000, "n");

  @ParameterizedTest
  @EnumSource(names = {"TV1", "BOTH"})
  void fiveHundredCheckpointsUseThreeIdsPerSubtask(TargetKind kind, Scenario scenario)
      throws Exception {
    fiveHundredCheckpoints(scenario.on(kind).flow("long", SUBTASKS));
  }

  @Tag("full")
  @Test
  void fiveHundredCheckpointsLeaveNothingInPostgres(Scenario scenario) throws Exception {
    fiveHundredCheckpoints(scenario.on(TargetKind.PG_INLINE).flow("long", SUBTASKS));
  }

  private static void fiveHundredCheckpoints(Flow flow) throws Exception {
    RunningJob job = numbers(flow).start();
    checkpointWithData(flow, job, 20);
    final int ids = flow.transactionalIds().size();
    final int clients = flow.target().clients().size();

    checkpointWithData(flow, job, 480);

    assertThat(flow.transactionalIds()).hasSize(ids).hasSizeLessThanOrEqualTo(3 * SUBTASKS);
    assertThat(flow.target().clients())
        .hasSize(clients)
        .hasSizeLessThanOrEqualTo(3 * SUBTASKS * sinks(flow));
    assertThat(flow.openTransactions())
        .as("begun since")
        .hasSizeLessThanOrEqualTo(SUBTASKS * sinks(flow));
    job.stopWithSavepoint();
    assertEachNumberOnce(flow);
  }

  private static int sinks(Flow flow) {
    return flow.target().kind() == TargetKind.BOTH ? 2 : 1;
  }

  @Test
  void twentyRestartsAddThreeNamesPerSubtaskEach(Scenario scenario) throws Exception {
    twentyRestarts(scenario.on(TargetKind.BOTH).flow("restarts", SUBTASKS));
  }

  @Tag("full")
  @Test
  void twentyRestartsAddThreeNamesPerSubtaskEachInPostgres(Scenario scenario) throws Exception {
    twentyRestarts(scenario.on(TargetKind.PG_INLINE).flow("restarts", SUBTASKS));
  }

  private static void twentyRestarts(Flow flow) throws Exception {
    RunningJob job = numbers(flow).start();
    checkpointWithData(flow, job, 4);
    String savepoint = job.stopWithSavepoint();
    List<Long> startMillis = new ArrayList<>();
    for (int restart = 1; restart <= 20; restart++) {
      int before = flow.transactionalIds().size();
      long begin = System.nanoTime();
      job = numbers(flow).restoring(savepoint).start();
      startMillis.add(Duration.ofNanos(System.nanoTime() - begin).toMillis());
      checkpointWithData(flow, job, 4);
      savepoint = job.stopWithSavepoint();
      assertThat(flow.transactionalIds().size() - before)
          .as("new ids after restart %s", restart)
          .isLessThanOrEqualTo(3 * SUBTASKS);
    }
    assertThat(median(startMillis.subList(15, 20)))
        .as("milliseconds until running: %s", startMillis)
        .isLessThan(2 * median(startMillis.subList(0, 5)) + 500);
    assertEachNumberOnce(flow);
  }

  private static JobSpec numbers(Flow flow) {
    return flow.job().from(NUMBERS).parallelism(SUBTASKS);
  }

  /** Each time every subtask has data, and has seen its commit before the next checkpoint. */
  private static void checkpointWithData(Flow flow, RunningJob job, int times) throws Exception {
    Map<String, Long> sent = Map.of("0", 0L, "1", 0L);
    long committed = job.total("successfulCommittables");
    for (int i = 0; i < times; i++) {
      Map<String, Long> before = sent;
      soon(
          () -> {
            Map<String, Long> now = job.perSubtask("numRecordsSend");
            return before.keySet().stream()
                .allMatch(subtask -> now.getOrDefault(subtask, 0L) > before.get(subtask));
          });
      job.checkpoint();
      sent = job.perSubtask("numRecordsSend");
      committed += SUBTASKS * sinks(flow);
      long expected = committed;
      soon(() -> job.total("successfulCommittables") == expected);
    }
  }

  private static void soon(Callable<Boolean> condition) {
    await()
        .atMost(Duration.ofSeconds(20))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .until(condition);
  }

  /** Each subtask has a share of the numbers and has come to another point in it. */
  private static void assertEachNumberOnce(Flow flow) {
    List<String> committed = flow.committed();
    List<String> expected = new ArrayList<>();
    for (int first : new int[] {1, NUMBERS.last() / SUBTASKS + 1}) {
      int end = first;
      while (Collections.binarySearch(committed, NUMBERS.row(end)) >= 0) {
        expected.add(NUMBERS.row(end++));
      }
      assertThat(end).as("end of the share that begins with %s", first).isGreaterThan(first);
    }
    assertThat(committed).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static long median(List<Long> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
