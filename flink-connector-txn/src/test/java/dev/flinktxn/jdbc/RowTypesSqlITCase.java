// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.fixture.PgBouncer;
import dev.flinktxn.fixture.PgProbe;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P2 in SQL: the row of NULLs first, then rows that fit, then rows that do not. */
final class RowTypesSqlITCase {

  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(2)
              .build());

  private static final String COLUMNS =
      "id INT, u STRING, j STRING, e STRING, b BYTES, ta ARRAY<STRING>, ia ARRAY<INT>,"
          + " n DECIMAL(38, 10), s TINYINT";

  private static final String THREE_ROWS =
      """
      SELECT 1, CAST(NULL AS STRING), CAST(NULL AS STRING), CAST(NULL AS STRING),
        CAST(NULL AS BYTES), CAST(NULL AS ARRAY<STRING>), CAST(NULL AS ARRAY<INT>),
        CAST(NULL AS DECIMAL(38, 10)), CAST(NULL AS TINYINT)
      UNION ALL
      SELECT 2, '6F1D2C3B-0000-4000-8000-0A0B0C0D0E0F', '{"b":"é","a":[1,null]}', 'calm',
        CAST(X'00ff10' AS BYTES), ARRAY['p', CAST(NULL AS STRING), 'q"r', '{}'],
        ARRAY[1, CAST(NULL AS INT), -2147483648],
        CAST('12345678901234567890123456.0123456789' AS DECIMAL(38, 10)), CAST(-128 AS TINYINT)
      UNION ALL
      SELECT 3, CAST(NULL AS STRING), 'null', CAST(NULL AS STRING),
        CAST(X'' AS BYTES), ARRAY_REMOVE(ARRAY[''], ''), ARRAY_REMOVE(ARRAY[0], 0),
        CAST(0.1 AS DECIMAL(38, 10)), CAST(127 AS TINYINT)
      """;

  private static final List<String> EXPECTED =
      List.of(
          "1|-|-|-|-|-|-|-|-|t|-|-|-",
          "2|6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f|{\"a\": [1, null], \"b\": \"é\"}|calm|00ff10"
              + "|{p,NULL,\"q\\\"r\",\"{}\"}|{1,NULL,-2147483648}"
              + "|12345678901234567890123456.0123456789|-128|f|3|4|3",
          "3|-|null|-||{}|{}|0.1000000000|127|f|0|0|0");

  private PostgresDatabase database;

  /** How the rows get into the table. */
  enum Way {
    APPEND(false, "sink.inline-max-size", "1 mb"),
    STAGED(false, "sink.inline-max-size", "1 b"),
    UPSERT(true, "sink.inline-max-size", "1 mb"),
    STAGED_UPSERT(true, "sink.inline-max-size", "1 b"),
    IDEMPOTENT(true, "sink.idempotent-upsert", "always");

    private final boolean keyed;
    private final String option;
    private final String value;

    Way(boolean keyed, String option, String value) {
      this.keyed = keyed;
      this.option = option;
      this.value = value;
    }
  }

  @BeforeEach
  void create() throws SQLException {
    database = Postgres.shared().database();
    database.execute(
        "CREATE TYPE mood AS ENUM ('calm', 'angry');"
            + " CREATE TABLE ty (id int PRIMARY KEY, u uuid, j jsonb, e mood, b bytea, ta text[],"
            + " ia int[], n numeric, s smallint)");
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @ParameterizedTest
  @CsvSource({
    "APPEND, false, false",
    "APPEND, true, false",
    "APPEND, false, true",
    "STAGED, false, false",
    "STAGED, true, false",
    "STAGED, false, true",
    "UPSERT, false, false",
    "UPSERT, false, true",
    "STAGED_UPSERT, false, false",
    "STAGED_UPSERT, true, true",
    "IDEMPOTENT, false, false",
    "IDEMPOTENT, false, true"
  })
  void whatFitsIsWrittenAndWhatDoesNotIsNamed(Way way, boolean text, boolean pooled)
      throws Exception {
    if (text) {
      // Its type has no binary encoder, so that the whole table is sent as text.
      database.execute("ALTER TABLE ty ADD COLUMN address inet");
    }
    String address = text ? ", CAST('10.0.0.1' AS STRING)" : "";
    insert(way, text, pooled, THREE_ROWS.replaceAll("(?m)TINYINT\\)$", "$0" + address));
    assertThat(rows()).isEqualTo(EXPECTED);

    refuses(way, text, pooled, "'not-a-uuid', 'null', 'calm', ARRAY['x']", "'u'", address);
    refuses(way, text, pooled, "'" + uuid() + "', 'null', 'sad', ARRAY['x']", "sad", address);
    refuses(way, text, pooled, "'" + uuid() + "', '{', 'calm', ARRAY['x']", "json", address);
    refuses(
        way,
        text,
        pooled,
        "'" + uuid() + "', 'null', 'calm', ARRAY['a' || CHR(0) || 'b']",
        "'ta'",
        address);
    if (pooled) {
      assertThat(new PgProbe(database).sessions("flink-connector-txn"))
          .hasSizeBetween(1, PgBouncer.POOL_SIZE)
          .containsOnly("idle");
    }
  }

  private static String uuid() {
    return "6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f";
  }

  /** One row that fits and one that does not, in one checkpoint. */
  private void refuses(
      Way way, boolean text, boolean pooled, String bad, String named, String address)
      throws Exception {
    String rest =
        ", CAST(NULL AS BYTES), %s, CAST(NULL AS ARRAY<INT>), CAST(1 AS DECIMAL(38, 10)),"
            + " CAST(1 AS TINYINT)"
            + address;
    String query =
        "SELECT 7, CAST(NULL AS STRING), CAST(NULL AS STRING), CAST(NULL AS STRING)"
            + rest.formatted("CAST(NULL AS ARRAY<STRING>)")
            + " UNION ALL SELECT 8, "
            + bad.substring(0, bad.indexOf(", ARRAY"))
            + rest.formatted(bad.substring(bad.indexOf("ARRAY")));
    assertThatThrownBy(() -> insert(way, text, pooled, query))
        .hasStackTraceContaining("ty")
        .hasStackTraceContaining(named)
        .hasStackTraceContaining("(id) = (8)")
        .hasStackTraceContaining("SuppressRestartsException");
    if (way != Way.IDEMPOTENT) {
      assertThat(rows()).isEqualTo(EXPECTED);
    }
  }

  private void insert(Way way, boolean text, boolean pooled, String query) throws Exception {
    TableEnvironment session = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
    session.getConfig().set("execution.checkpointing.interval", "10 min");
    session.getConfig().set("parallelism.default", "1");
    Map<String, String> options = new LinkedHashMap<>();
    options.put("connector", "txn-jdbc");
    if (pooled) {
      PgBouncer.assumeInstalled();
      options.put("url", database.urlThrough(PgBouncer.shared()));
    } else {
      options.put("url", database.url());
    }
    options.put("username", database.user());
    options.put("table-name", "ty");
    options.put("sink.transactional-id-prefix", "types");
    options.put(way.option, way.value);
    session.executeSql(
        options.entrySet().stream()
            .map(option -> "'" + option.getKey() + "' = '" + option.getValue() + "'")
            .collect(
                Collectors.joining(
                    ", ",
                    "CREATE TEMPORARY TABLE ty ("
                        + COLUMNS
                        + (text ? ", address STRING" : "")
                        + (way.keyed ? ", PRIMARY KEY (id) NOT ENFORCED" : "")
                        + ") WITH (",
                    ")")));
    session
        .executeSql("INSERT INTO ty " + query + (way.keyed ? " ON CONFLICT DO DEDUPLICATE" : ""))
        .await(60, TimeUnit.SECONDS);
  }

  private List<String> rows() throws SQLException {
    return database.query(
        "SELECT concat_ws('|', id, coalesce(u::text, '-'), coalesce(j::text, '-'),"
            + " coalesce(e::text, '-'), coalesce(encode(b, 'hex'), '-'), coalesce(ta::text, '-'),"
            + " coalesce(ia::text, '-'), coalesce(n::text, '-'), coalesce(s::text, '-'),"
            + " j IS NULL, coalesce(length(b)::text, '-'), coalesce(cardinality(ta)::text, '-'),"
            + " coalesce(cardinality(ia)::text, '-')) FROM ty ORDER BY id");
  }
}
