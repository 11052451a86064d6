// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.PgBouncer;
import dev.flinktxn.fixture.PgProbe;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries as users write them, through planner and cluster from a real server. */
final class ReadingSqlITCase {

  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(4)
              .build());

  private static final String MANY =
      "CREATE TABLE src (id int, name text); INSERT INTO src SELECT i, repeat('x', 300) FROM"
          + " generate_series(1, 10000) i";

  private PostgresDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = Postgres.shared().database();
    Slow.reset();
  }

  @AfterEach
  void drop() throws SQLException {
    assertNobodyIsLeft();
    database.close();
  }

  private void assertNobodyIsLeft() {
    Await.until(
        "no session is left",
        Duration.ofSeconds(20),
        () -> new PgProbe(database).sessions("flink-connector-txn").isEmpty());
  }

  /** Lets rows through slowly until it is told to fail, once; then as fast as they come. */
  public static final class Slow extends ScalarFunction {
    private static final long serialVersionUID = 1L;

    private static final AtomicBoolean SLOW = new AtomicBoolean();
    private static final AtomicBoolean FAIL = new AtomicBoolean();

    static void reset() {
      SLOW.set(true);
      FAIL.set(false);
    }

    /** The same number. */
    public Integer eval(Integer id) {
      if (SLOW.get()) {
        LockSupport.parkNanos(500_000);
      }
      if (FAIL.compareAndSet(true, false)) {
        SLOW.set(false);
        throw new IllegalStateException("asked for");
      }
      return id;
    }
  }

  private static TableEnvironment session(boolean batch, String... settings) {
    Configuration configuration = new Configuration();
    configuration.setString("parallelism.default", "2");
    configuration.setString("restart-strategy.type", "fixed-delay");
    configuration.setString("restart-strategy.fixed-delay.attempts", "10");
    configuration.setString("restart-strategy.fixed-delay.delay", "100 ms");
    for (int i = 0; i < settings.length; i += 2) {
      configuration.setString(settings[i], settings[i + 1]);
    }
    EnvironmentSettings.Builder builder =
        EnvironmentSettings.newInstance().withConfiguration(configuration);
    TableEnvironment session =
        TableEnvironment.create(
            (batch ? builder.inBatchMode() : builder.inStreamingMode()).build());
    session.createTemporarySystemFunction("SLOW", Slow.class);
    return session;
  }

  private void declare(TableEnvironment session, String name, String columns, String... options) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("connector", "txn-jdbc");
    all.put("url", database.url());
    all.put("table-name", name);
    all.put("username", database.user());
    all.put("sink.transactional-id-prefix", name);
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    session.executeSql(
        all.entrySet().stream()
            .map(option -> "'" + option.getKey() + "' = '" + option.getValue() + "'")
            .collect(
                Collectors.joining(
                    ", ", "CREATE TEMPORARY TABLE " + name + " (" + columns + ") WITH (", ")")));
  }

  private static List<String> rows(TableEnvironment session, String query) throws Exception {
    List<String> rows = new ArrayList<>();
    try (CloseableIterator<Row> found = session.executeSql(query).collect()) {
      while (found.hasNext()) {
        rows.add(found.next().toString());
      }
    }
    return rows.stream().sorted().toList();
  }

  private List<String> ids(String table) throws SQLException {
    return database.query("SELECT t.id::text FROM " + table + " t ORDER BY t.id");
  }

  private static List<String> numbers(int to) {
    return IntStream.rangeClosed(1, to).mapToObj(String::valueOf).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readsInEitherMode(boolean batch) throws Exception {
    database.execute(MANY);
    TableEnvironment session = session(batch);
    declare(session, "src", "id INT, name STRING", "scan.parallelism", "3");
    assertThat(rows(session, "SELECT id FROM src WHERE CHAR_LENGTH(name) = 300")).hasSize(10_000);
    assertThat(rows(session, "SELECT id FROM src WHERE id BETWEEN 9 AND 11 OR id = 77"))
        .containsExactly("+I[10]", "+I[11]", "+I[77]", "+I[9]");
    assertThat(rows(session, "SELECT id FROM src LIMIT 3")).hasSize(3);
  }

  private static final List<String> PREDICATES =
      List.of(
          "i = 5",
          "i <> 5",
          "i < 5 OR i > 7",
          "i IN (1, 5, 6, 99)",
          "i NOT IN (1, 5)",
          "NOT (i = 5 AND s = 'a')",
          "i IS NULL",
          "5 >= i",
          "m > 1.5",
          "m BETWEEN 0 AND 2",
          "m = 1.50",
          "s = 'a'",
          "s <> 'a'",
          "s IN ('a', 'A', 'é', 'ab ')",
          "s = ''",
          "s > 'a'",
          "s = 'it''s \\ x'",
          "p = 'ab'",
          "p = 'ab '",
          "p <> 'ab'",
          "c = 'ab'",
          "d = CAST('NaN' AS DOUBLE)",
          "d > 1",
          "d IS NULL",
          "NOT d > 1",
          "ok",
          "NOT ok",
          "ok IS NOT TRUE",
          "`day` >= DATE '2020-02-29'",
          "ts = TIMESTAMP '2020-01-01 00:00:00.123'",
          "ts <> TIMESTAMP '2020-01-01 00:00:00.123'",
          "ts > TIMESTAMP '2020-01-01 00:00:00.123'",
          "ts <= TIMESTAMP '2020-01-01 00:00:00.123'",
          "ts < TIMESTAMP '2020-01-01 00:00:00.124'",
          "e = 'calm'",
          "e = 'none'",
          "u = '6F1D2C3B-0000-4000-8000-0A0B0C0D0E0F'",
          "u = '6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f'",
          "a = '10.0.0.1'",
          "j = '{ }'",
          "j IS NULL",
          "ci = 'a'",
          "ci <> 'a'");

  /** Each predicate as PostgreSQL and Flink divide it among themselves, and as Flink alone does. */
  @Test
  void conditionsMeanTheSameThingInTheDatabase() throws Exception {
    database.execute(
        """
        CREATE TYPE mood AS ENUM ('calm', 'angry');
        CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        CREATE TABLE src (id int, i int, m numeric, s text, p char(4), c char(4), d float8,
          ok boolean, day date, ts timestamp, e mood, u uuid, a inet, ci text COLLATE folding, j json);
        INSERT INTO src VALUES
          (1, 5, 1.5, 'a', 'ab', 'ab', 1, true, '2020-02-29', '2020-01-01 00:00:00.123', 'calm',
            '6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f', '10.0.0.1', 'a', '{ }'),
          (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
          (3, 6, 1.51, 'A', 'AB', 'AB', 'NaN', false, '2020-03-01', '2020-01-01 00:00:00.123999',
            'angry', NULL, '10.0.0.0/8', 'A', '{}'),
          (4, -1, -0.5, 'é', 'é', 'abcd', '-0', true, '0001-01-01', '2020-01-01 00:00:00.122999',
            NULL, NULL, '::1', 'á', NULL),
          (5, 99, 100, 'it''s \\ x', '', 'x', 'Infinity', NULL, '1969-12-31',
            '2020-01-01 00:00:00.124', 'calm', NULL, NULL, '', 'null'),
          (6, 1, 0, 'ab ', 'ab  ', '', 0, false, '2020-02-28', '1969-12-31 23:59:59.9999', 'angry',
            NULL, NULL, 'b', NULL),
          (7, 7, 2, '', 'b', 'b', -1, true, NULL, NULL, NULL, NULL, NULL, NULL, NULL)\
        """);
    TableEnvironment session = session(true, "parallelism.default", "1");
    declare(
        session,
        "src",
        "id INT, i INT, m DECIMAL(10, 2), s STRING, p STRING, c CHAR(4), d DOUBLE, ok BOOLEAN,"
            + " `day` DATE, ts TIMESTAMP(3), e STRING, u STRING, a STRING, ci STRING, j STRING");
    // As columns of the result they are not pushed.
    String alone =
        IntStream.range(0, PREDICATES.size())
            .mapToObj(i -> "CASE WHEN " + PREDICATES.get(i) + " THEN '" + i + ";' ELSE '' END")
            .collect(Collectors.joining(" || ", "SELECT id, ", " FROM src"));
    List<String> expected = new ArrayList<>();
    try (CloseableIterator<Row> found = session.executeSql(alone).collect()) {
      while (found.hasNext()) {
        Row row = found.next();
        for (String predicate : ((String) row.getField(1)).split(";")) {
          if (!predicate.isEmpty()) {
            expected.add("+I[" + predicate + ", " + row.getField(0) + "]");
          }
        }
      }
    }
    List<String> pushed = new ArrayList<>();
    int together = 14;
    for (int from = 0; from < PREDICATES.size(); from += together) {
      pushed.addAll(
          rows(
              session,
              IntStream.range(from, Math.min(from + together, PREDICATES.size()))
                  .mapToObj(i -> "SELECT " + i + ", id FROM src WHERE " + PREDICATES.get(i))
                  .collect(Collectors.joining(" UNION ALL "))));
    }
    assertThat(pushed).hasSizeGreaterThan(80).containsExactlyInAnyOrderElementsOf(expected);
  }

  /**
   * One subtask fails in the middle, after a checkpoint or before; the other goes on. Flink's last
   * checkpoint may need a second try, for which it waits the interval.
   */
  @ParameterizedTest
  @CsvSource({"false, 200 ms", "false, 10 s", "true, 10 s"})
  void aFailureInTheMiddleLosesAndRepeatsNothing(boolean batch, String interval) throws Exception {
    database.execute(MANY + "; CREATE TABLE dst (id int)");
    TableEnvironment session =
        batch ? session(true) : session(false, "execution.checkpointing.interval", interval);
    declare(session, "src", "id INT, name STRING", "scan.fetch-size", "20");
    declare(session, "dst", "id INT");
    TableResult job = session.executeSql("INSERT INTO dst SELECT SLOW(id) FROM src");
    if (interval.endsWith("ms")) {
      Await.until(
          "a checkpoint in the middle", Duration.ofSeconds(30), () -> ids("dst").size() > 100);
      database.execute("UPDATE src SET name = 'changed' WHERE id % 3 = 0");
      database.execute("DELETE FROM src WHERE id % 2 = 0");
    } else {
      awaitReaders();
    }
    Slow.FAIL.set(true);
    job.await(60, TimeUnit.SECONDS);
    assertThat(Slow.FAIL.get()).isFalse();
    assertThat(ids("dst")).isEqualTo(numbers(10_000));
  }

  private void awaitReaders() {
    Await.until(
        "readers are at work",
        Duration.ofSeconds(30),
        () -> new PgProbe(database).sessions("flink-connector-txn").size() >= 3);
  }

  /** Without a checkpoint everything starts over, with a snapshot of then. */
  @Test
  void aSnapshotThatIsLostBeforeAnyCheckpointStartsTheScanOver() throws Exception {
    database.execute(MANY + "; CREATE TABLE dst (id int)");
    // Flink 2.3 takes a first checkpoint at once otherwise.
    TableEnvironment session =
        session(
            false,
            "execution.checkpointing.interval",
            "1 h",
            "execution.checkpointing.min-pause",
            "1 h");
    declare(session, "src", "id INT, name STRING", "scan.fetch-size", "20");
    declare(session, "dst", "id INT");
    TableResult job = session.executeSql("INSERT INTO dst SELECT SLOW(id) FROM src");
    awaitReaders();
    database.execute("INSERT INTO src VALUES (10001, 'new')");
    Slow.SLOW.set(false);
    database.terminateSessions("flink-connector-txn");
    job.await(60, TimeUnit.SECONDS);
    assertThat(ids("dst")).isEqualTo(numbers(10_001));
  }

  /** Half a scan that was committed cannot be completed from another state of the table. */
  @Test
  void aSnapshotThatIsLostAfterACheckpointInTheMiddleEndsTheJob() throws Exception {
    database.execute(MANY + "; CREATE TABLE dst (id int)");
    TableEnvironment session = session(false, "execution.checkpointing.interval", "200 ms");
    declare(session, "src", "id INT, name STRING", "scan.fetch-size", "20");
    declare(session, "dst", "id INT");
    TableResult job = session.executeSql("INSERT INTO dst SELECT SLOW(id) FROM src");
    Await.until(
        "a checkpoint in the middle", Duration.ofSeconds(30), () -> ids("dst").size() > 100);
    database.terminateSessions("flink-connector-txn");
    assertThatThrownBy(() -> job.await(60, TimeUnit.SECONDS))
        .hasStackTraceContaining("in the middle of a scan of PostgreSQL table \"src\"");
  }

  /**
   * The snapshot is gone as soon as a checkpoint says that nobody needs it, though the job runs.
   */
  @Test
  void theSnapshotLivesNoLongerThanTheScan() throws Exception {
    database.execute("CREATE TABLE src (id int, name text); INSERT INTO src VALUES (1, 'a')");
    TableEnvironment session = session(false, "execution.checkpointing.interval", "200 ms");
    declare(session, "src", "id INT, name STRING");
    session.executeSql(
        "CREATE TEMPORARY TABLE endless (id INT) WITH ('connector' = 'datagen',"
            + " 'rows-per-second' = '10')");
    TableResult job =
        session.executeSql("SELECT e.id, src.name FROM endless e JOIN src ON e.id = src.id");
    Await.until(
        "the scan has begun",
        Duration.ofSeconds(20),
        () -> !new PgProbe(database).sessions("flink-connector-txn").isEmpty());
    assertNobodyIsLeft();
    assertThat(job.getJobClient().get().getJobStatus().get().isTerminalState()).isFalse();
    job.getJobClient().get().cancel().get();
  }

  @Test
  void aCancelledScanLeavesNoSession() throws Exception {
    database.execute(MANY);
    TableEnvironment session = session(false);
    declare(session, "src", "id INT, name STRING", "scan.fetch-size", "20");
    TableResult job = session.executeSql("SELECT SLOW(id), name FROM src");
    awaitReaders();
    job.getJobClient().get().cancel().get();
    assertNobodyIsLeft();
  }

  /** Its transactions keep their sessions, so that a pool that shares them is no matter. */
  @Test
  void scansThroughAPoolOfTransactions() throws Exception {
    PgBouncer.assumeInstalled();
    database.execute(MANY);
    TableEnvironment session = session(false);
    declare(
        session,
        "src",
        "id INT, name STRING",
        "url",
        database.urlThrough(PgBouncer.shared()),
        "lookup.cache",
        "NONE");
    assertThat(rows(session, "SELECT id FROM src WHERE name <> 'y'")).hasSize(10_000);
    session.executeSql(
        "CREATE TEMPORARY VIEW asked AS SELECT id, PROCTIME() AS t FROM (VALUES (7), (0)) AS v"
            + " (id)");
    assertThat(
            rows(
                session,
                "SELECT src.id FROM asked JOIN src FOR SYSTEM_TIME AS OF asked.t"
                    + " ON asked.id = src.id"))
        .containsExactly("+I[7]");
    database.terminateSessions("flink-connector-txn");
  }

  @Test
  void aTableThatCannotBeReadEndsTheJobAtItsStart() {
    TableEnvironment session = session(false);
    declare(session, "src", "id INT, name STRING");
    assertThatThrownBy(() -> rows(session, "SELECT * FROM src"))
        .hasStackTraceContaining("There is no such table")
        .hasStackTraceContaining("SuppressRestartsException");
  }

  /** What the sink has written, the source reads. */
  @Test
  void readsWhatWasWritten() throws Exception {
    database.execute(
        "CREATE TABLE \"Ty.\"\"x\" (\"naïve col\" int, \"we\"\"ird\" text, ts timestamptz)");
    TableEnvironment session = session(true);
    declare(
        session,
        "dst",
        "`naïve col` INT, `we\"ird` STRING, ts TIMESTAMP_LTZ(6)",
        "table-name",
        "\"Ty.\"\"x\"");
    session
        .executeSql(
            "INSERT INTO dst VALUES (1, 'é', TO_TIMESTAMP_LTZ(1600000000123, 3)), (2, CAST(NULL AS"
                + " STRING), CAST(NULL AS TIMESTAMP_LTZ(6)))")
        .await(60, TimeUnit.SECONDS);
    session.getConfig().set("table.local-time-zone", "Asia/Kolkata");
    assertThat(
            rows(
                session,
                "SELECT `naïve col`, `we\"ird`, CAST(ts AS STRING) FROM dst WHERE `we\"ird` = 'é'"
                    + " OR `naïve col` = 2"))
        .containsExactly("+I[1, é, 2020-09-13 17:56:40.123000]", "+I[2, null, null]");
  }
}
