// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.KafkaRequest;
import dev.flinktxn.fixture.PgRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A5: a job without data costs nothing. */
@ExtendWith(ScenarioExtension.class)
class IdleITCase {

  private static final int CHECKPOINTS = 50;

  /** What the clean-up of orphans asks; it may come once a minute. */
  private static final Set<Short> CLEAN_UP =
      Set.of(KafkaRequest.LIST_TRANSACTIONS, KafkaRequest.DESCRIBE_TRANSACTIONS);

  private static final String ALL_TABLES =
      "SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r'"
          + " AND relnamespace::regnamespace::text IN ('flink_txn', 'public') ORDER BY 1";

  private static final String LEDGER = "SELECT id::text FROM flink_txn.ledger ORDER BY 1";

  private static final String SESSION_STATES =
      "SELECT state FROM pg_stat_activity WHERE datname = current_database()"
          + " AND starts_with(application_name, 'flink-connector-txn')";

  @ParameterizedTest
  @CsvSource({"TV2, false", "TV2, true", "TV1, true"})
  void emptyCheckpointsAskTheBrokerNothing(
      TargetKind kind, boolean afterSomeRows, Scenario scenario) throws Exception {
    Flow flow = scenario.on(kind).flow("idle", 2);
    RunningJob job = idleAfter(afterSomeRows ? Rows.ids(0, 4) : List.of(), flow);

    final Set<String> threads = scenario.threads().ofJobs();
    final Set<String> ids = flow.transactionalIds();
    final Map<TopicPartition, Long> ends = scenario.kafka().stableEnds(flow.destination());
    final long failures = job.checkpoints().getCounts().getNumberOfFailedCheckpoints();
    final int requests = scenario.kafkaFaults().seen().size();
    final long begin = System.nanoTime();
    job.awaitCheckpoints(job.completedCheckpoints() + CHECKPOINTS, Duration.ofSeconds(120));

    List<KafkaRequest> all = scenario.kafkaFaults().seen();
    Map<Short, Long> asked =
        all.subList(requests, all.size()).stream()
            .collect(Collectors.groupingBy(KafkaRequest::apiKey, Collectors.counting()));
    long cleanUps = 1 + Duration.ofNanos(System.nanoTime() - begin).toMinutes();
    assertThat(CLEAN_UP).as("api keys asked: %s", asked).containsAll(asked.keySet());
    assertThat(asked.values())
        .as("requests by api key: %s", asked)
        .allMatch(n -> n <= 2 * cleanUps);
    assertThat(scenario.threads().ofJobs()).isEqualTo(threads);
    assertThat(flow.transactionalIds()).isEqualTo(ids);
    assertThat(scenario.kafka().stableEnds(flow.destination())).isEqualTo(ends);
    assertThat(job.restarts()).as("restarts").isZero();
    assertThat(job.checkpoints().getCounts().getNumberOfFailedCheckpoints()).isEqualTo(failures);
  }

  @ParameterizedTest
  @CsvSource({"PG_STAGED, true", "PG_INLINE, false"})
  void emptyCheckpointsAskTheDatabaseNothing(
      TargetKind kind, boolean afterSomeRows, Scenario scenario) throws Exception {
    Flow flow = scenario.on(kind).flow("idle", 2);
    RunningJob job = idleAfter(afterSomeRows ? Rows.ids(0, 4) : List.of(), flow);
    PostgresTables database = scenario.postgres();

    final Set<String> sessions = flow.target().clients();
    final List<String> tables = database.query(ALL_TABLES);
    final List<String> ledger = database.query(LEDGER);
    final long failures = job.checkpoints().getCounts().getNumberOfFailedCheckpoints();
    final int requests = database.faults().seen().size();
    final long begin = System.nanoTime();
    job.awaitCheckpoints(job.completedCheckpoints() + CHECKPOINTS, Duration.ofSeconds(120));

    List<PgRequest> all = database.faults().seen();
    Map<String, Long> asked =
        all.subList(requests, all.size()).stream()
            .collect(Collectors.groupingBy(PgRequest::sql, Collectors.counting()));
    long cleanUps = 1 + Duration.ofNanos(System.nanoTime() - begin).toMinutes();
    assertThat(asked.keySet()).as("statements").allMatch(IdleITCase::isOfCleanUp);
    assertThat(asked.values()).as("statements: %s", asked).allMatch(n -> n <= 2 * cleanUps);
    assertThat(flow.target().clients()).isEqualTo(sessions).hasSizeBetween(2, 4);
    assertThat(database.query(SESSION_STATES)).containsOnly("idle");
    assertThat(database.query(ALL_TABLES)).isEqualTo(tables);
    assertThat(database.query(LEDGER)).isEqualTo(ledger).hasSize(afterSomeRows ? 2 : 0);
    assertThat(job.restarts()).as("restarts").isZero();
    assertThat(job.checkpoints().getCounts().getNumberOfFailedCheckpoints()).isEqualTo(failures);
  }

  /** What the clean-up asks, and whether a connection that was not used for long still stands. */
  private static boolean isOfCleanUp(String sql) {
    return sql.isEmpty()
        || sql.startsWith("SELECT transaction, id FROM \"flink_txn\".\"staging\"")
        || sql.startsWith("SELECT gid FROM pg_prepared_xacts");
  }

  private static RunningJob idleAfter(List<String> rows, Flow flow) throws Exception {
    RunningJob job =
        flow.job()
            .parallelism(2)
            .restarting()
            .checkpointEvery(Duration.ofMillis(200))
            .with("execution.checkpointing.tolerable-failed-checkpoints", "0")
            .start();
    flow.drip().dropOneByOne(rows);
    flow.awaitCommitted(rows);
    job.awaitCheckpoints(job.completedCheckpoints() + 3, Duration.ofSeconds(20));
    return job;
  }
}
