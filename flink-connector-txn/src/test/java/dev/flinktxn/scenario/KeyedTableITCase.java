// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.scenario.CheckpointFault.Part;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.JobStatus;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same few keys in every checkpoint, one of which is aborted. */
@ExtendWith(ScenarioExtension.class)
class KeyedTableITCase {

  private static final String NAME = "same_keys";
  private static final Duration INTERVAL = Duration.ofMillis(200);
  private static final int KEYS = 3;
  private static final int ROWS = 3_000;

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
        100,
        growing(scenario.on(TargetKind.PG_INLINE), NAME, "first", 100)
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
    run(
        100,
        growing(scenario, NAME, "idempotent", 100).sinkOption("sink.idempotent-upsert", "always"));
    assertLastValues(tables);
  }

  /** K10. */
  @ParameterizedTest
  @CsvSource({
    "TV2, never, 0, 0 s",
    "TV2, never, 100, 50 ms",
    "TV1, never, 0, 50 ms",
    "TV2, always, 0, 0 s",
    "TV2, always, 100, 50 ms"
  })
  void theLastRecordOfAKeyStays(
      TargetKind kind, String idempotent, String rows, String interval, Scenario scenario)
      throws Exception {
    String topic = scenario.on(kind).destination("same_keys", 3);
    run(
        20,
        growing(scenario, topic, "keyed", 20)
            .sinkOption("key.format", "json")
            .sinkOption("sink.idempotent-upsert", idempotent)
            .sinkOption("sink.buffer-flush.max-rows", rows)
            .sinkOption("sink.buffer-flush.interval", interval));
    scenario.kafka().awaitNothingBlocks(topic);
    List<ConsumerRecord<byte[], byte[]>> records =
        scenario.kafka().probe().records(topic, IsolationLevel.READ_COMMITTED);
    Map<String, String> last = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      last.put(new String(record.key(), UTF_8), new String(record.value(), UTF_8));
    }
    assertThat(last.values())
        .containsExactly(Rows.row(0, "n", 1000), Rows.row(1, "n", 1000), Rows.row(2, "n", 1000));
    if (idempotent.equals("never") && rows.equals("0") && kind == TargetKind.TV2) {
      assertThat(records).as("each change of each key, once").hasSize(ROWS);
    }
  }

  private static PostgresTables table(Scenario scenario) {
    PostgresTables tables = scenario.postgres();
    tables.execute("CREATE TABLE " + NAME + " (id int PRIMARY KEY, name text, qty int)");
    return tables;
  }

  /** Slower than that many checkpoints take, so that there are as many in a slow run too. */
  private static JobSpec growing(
      Scenario scenario, String destination, String prefix, int checkpoints) {
    long nanosPerRow = 3 * checkpoints * INTERVAL.toNanos() / ROWS / 2;
    return scenario
        .insertInto(destination, scenario.prefix(prefix))
        .columns(Rows.COLUMNS + ", PRIMARY KEY (id) NOT ENFORCED")
        .from(new Numbers(ROWS, nanosPerRow, "n"))
        .through(CheckpointFault::pass)
        .afterwards(COUNTS)
        .sinkOption("sink.parallelism", "2")
        .checkpointEvery(INTERVAL)
        .restarting();
  }

  /** The checkpoint in the middle is aborted, which restarts the job. */
  private static void run(int checkpoints, JobSpec spec) throws Exception {
    CheckpointFault.reset(0);
    RunningJob job = spec.start();
    job.awaitCheckpoints(checkpoints / 2, Duration.ofSeconds(60));
    CheckpointFault.arm(Part.SYNC);
    job.awaitEnd(JobStatus.FINISHED);
    assertThat(CheckpointFault.fired()).isEqualTo(1);
    assertThat(job.restarts()).isEqualTo(1);
    assertThat(job.completedCheckpoints()).isGreaterThanOrEqualTo(checkpoints);
  }

  private static void assertLastValues(PostgresTables tables) {
    assertThat(tables.query("SELECT t::text FROM " + NAME + " t ORDER BY id"))
        .containsExactly("(0,n,1000)", "(1,n,1000)", "(2,n,1000)");
  }
}
