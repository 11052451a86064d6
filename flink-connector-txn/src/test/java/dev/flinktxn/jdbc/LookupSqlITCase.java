// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.PgFaults;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import dev.flinktxn.fixture.RelayFault;
import dev.flinktxn.fixture.TcpRelay;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lookup joins through planner and cluster. */
final class LookupSqlITCase {

  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(2)
              .build());

  private static final String JOIN = " JOIN dim FOR SYSTEM_TIME AS OF a.t AS d ON ";

  private PostgresDatabase database;
  private TableEnvironment session;

  @BeforeEach
  void create() throws SQLException {
    database = Postgres.shared().database();
    session = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
    session.getConfig().set("parallelism.default", "1");
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  private void declare(String columns, String... options) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("connector", "txn-jdbc");
    all.put("url", database.url());
    all.put("table-name", "dim");
    all.put("username", database.user());
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    session.executeSql(
        all.entrySet().stream()
            .map(option -> "'" + option.getKey() + "' = '" + option.getValue() + "'")
            .collect(
                Collectors.joining(
                    ", ", "CREATE TEMPORARY TABLE dim (" + columns + ") WITH (", ")")));
  }

  private void ask(String columns, String values) {
    session.executeSql(
        "CREATE TEMPORARY VIEW asked AS SELECT *, PROCTIME() AS t FROM (VALUES "
            + values
            + ") AS v ("
            + columns
            + ")");
  }

  private List<String> rows(String query) throws Exception {
    List<String> rows = new ArrayList<>();
    try (CloseableIterator<Row> found = session.executeSql(query).collect()) {
      while (found.hasNext()) {
        rows.add(found.next().toString());
      }
    }
    return rows.stream().sorted().toList();
  }

  private static String hint(boolean async) {
    return "/*+ LOOKUP('table' = 'd', 'async' = '" + async + "') */ ";
  }

  @ParameterizedTest
  @CsvSource({"true, NONE", "false, NONE", "true, PARTIAL", "false, PARTIAL"})
  void joinsBySeveralKeys(boolean async, String cache) throws Exception {
    database.execute(
        "CREATE TABLE dim (id bigint, code char(4), name text, n numeric);"
            + " INSERT INTO dim VALUES (1, 'ab', 'one', 1.5), (1, 'ab', 'uno', NULL), (1, 'x',"
            + " 'other', 0), (2, NULL, 'null', 0), (3, 'ab ', 'three', 2)");
    if (cache.equals("NONE")) {
      declare("id BIGINT, code STRING, name STRING, n DECIMAL(10, 2)");
    } else {
      declare(
          "id BIGINT, code STRING, name STRING, n DECIMAL(10, 2)",
          "lookup.cache",
          cache,
          "lookup.partial-cache.expire-after-write",
          "1 min");
    }
    ask(
        "id, code",
        "(CAST(1 AS BIGINT), 'ab'), (2, CAST(NULL AS STRING)), (3, 'ab'), (3, 'ab '),"
            + " (CAST(NULL AS BIGINT), 'ab'), (1, 'ab'), (4, 'it''s \\')");
    String query =
        "SELECT "
            + hint(async)
            + "a.id, a.code, d.name, d.n FROM asked a LEFT"
            + JOIN
            + "a.id = d.id AND a.code = d.code";
    assertThat(session.explainSql(query).contains("async=[ORDERED")).isEqualTo(async);
    assertThat(rows(query))
        .containsExactly(
            "+I[1, ab, one, 1.50]",
            "+I[1, ab, one, 1.50]",
            "+I[1, ab, uno, null]",
            "+I[1, ab, uno, null]",
            "+I[2, null, null, null]",
            "+I[3, ab , null, null]",
            "+I[3, ab, three, 2.00]",
            "+I[4, it's \\, null, null]",
            "+I[null, ab, null, null]");
  }

  /** By every type; what PostgreSQL takes for equal and Flink does not is no match. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "INT|int|7|CAST(7 AS INT)|true",
        "BIGINT|int|7|CAST(3000000000 AS BIGINT)|false",
        "DECIMAL(10, 2)|numeric|7.5|CAST(7.5 AS DECIMAL(10, 2))|true",
        "FLOAT|float8|0.1|CAST(0.1 AS FLOAT)|true",
        "DOUBLE|float8|'NaN'|CAST('NaN' AS DOUBLE)|false",
        "STRING|text|'a'|'a'|true",
        "STRING|text|'A'|'a'|false",
        "STRING|mood|'calm'|'calm'|true",
        "STRING|mood|'calm'|'nothing'|false",
        "STRING|uuid|'6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f'|'6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f'|true",
        "STRING|uuid|'6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f'|'6F1D2C3B-0000-4000-8000-0A0B0C0D0E0F'|false",
        "STRING|uuid|'6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f'|'x'|false",
        "STRING|inet|'10.0.0.1'|'10.0.0.1'|true",
        "STRING|json|'{ }'|'{ }'|true",
        "STRING|timestamptz|'2020-01-01 00:00+00'|'2020-01-01 00:00:00+00'|true",
        "CHAR(3)|text|'ab'|CAST('ab' AS CHAR(3))|true",
        "BOOLEAN|boolean|true|true|true",
        "DATE|date|'2020-02-29'|DATE '2020-02-29'|true",
        "TIMESTAMP(3)|timestamp|'2020-01-01 00:00:00.1239'|TIMESTAMP '2020-01-01"
            + " 00:00:00.123'|true",
        "TIMESTAMP(6)|timestamp|'2020-01-01 00:00:00.123456'|TIMESTAMP '2020-01-01"
            + " 00:00:00.123456'|true",
        "TIME(0)|time|'01:02:03'|TIME '01:02:03'|true",
        "BYTES|bytea|'\\x00ff'|CAST(X'00ff' AS BYTES)|true"
      })
  void findsByEveryType(String ddl, String column, String stored, String asked, boolean found)
      throws Exception {
    database.execute(
        "CREATE TYPE mood AS ENUM ('calm', 'angry'); CREATE TABLE dim (k %s, name text); INSERT INTO"
                .formatted(column)
            + " dim VALUES (NULL, 'null'), (%s, 'found')".formatted(stored));
    declare("k " + ddl + ", name STRING");
    // Of a constant the planner would make a condition.
    session.executeSql(
        "CREATE TEMPORARY VIEW asked AS SELECT k, PROCTIME() AS t FROM (SELECT CAST(%1$s AS %2$s) AS k"
                .formatted(asked, ddl)
            + " UNION ALL SELECT CAST(NULL AS %s) AS k)".formatted(ddl));
    assertThat(rows("SELECT d.name FROM asked a" + JOIN + "a.k = d.k"))
        .isEqualTo(found ? List.of("+I[found]") : List.of());
  }

  /** Conditions that were handed to the source count for lookups, too. */
  @Test
  void looksOnlyAtRowsThatFulfilTheConditions() throws Exception {
    database.execute(
        "CREATE TABLE dim (id int, name text, ok boolean); INSERT INTO dim VALUES (1, 'a', true),"
            + " (1, 'b', false), (1, 'c', NULL)");
    declare("id INT, name STRING, ok BOOLEAN");
    ask("id", "(1)");
    assertThat(rows("SELECT d.name FROM asked a" + JOIN + "a.id = d.id WHERE d.ok"))
        .containsExactly("+I[a]");
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aLostConnectionIsTriedAgain(boolean async) throws Exception {
    database.execute("CREATE TABLE dim (id int, name text); INSERT INTO dim VALUES (1, 'a')");
    PgFaults faults = new PgFaults();
    try (TcpRelay relay = TcpRelay.open(faults)) {
      relay.forwardTo(Postgres.shared().address());
      RelayFault cut = faults.cutBefore(PgFaults.statement("COPY (SELECT"), 1);
      declare("id INT, name STRING", "url", database.urlThrough(relay));
      ask("id", "(1), (2), (1)");
      assertThat(rows("SELECT " + hint(async) + "d.name FROM asked a" + JOIN + "a.id = d.id"))
          .containsExactly("+I[a]", "+I[a]");
      cut.awaitHits(1, Duration.ofSeconds(1));
    }
  }

  @Test
  void aCacheIsAskedFirst() throws Exception {
    database.execute(
        "CREATE TABLE dim (id int, name text); INSERT INTO dim VALUES (1, 'a'); CREATE SEQUENCE"
            + " asked; CREATE VIEW counted AS SELECT id, name || nextval('asked') AS name FROM"
            + " dim");
    declare(
        "id INT, name STRING",
        "table-name",
        "counted",
        "lookup.cache",
        "PARTIAL",
        "lookup.partial-cache.max-rows",
        "10");
    ask("id", "(1), (1), (1), (1)");
    assertThat(rows("SELECT " + hint(false) + "d.name FROM asked a" + JOIN + "a.id = d.id"))
        .containsExactly("+I[a1]", "+I[a1]", "+I[a1]", "+I[a1]");
  }
}
