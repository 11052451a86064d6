// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * P6: while a job with a long interval runs, others update, alter and vacuum its table without
 * waiting for more than a commit. {@code -Dlocks.interval} sets the interval in seconds.
 */
@ExtendWith(ScenarioExtension.class)
class LocksITCase {

  private static final Duration INTERVAL =
      Duration.ofSeconds(Integer.getInteger("locks.interval", 10));

  /** Far below the interval, and far above a commit of so few rows on a busy machine. */
  private static final Duration BOUND = INTERVAL.dividedBy(4);

  private static final int INTERVALS = 2;

  @ParameterizedTest
  @CsvSource("PG_STAGED, true")
  void nobodyWaitsForMoreThanACommit(TargetKind kind, boolean keyed, Scenario scenario)
      throws Exception {
    run(kind, keyed, scenario);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "PG_INLINE, false",
    "PG_INLINE, true",
    "PG_STAGED, false",
    "PG_POOLED_INLINE, false",
    "PG_POOLED_STAGED, true"
  })
  void norForThatOfAnotherWay(TargetKind kind, boolean keyed, Scenario scenario) throws Exception {
    run(kind, keyed, scenario);
  }

  private static void run(TargetKind kind, boolean keyed, Scenario scenario) throws Exception {
    Flow flow = scenario.on(kind).flow("locks", 1);
    PostgresTables tables = scenario.postgres();
    tables.execute("INSERT INTO locks VALUES (0, 'a row of somebody else', 0)");
    JobSpec spec =
        flow.job()
            // So many that their commit takes its time, or some that fit into a checkpoint.
            .from(new Numbers(10_000_000, kind.isStaged() ? 50_000 : 1_000_000, "n"))
            // One source, so that it is known which keys there are.
            .parallelism(1)
            .sinkOption("sink.parallelism", "2")
            .checkpointEvery(INTERVAL);
    if (!kind.isStaged()) {
      spec.sinkOption("sink.inline-max-size", "16 mb");
    }
    if (keyed) {
      tables.execute("ALTER TABLE locks ADD PRIMARY KEY (id)");
      spec.columns(Rows.COLUMNS + ", PRIMARY KEY (id) NOT ENFORCED")
          .query("SELECT MOD(id, 100000), name, qty FROM src ON CONFLICT DO DEDUPLICATE");
    }
    RunningJob job = spec.start();
    long waited;
    long inTransaction;
    try (Bystander bystander = Bystander.begin(tables, "locks")) {
      long begin = job.completedCheckpoints();
      await()
          .atMost(INTERVAL.multipliedBy(INTERVALS + 2).plusSeconds(60))
          .until(() -> job.completedCheckpoints() > begin + INTERVALS);
      waited = bystander.longestMillis();
      inTransaction = bystander.longestTransactionMillis();
      System.out.printf(
          "%s, %s, interval %d s, %d rows: %s%n",
          kind,
          keyed ? "upsert" : "append",
          INTERVAL.toSeconds(),
          job.total("numRecordsSend"),
          bystander);
      assertThat(bystander.statements()).isGreaterThan(100);
    }
    assertThat(waited).as("longest statement").isLessThan(BOUND.toMillis());
    assertThat(inTransaction).as("longest transaction").isLessThan(BOUND.toMillis());

    job.stopWithSavepoint();
    long written = job.total("numRecordsSend");
    assertThat(written).isPositive();
    if (kind.isStaged()) {
      assertThat(job.total("stagedRows")).isEqualTo(written);
    } else {
      assertThat(job.total("stagedRows")).isZero();
    }
    assertThat(tables.query("SELECT count(*) FROM locks"))
        .isEqualTo(List.of(String.valueOf(keyed ? Math.min(written + 1, 100_000) : written + 1)));
  }
}
