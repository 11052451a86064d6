// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.ClusterSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.FlinkCluster;
import dev.flinktxn.fixture.KeepLogsOnFailure;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import dev.flinktxn.fixture.RunDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** P8: one checkpoint with more rows than the heap of the TaskManager could hold. */
@Tag("full")
class LargeCheckpointProcessITCase {

  private static final int ROWS = 5_000_000;

  /** The least that a row takes: what it says, and no more. */
  private static final int ROW_BYTES = 200;

  /** That of the tasks, and the part that is Flink's own. */
  private static final int HEAP_MIB = 256 + 96;

  private static final int SUBTASKS = 2;
  private static final Duration LIMIT = Duration.ofMinutes(8);

  /** As the JVM logs it: {@code Pause Young (Normal) (G1 Evacuation Pause) 61M->11M(352M)}. */
  private static final Pattern PAUSE = Pattern.compile(" (\\d+)M->(\\d+)M\\((\\d+)M\\)");

  private static final RunDirectory RUN = RunDirectory.create("large-checkpoint");

  @RegisterExtension
  static final KeepLogsOnFailure KEEP_LOGS_ON_FAILURE = new KeepLogsOnFailure(RUN);

  private static FlinkCluster cluster;

  @BeforeAll
  static void start() {
    ClusterSettings settings =
        ClusterSettings.slots(SUBTASKS)
            .with("taskmanager.memory.task.heap.size", "256m")
            .withJvmFlags("-Xlog:gc");
    cluster = FlinkCluster.start(RUN, Distribution.locate(), settings, 1);
  }

  @AfterAll
  static void stop() {
    cluster.close();
    RUN.close();
  }

  @Test
  void memoryIsBoundedWhateverTheRowsOfOneCheckpoint() throws Exception {
    assertThat((long) ROWS * ROW_BYTES).as("bytes of rows").isGreaterThan((long) HEAP_MIB << 20);
    try (PostgresDatabase database = Postgres.shared().database()) {
      database.execute("CREATE TABLE large (id bigint, name text)");
      long start = System.nanoTime();
      String job =
          cluster
              .sqlClient(Path.of(System.getProperty("connector.jar")))
              .run(script(database), LIMIT)
              .jobId();
      cluster.awaitState(job, "FINISHED", LIMIT);
      long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();

      assertThat(database.query("SELECT count(*) FROM large")).containsExactly("" + ROWS);
      // One unit of each subtask, so one checkpoint.
      assertThat(database.query("SELECT count(*) || ' ' || sum(rows) FROM flink_txn.ledger"))
          .containsExactly(SUBTASKS + " " + ROWS);
      assertThat(cluster.rest().restarts(job)).isZero();
      List<MatchResult> pauses = PAUSE.matcher(cluster.taskManager().output()).results().toList();
      long before = numbers(pauses, 1).max().orElseThrow();
      long after = numbers(pauses, 2).max().orElseThrow();
      assertThat(numbers(pauses, 3)).allMatch(heap -> heap <= HEAP_MIB);
      System.out.printf(
          "%d rows in one checkpoint in %d s: heap at most %d MiB before and %d MiB after a"
              + " collection, of %d MiB%n",
          ROWS, seconds, before, after, HEAP_MIB);
      // What a collection leaves, buffers of a chunk for each subtask among it.
      assertThat(after).as("MiB in use after a collection").isLessThan(HEAP_MIB / 2);
    }
  }

  private static LongStream numbers(List<MatchResult> pauses, int group) {
    return pauses.stream().mapToLong(pause -> Long.parseLong(pause.group(group)));
  }

  private static String script(PostgresDatabase database) {
    return """
        SET 'execution.checkpointing.interval' = '30 min';
        SET 'execution.checkpointing.min-pause' = '30 min';
        SET 'parallelism.default' = '%d';
        CREATE TABLE src (id BIGINT, name STRING) WITH (
          'connector' = 'datagen', 'number-of-rows' = '%d', 'rows-per-second' = '10000000', 'fields.name.length' = '1');
        CREATE TABLE snk (id BIGINT, name STRING) WITH (
          'connector' = 'txn-jdbc', 'url' = '%s', 'username' = '%s', 'table-name' = 'large',
          'sink.transactional-id-prefix' = 'large');
        INSERT INTO snk SELECT id, REPEAT(name, %d) FROM src;
        """
        .formatted(SUBTASKS, ROWS, database.url(), database.user(), ROW_BYTES);
  }
}
