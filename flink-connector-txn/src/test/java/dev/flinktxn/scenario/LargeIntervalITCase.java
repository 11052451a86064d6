// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A21: many bytes in one interval need little state. */
@ExtendWith(ScenarioExtension.class)
class LargeIntervalITCase {

  private static final int SUBTASKS = 2;
  private static final int INTERVALS = 3;

  /** With rows of more than 1,000 bytes, more than 6 MB. */
  private static final int ROWS_PER_INTERVAL = 6_300;

  @ParameterizedTest
  @EnumSource(names = {"TV2", "PG_INLINE"})
  void defaultCheckpointStorageIsEnough(TargetKind kind, Scenario scenario) throws Exception {
    Flow flow = scenario.on(kind).flow("large", SUBTASKS);
    RunningJob job =
        flow.job()
            .from(new Numbers(1_000_000, 50_000, "x".repeat(1_000)))
            .parallelism(SUBTASKS)
            .defaultCheckpointStorage()
            .start();
    for (int interval = 0; interval < INTERVALS; interval++) {
      Map<String, Long> begin = job.perSubtask("numRecordsSend");
      assertThat(begin).hasSize(SUBTASKS);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  job.perSubtask("numRecordsSend").entrySet().stream()
                      .allMatch(e -> e.getValue() - begin.get(e.getKey()) > ROWS_PER_INTERVAL));
      job.checkpoint();
    }
    job.stopWithSavepoint();

    List<String> committed = flow.committed();
    assertThat(committed).hasSizeGreaterThan(INTERVALS * SUBTASKS * ROWS_PER_INTERVAL);
    assertThat(new HashSet<>(committed)).hasSameSizeAs(committed);
    if (kind == TargetKind.PG_INLINE) {
      assertThat(job.perSubtask("stagedBytes").values())
          .hasSize(SUBTASKS)
          .allMatch(bytes -> bytes > INTERVALS * ROWS_PER_INTERVAL * 1_000L);
    }
  }
}
