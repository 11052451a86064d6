// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A21: many bytes in one interval need little state. */
@ExtendWith(ScenarioExtension.class)
class LargeIntervalITCase {

  /** With rows of more than 1,000 bytes, more than 6 MB. */
  private static final int ROWS_PER_INTERVAL = 6_300;

  @Test
  void defaultCheckpointStorageIsEnough(Scenario scenario) throws Exception {
    Flow flow = scenario.flow("large", 2);
    RunningJob job =
        flow.job()
            .from(new Numbers(1_000_000, 50_000, "x".repeat(1_000)))
            .parallelism(2)
            .defaultCheckpointStorage()
            .sinkOption("sink.partitioner", "fixed")
            .start();
    for (int interval = 0; interval < 3; interval++) {
      Map<TopicPartition, Long> begin = ends(flow);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  ends(flow).entrySet().stream()
                      .allMatch(e -> e.getValue() - begin.get(e.getKey()) > ROWS_PER_INTERVAL));
      job.checkpoint();
    }
    job.stopWithSavepoint();

    List<String> committed = flow.committed();
    assertThat(committed).hasSizeGreaterThan(3 * 2 * ROWS_PER_INTERVAL);
    assertThat(new HashSet<>(committed)).hasSameSizeAs(committed);
  }

  private static Map<TopicPartition, Long> ends(Flow flow) {
    return flow.scenario()
        .kafka()
        .probe()
        .ends(flow.destination(), IsolationLevel.READ_UNCOMMITTED);
  }
}
