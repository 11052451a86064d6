// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A9: unaligned checkpoints under backpressure, with failures. */
@ExtendWith(ScenarioExtension.class)
class BackpressureITCase {

  private static final Numbers NUMBERS = new Numbers(12_000, 0, "n");
  private static final AtomicBoolean FAIL = new AtomicBoolean();

  @ParameterizedTest
  @CsvSource({"BOTH, true", "TV1, true", "BOTH, false"})
  void unalignedCheckpointsAndFailuresLoseAndDoubleNothing(
      TargetKind kind, boolean chained, Scenario scenario) throws Exception {
    run(kind, chained, scenario);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({"PG_INLINE, true", "PG_INLINE, false"})
  void unalignedCheckpointsAndFailuresLoseAndDoubleNothingInPostgres(
      TargetKind kind, boolean chained, Scenario scenario) throws Exception {
    run(kind, chained, scenario);
  }

  private static void run(TargetKind kind, boolean chained, Scenario scenario) throws Exception {
    FAIL.set(false);
    Flow flow = scenario.on(kind).flow("unaligned", 3);
    RunningJob job =
        flow.job()
            .from(NUMBERS)
            .through(BackpressureITCase::slowly)
            .parallelism(3)
            .chained(chained)
            .restarting()
            .checkpointEvery(Duration.ofMillis(100))
            .with("execution.checkpointing.unaligned.enabled", "true")
            .with("execution.checkpointing.aligned-checkpoint-timeout", "0 ms")
            .start();
    long inFlight = 0;
    for (int failure = 1; failure <= 3; failure++) {
      job.awaitCheckpoints(3 * failure, Duration.ofSeconds(60));
      inFlight = Math.max(inFlight, persistedBytes(job.checkpoints()));
      FAIL.set(true);
      int expected = failure;
      await().atMost(Duration.ofSeconds(30)).until(() -> job.restarts() == expected);
    }
    job.awaitEnd(JobStatus.FINISHED);

    assertThat(inFlight).as("bytes in flight in checkpoints").isPositive();
    List<String> expected =
        IntStream.rangeClosed(1, NUMBERS.last()).mapToObj(NUMBERS::row).sorted().toList();
    assertThat(flow.committed()).isEqualTo(expected);
  }

  private static long persistedBytes(CheckpointStatsSnapshot checkpoints) {
    return checkpoints.getHistory().getCheckpoints().stream()
        .mapToLong(AbstractCheckpointStats::getPersistedData)
        .max()
        .orElse(0);
  }

  private static DataStream<Row> slowly(DataStream<Row> rows) {
    return rows.rebalance().map(new Slow()).returns(rows.getType()).uid("slow");
  }

  private static final class Slow implements MapFunction<Row, Row> {
    private static final long serialVersionUID = 1L;

    @Override
    public Row map(Row row) {
      LockSupport.parkNanos(1_000_000);
      if (FAIL.compareAndSet(true, false)) {
        throw new IllegalStateException("failed as the test asked for");
      }
      return row;
    }
  }
}
