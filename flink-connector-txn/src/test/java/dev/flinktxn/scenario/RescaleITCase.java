// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A7 and its part of A15: another parallelism at each restore, there and back. */
@ExtendWith(ScenarioExtension.class)
class RescaleITCase {

  private static final int ROWS = 8;

  @ParameterizedTest
  @CsvSource({
    "TV2, 2, 5, true",
    "TV1, 3, 2, true",
    "BOTH, 1, 2, false",
    "PG_INLINE, 3, 2, true",
    "BOTH, 2, 5, true"
  })
  void bySavepoint(TargetKind kind, int one, int other, boolean chained, Scenario scenario)
      throws Exception {
    rescaleBySavepoint(scenario.on(kind), new int[] {one, other, one}, chained);
  }

  @ParameterizedTest
  @CsvSource({
    "BOTH, 3, 2, true",
    "TV1, 2, 5, true",
    "BOTH, 2, 5, false",
    "TV2, 3, 2, false",
    "PG_INLINE, 2, 5, true",
  })
  void afterAKillBeforeTheFirstCheckpoint(
      TargetKind kind, int one, int other, boolean chained, Scenario scenario) throws Exception {
    rescaleAfterKill(scenario.on(kind), new int[] {one, other, one}, chained);
  }

  @Tag("full")
  @ParameterizedTest
  @MethodSource("matrix")
  void everyPairBySavepoint(TargetKind kind, int one, int other, boolean chained, Scenario scenario)
      throws Exception {
    rescaleBySavepoint(scenario.on(kind), new int[] {one, other, one}, chained);
  }

  @Tag("full")
  @ParameterizedTest
  @MethodSource("matrix")
  void everyPairAfterAKillBeforeTheFirstCheckpoint(
      TargetKind kind, int one, int other, boolean chained, Scenario scenario) throws Exception {
    rescaleAfterKill(scenario.on(kind), new int[] {one, other, one}, chained);
  }

  static Stream<Arguments> matrix() {
    return Stream.of(
            new int[] {1, 2},
            new int[] {2, 3},
            new int[] {2, 5},
            new int[] {3, 5},
            new int[] {5, 6},
            new int[] {6, 5},
            new int[] {5, 2},
            new int[] {5, 3},
            new int[] {3, 2},
            new int[] {2, 1})
        .flatMap(
            pair ->
                Stream.of(
                    Arguments.of(TargetKind.BOTH, pair[0], pair[1], true),
                    Arguments.of(TargetKind.BOTH, pair[0], pair[1], false),
                    Arguments.of(TargetKind.TV1, pair[0], pair[1], true),
                    Arguments.of(TargetKind.PG_INLINE, pair[0], pair[1], true)));
  }

  private static void rescaleBySavepoint(Scenario scenario, int[] generations, boolean chained)
      throws Exception {
    Flow flow = scenario.flow("savepoint", 4);
    List<String> expected = new ArrayList<>();
    String path = null;
    for (int generation = 0; generation < generations.length; generation++) {
      RunningJob job = start(flow, generations[generation], chained, path);
      expected.addAll(drip(flow, 2 * generation));
      flow.awaitWritten(expected.size());
      job.checkpoint();
      flow.awaitCommitted(expected);
      expected.addAll(drip(flow, 2 * generation + 1));
      flow.awaitWritten(expected.size());

      path = job.stopWithSavepoint();

      assertThat(flow.committed()).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(flow.openTransactions()).isEmpty();
    }
  }

  private static void rescaleAfterKill(Scenario scenario, int[] generations, boolean chained)
      throws Exception {
    Flow flow = scenario.flow("kill", 4);
    RunningJob first = start(flow, generations[0], chained, null);
    List<String> expected = new ArrayList<>(drip(flow, 0));
    flow.awaitWritten(ROWS);
    String checkpoint = first.checkpoint();
    flow.awaitCommitted(expected);
    expected.addAll(drip(flow, 1));
    flow.awaitWritten(2 * ROWS);
    flow.crash(first);

    RunningJob second = start(flow, generations[1], chained, checkpoint);
    flow.awaitWritten(3 * ROWS);
    flow.crash(second);
    assertThat(flow.openTransactions())
        .as("orphans")
        .hasSizeGreaterThanOrEqualTo(flow.target().kind().holdsOpenRows() ? 2 : 0);

    RunningJob third = start(flow, generations[2], chained, checkpoint);
    flow.awaitWritten(4 * ROWS);
    third.checkpoint();
    flow.awaitCommitted(expected);
    assertThat(flow.openTransactions()).as("orphans").isEmpty();

    expected.addAll(drip(flow, 2));
    flow.awaitWritten(5 * ROWS);
    third.stopWithSavepoint();
    assertThat(flow.committed()).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static RunningJob start(Flow flow, int parallelism, boolean chained, String path)
      throws Exception {
    JobSpec job = flow.job().parallelism(parallelism).chained(chained);
    return (path == null ? job : job.restoring(path)).start();
  }

  private static List<String> drip(Flow flow, int number) throws Exception {
    List<String> rows = Rows.ids(ROWS * number, ROWS * (number + 1));
    flow.drip().dropOneByOne(rows);
    return rows;
  }
}
