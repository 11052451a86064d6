// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements as users write them, through planner and cluster into a real server. */
final class TxnJdbcSqlITCase {

  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(4)
              .build());

  private PostgresDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = Postgres.shared().database();
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  private TableEnvironment session(boolean batch, String... settings) {
    Configuration configuration = new Configuration();
    for (int i = 0; i < settings.length; i += 2) {
      configuration.setString(settings[i], settings[i + 1]);
    }
    EnvironmentSettings.Builder builder =
        EnvironmentSettings.newInstance().withConfiguration(configuration);
    return TableEnvironment.create(
        (batch ? builder.inBatchMode() : builder.inStreamingMode()).build());
  }

  private String table(String columns, String... options) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("connector", "txn-jdbc");
    all.put("url", database.url());
    all.put("table-name", "dst");
    all.put("username", database.user());
    all.put("sink.transactional-id-prefix", "sql");
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return all.entrySet().stream()
        .map(option -> "'" + option.getKey() + "' = '" + option.getValue() + "'")
        .collect(
            Collectors.joining(", ", "CREATE TEMPORARY TABLE dst (" + columns + ") WITH (", ")"));
  }

  private static void run(TableEnvironment session, String insert) throws Exception {
    session.executeSql(insert).await(60, TimeUnit.SECONDS);
  }

  private List<String> rows() throws SQLException {
    return database.query("SELECT d::text FROM dst d ORDER BY 1");
  }

  private void assertNothingLeft() throws SQLException {
    assertThat(database.query("SELECT id::text FROM flink_txn.staging")).isEmpty();
    assertThat(database.query("SELECT relname FROM pg_class WHERE relname ~ '^staged_'")).isEmpty();
  }

  /** A2. */
  @ParameterizedTest
  @ValueSource(strings = {"1 mb", "1 b"})
  void boundedInputIsThereWhenTheJobHasFinished(String inline) throws Exception {
    database.execute("CREATE TABLE dst (id int, name text)");
    TableEnvironment streaming = session(false, "execution.checkpointing.interval", "10 min");
    streaming.executeSql(table("id INT, name STRING", "sink.inline-max-size", inline));
    run(streaming, "INSERT INTO dst VALUES (1, 'a'), (2, 'b'), (3, CAST(NULL AS STRING))");
    assertThat(rows()).containsExactly("(1,a)", "(2,b)", "(3,)");
    assertNothingLeft();
  }

  @Test
  void batchInputIsThereWhenTheJobHasFinished() throws Exception {
    database.execute("CREATE TABLE dst (id int, name text)");
    TableEnvironment batch = session(true);
    batch.executeSql(table("id INT, name STRING"));
    run(batch, "INSERT INTO dst VALUES (1, 'a'), (2, 'b'), (3, CAST(NULL AS STRING))");
    assertThat(rows()).containsExactly("(1,a)", "(2,b)", "(3,)");
    run(batch, "INSERT INTO dst SELECT * FROM (VALUES (1, 'a')) WHERE FALSE");
    assertThat(rows()).hasSize(3);
    assertNothingLeft();
  }

  /** A changelog whose last values per key are known. */
  @ParameterizedTest
  @ValueSource(strings = {"exactly-once", "at-least-once"})
  void anAggregationIsUpserted(String guarantee) throws Exception {
    database.execute("CREATE TABLE dst (word text PRIMARY KEY, c bigint)");
    TableEnvironment session =
        session(false, "execution.checkpointing.interval", "200 ms", "parallelism.default", "2");
    session.executeSql(
        table(
            "word STRING, c BIGINT, PRIMARY KEY (word) NOT ENFORCED",
            "sink.delivery-guarantee",
            guarantee));
    run(
        session,
        "INSERT INTO dst SELECT word, COUNT(*) FROM (VALUES ('a'), ('b'), ('a'), ('c'), ('a'))"
            + " AS t (word) GROUP BY word");
    assertThat(rows()).containsExactly("(a,3)", "(b,1)", "(c,1)");
  }

  @Test
  void anIdempotentUpsertNeedsNoLedger() throws Exception {
    database.execute("CREATE TABLE dst (word text PRIMARY KEY, c bigint)");
    TableEnvironment session = session(false, "execution.checkpointing.interval", "200 ms");
    session.executeSql(
        table(
            "word STRING, c BIGINT, PRIMARY KEY (word) NOT ENFORCED",
            "sink.idempotent-upsert",
            "always"));
    run(
        session,
        "INSERT INTO dst SELECT word, COUNT(*) FROM (VALUES ('a'), ('b'), ('a')) AS t (word)"
            + " GROUP BY word");
    assertThat(rows()).containsExactly("(a,2)", "(b,1)");
    assertThat(database.query("SELECT nspname FROM pg_namespace WHERE nspname = 'flink_txn'"))
        .isEmpty();
  }

  /** One decision for the whole sink, made where the statement is planned. */
  @Test
  void withoutRightsToTheLedgerItFallsBackOrIsRefused() throws Exception {
    String role = "poor_" + database.name();
    database.execute("CREATE TABLE dst (word text PRIMARY KEY, c bigint)");
    database.execute(
        "CREATE ROLE %s LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON dst TO %s"
            .formatted(role, role));
    String insert =
        "INSERT INTO dst SELECT word, COUNT(*) FROM (VALUES ('a'), ('b'), ('a')) AS t (word)"
            + " GROUP BY word";
    for (String upsert : List.of("fallback", "never")) {
      TableEnvironment session = session(false, "execution.checkpointing.interval", "200 ms");
      session.executeSql(
          table(
              "word STRING, c BIGINT, PRIMARY KEY (word) NOT ENFORCED",
              "username",
              role,
              "sink.idempotent-upsert",
              upsert));
      if (upsert.equals("fallback")) {
        run(session, insert);
        assertThat(rows()).containsExactly("(a,2)", "(b,1)");
      } else {
        assertThatThrownBy(() -> run(session, insert))
            .hasStackTraceContaining("GRANT CREATE ON DATABASE")
            .hasStackTraceContaining("SuppressRestartsException");
      }
    }
    assertThat(database.query("SELECT nspname FROM pg_namespace WHERE nspname = 'flink_txn'"))
        .isEmpty();
    database.execute("DROP OWNED BY %s; DROP ROLE %s".formatted(role, role));
  }

  /** P5: this server is as it comes. */
  @Test
  void aServerWithoutPreparedTransactionsIsRefusedAtTheStart() throws Exception {
    database.execute("CREATE TABLE dst (id int, name text)");
    TableEnvironment session =
        session(false, "execution.checkpointing.interval", "1 s", "parallelism.default", "4");
    session.executeSql(table("id INT, name STRING", "sink.commit-strategy", "prepared"));
    assertThatThrownBy(() -> run(session, "INSERT INTO dst VALUES (1, 'a')"))
        .hasStackTraceContaining("max_prepared_transactions is 0")
        .hasStackTraceContaining("'sink.commit-strategy' to 'ledger'")
        .hasStackTraceContaining("SuppressRestartsException");
    assertThat(rows()).isEmpty();
  }

  @Test
  void aDatabaseThatIsNotThereEndsTheJob() {
    TableEnvironment session = session(false, "execution.checkpointing.interval", "1 s");
    session.executeSql(table("id INT, name STRING", "url", database.url() + "_missing"));
    assertThatThrownBy(() -> run(session, "INSERT INTO dst VALUES (1, 'a')"))
        .hasStackTraceContaining("_missing")
        .hasStackTraceContaining("3D000")
        .hasStackTraceContaining("SuppressRestartsException");
  }

  @Test
  void aMissingTableIsRefusedAtTheStart() {
    TableEnvironment session = session(false, "execution.checkpointing.interval", "1 s");
    session.executeSql(table("id INT, name STRING"));
    assertThatThrownBy(() -> run(session, "INSERT INTO dst VALUES (1, 'a')"))
        .hasStackTraceContaining("dst")
        .hasStackTraceContaining("SuppressRestartsException");
  }
}
