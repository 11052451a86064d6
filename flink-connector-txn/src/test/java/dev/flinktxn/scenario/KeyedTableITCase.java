// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.scenario.CheckpointFault.Part;
import java.time.Duration;
import org.apache.flink.api.common.JobStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same few keys in every checkpoint of 100, one of which is aborted. */
@ExtendWith(ScenarioExtension.class)
class KeyedTableITCase {

  private static final String NAME = "same_keys";
  private static final Duration INTERVAL = Duration.ofMillis(200);
  private static final int CHECKPOINTS = 100;
  private static final int KEYS = 3;
  private static final int ROWS = 3_000;

  /**
   * Slower than {@code CHECKPOINTS} intervals take, so that there are as many in a slow run too.
   */
  private static final long NANOS_PER_ROW = 3 * CHECKPOINTS * INTERVAL.toNanos() / ROWS / 2;

  /** A changelog of a few keys whose values only grow. */
  private static final String COUNTS =
      String.format(
          "SELECT MOD(id, %d) AS id, MAX(name) AS name, CAST(COUNT(*) AS INT) AS qty FROM passed"
              + " GROUP BY MOD(id, %d)",
          KEYS, KEYS);

  /**
   * Two sinks write each key in each checkpoint, and in one order: none waits for the other in a
   * circle. Once with rows in the checkpoint and once with staged ones.
   */
  @Test
  void twoSinksOfOneJobWriteTheSameKeys(Scenario scenario) throws Exception {
    PostgresTables inline = table(scenario.on(TargetKind.PG_INLINE));
    Flow second = scenario.flow(NAME, scenario.prefix("second"));
    PostgresTables staged = table(scenario.on(TargetKind.PG_STAGED));
    Flow third = scenario.flow(NAME, scenario.prefix("third"));
    Flow fourth = scenario.flow(NAME, scenario.prefix("fourth"));
    run(
        growing(scenario.on(TargetKind.PG_INLINE), "first")
            .alsoInto(second)
            .alsoInto(third)
            .alsoInto(fourth));
    assertLastValues(inline);
    assertLastValues(staged);
  }

  @Tag("full")
  @Test
  void idempotentUpsertsWriteTheSameKeys(Scenario scenario) throws Exception {
    PostgresTables tables = table(scenario.on(TargetKind.PG_INLINE));
    run(growing(scenario, "idempotent").sinkOption("sink.idempotent-upsert", "always"));
    assertLastValues(tables);
  }

  private static PostgresTables table(Scenario scenario) {
    PostgresTables tables = scenario.postgres();
    tables.execute("CREATE TABLE " + NAME + " (id int PRIMARY KEY, name text, qty int)");
    return tables;
  }

  private static JobSpec growing(Scenario scenario, String prefix) {
    return scenario
        .insertInto(NAME, scenario.prefix(prefix))
        .columns(Rows.COLUMNS + ", PRIMARY KEY (id) NOT ENFORCED")
        .from(new Numbers(ROWS, NANOS_PER_ROW, "n"))
        .through(CheckpointFault::pass)
        .afterwards(COUNTS)
        .sinkOption("sink.parallelism", "2")
        .checkpointEvery(INTERVAL)
        .restarting();
  }

  /** The checkpoint in the middle is aborted, which restarts the job. */
  private static void run(JobSpec spec) throws Exception {
    CheckpointFault.reset(0);
    RunningJob job = spec.start();
    job.awaitCheckpoints(CHECKPOINTS / 2, Duration.ofSeconds(60));
    CheckpointFault.arm(Part.SYNC);
    job.awaitEnd(JobStatus.FINISHED);
    assertThat(CheckpointFault.fired()).isEqualTo(1);
    assertThat(job.restarts()).isEqualTo(1);
    assertThat(job.completedCheckpoints()).isGreaterThanOrEqualTo(CHECKPOINTS);
  }

  private static void assertLastValues(PostgresTables tables) {
    assertThat(tables.query("SELECT t::text FROM " + NAME + " t ORDER BY id"))
        .containsExactly("(0,n,1000)", "(1,n,1000)", "(2,n,1000)");
  }
}
