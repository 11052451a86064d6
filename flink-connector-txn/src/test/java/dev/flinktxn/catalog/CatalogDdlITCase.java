// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import dev.flinktxn.fixture.SqlPlanner;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.catalog.exceptions.DatabaseNotEmptyException;
import org.apache.flink.table.catalog.exceptions.TableAlreadyExistException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What statements do to tables of PostgreSQL and to definitions. */
class CatalogDdlITCase {

  private PostgresDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = Postgres.shared().database();
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  private List<String> columns(String table) throws SQLException {
    return database.query(
        "SELECT attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN"
            + " ' NOT NULL' ELSE '' END || coalesce(' -- ' || col_description(attrelid, attnum), '')"
            + " FROM pg_attribute WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped"
            + " ORDER BY attnum",
        table);
  }

  @Test
  void aTableIsCreatedAlteredRenamedAndDropped() throws Exception {
    CatalogSql session = CatalogSql.of(database);
    session.run(
        "CREATE TABLE orders (id BIGINT NOT NULL COMMENT 'the ''key''', v VARCHAR(10),"
            + " CONSTRAINT by_id PRIMARY KEY (id) NOT ENFORCED) COMMENT 'all \\ {orders}'"
            + " WITH ('sink.on-existing-key' = 'update')");
    assertThat(columns("orders"))
        .containsExactly("id bigint NOT NULL -- the 'key'", "v character varying(10)");
    assertThat(database.query("SELECT obj_description('orders'::regclass)"))
        .containsExactly("all \\ {orders}");
    assertThat(
            database.query(
                "SELECT conname FROM pg_constraint WHERE contype = 'p' AND conrelid = 'orders'::regclass"))
        .containsExactly("by_id");
    session.run("CREATE TABLE IF NOT EXISTS orders (other INT)");
    assertThatThrownBy(() -> session.run("CREATE TABLE orders (other INT)"))
        .hasStackTraceContaining("already exists");

    session.run("ALTER TABLE orders ADD (qty INT COMMENT 'how many', moment TIMESTAMP(3))");
    session.run("ALTER TABLE orders MODIFY (v STRING, qty BIGINT NOT NULL)");
    session.run("ALTER TABLE orders RENAME moment TO happened");
    session.run("ALTER TABLE orders DROP PRIMARY KEY");
    session.run("ALTER TABLE orders ADD PRIMARY KEY (id, qty) NOT ENFORCED");
    assertThat(columns("orders"))
        .containsExactly(
            "id bigint NOT NULL -- the 'key'",
            "v text",
            "qty bigint NOT NULL -- how many",
            "happened timestamp(3) without time zone");
    session.run("ALTER TABLE orders DROP happened");
    session.run("ALTER TABLE orders RENAME TO sales");
    assertThat(session.show("SHOW TABLES")).containsExactly("+I[sales]");
    assertThat(session.show("SHOW CREATE TABLE sales").get(0))
        .contains("PRIMARY KEY (`id`, `qty`) NOT ENFORCED")
        .contains("'sink.on-existing-key' = 'update'")
        .contains("'sink.transactional-id-prefix' = 'cat.public.sales'");
    session.insert(SqlPlanner.byKey("INSERT INTO sales VALUES (1, 'a', CAST(2 AS BIGINT))"));
    assertThat(database.query("SELECT s::text FROM sales s")).containsExactly("(1,a,2)");
    session.run("DROP TABLE sales").run("DROP TABLE IF EXISTS sales");
    assertThat(session.show("SHOW TABLES")).isEmpty();
    assertThat(database.query("SELECT kind FROM flink_txn.definitions")).isEmpty();
  }

  /** What Flink shows as STRING stays what it is. */
  @Test
  void alteringOneThingLeavesTheRest() throws Exception {
    database.execute("CREATE TABLE docs (id int PRIMARY KEY, doc jsonb)");
    CatalogSql session = CatalogSql.of(database);
    session.run("ALTER TABLE docs MODIFY doc STRING NOT NULL COMMENT 'a document'");
    assertThat(columns("docs"))
        .containsExactly("id integer NOT NULL", "doc jsonb NOT NULL -- a document");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE TABLE t (id INT, m MAP<STRING, INT>) | column 'm' is MAP<STRING, INT>",
        "CREATE TABLE t (id INT, twice AS id * 2) | column 'twice' is computed",
        "CREATE TABLE t (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) | no WATERMARK",
        "CREATE TABLE t (id INT, d INT) PARTITIONED BY (d) | PARTITIONED BY",
        "CREATE TABLE t (id INT) WITH ('url' = 'jdbc:postgresql://elsewhere/db') | option 'url' is not that of the catalog",
        "CREATE TABLE t (id INT) WITH ('table-name' = 'public.other') | option 'table-name' is 'public.other'",
        "CREATE TABLE t (id INT) WITH ('sink.inline-max-sise' = '1 mb') | did you mean 'sink.inline-max-size'",
        "CREATE TABLE t (id INT) WITH ('password' = 's3cr3t') | option 'password' holds a secret",
        "CREATE TABLE t (id INT) WITH ('properties.sslpassword' = 's3cr3t') | option 'properties.sslpassword' of CREATE CATALOG",
        "CREATE TABLE t (id INT) WITH ('connector' = 'txn-kafka', 'properties.sasl.jaas.config' = 's3cr3t') | option 'txn-kafka.properties.sasl.jaas.config' of CREATE CATALOG",
        "CREATE TABLE t (id INT) WITH ('connector' = 'jdbc', 'url' = 'jdbc:mysql://h/d?password=s3cr3t') | option 'url' holds a secret",
        "CREATE TABLE a2345678901234567890123456789012345678901234567890123456789012345 (id INT) | longer than the 63 bytes",
        "CREATE TABLE there (id INT) | already exists",
        "CREATE TABLE nowhere.t (id INT) | nowhere",
        "CREATE DATABASE flink_txn | option 'sink.schema'",
        "CREATE DATABASE d WITH ('k' = 'v') | no properties",
        "ALTER TABLE there ADD x INT FIRST | leave out FIRST and AFTER",
        "ALTER TABLE there SET ('connector' = 'kafka') | option 'connector' cannot change",
        "DROP TABLE needed | depend",
        "DROP DATABASE filled RESTRICT | not empty"
      })
  void refusesInOneSentence(String statement, String words) throws Exception {
    database.execute(
        "CREATE TABLE there (id int); CREATE TABLE needed (id int); CREATE VIEW w AS SELECT * FROM"
            + " needed; CREATE SCHEMA filled; CREATE TABLE filled.t (id int)");
    CatalogSql session = CatalogSql.of(database);
    assertThatThrownBy(() -> session.run(statement))
        .hasStackTraceContaining(words)
        .satisfies(
            thrown -> {
              for (Throwable each = thrown; each != null; each = each.getCause()) {
                assertThat(String.valueOf(each.getMessage())).doesNotContain("s3cr3t");
              }
            });
    assertThat(session.show("SHOW TABLES")).containsExactly("+I[needed]", "+I[there]", "+I[w]");
    assertThat(database.query("SELECT nspname FROM pg_namespace WHERE nspname = 'flink_txn'"))
        .isEmpty();
  }

  @Test
  void aDefinitionIsThereInTheNextSession() throws Exception {
    CatalogSql session = CatalogSql.of(database);
    session.run(
        "CREATE TABLE events (id BIGINT NOT NULL COMMENT 'the key', name STRING, twice AS id * 2"
            + " COMMENT 'computed', moment TIMESTAMP(3) METADATA FROM 'timestamp' VIRTUAL, topic STRING"
            + " METADATA, WATERMARK FOR moment AS moment - INTERVAL '5' SECOND, PRIMARY KEY (id) NOT"
            + " ENFORCED) COMMENT 'it''s kept' WITH ('connector' = 'txn-kafka', 'topic' = 't',"
            + " 'key.format' = 'json', 'value.format' = 'json',"
            + " 'properties.bootstrap.servers' = 'localhost:1')");
    session.run(
        "CREATE TABLE files (id INT, d STRING) PARTITIONED BY (d) WITH ('connector' ="
            + " 'filesystem', 'path' = 'file:///tmp/x', 'format' = 'json')");
    session.run("CREATE VIEW fresh (a, b) COMMENT 'a view' AS SELECT id, d FROM files");
    List<String> shown = new ArrayList<>();
    for (String table : List.of("TABLE events", "TABLE files", "VIEW fresh")) {
      shown.addAll(session.show("SHOW CREATE " + table));
    }
    assertThat(shown.get(0))
        .contains("`twice` AS `id` * 2")
        .contains("WATERMARK FOR `moment` AS `moment` - INTERVAL '5' SECOND")
        .contains("'sink.transactional-id-prefix' = 'cat.public.events'");
    assertThat(shown.get(1)).contains("PARTITIONED BY (`d`)");
    // The same from every Flink, so that each reads what another wrote.
    assertThat(
            database.query(
                "SELECT key || '=' || value FROM flink_txn.definitions,"
                    + " jsonb_each_text(properties) WHERE version = 1 AND table_name = 'events'"))
        .contains(
            "column.0.name=id",
            "column.0.type=BIGINT NOT NULL",
            "column.0.comment=the key",
            "column.1.type=VARCHAR(2147483647)",
            "column.2.expression=`id` * 2",
            "column.3.metadata=timestamp",
            "column.3.type=TIMESTAMP(3)",
            "column.3.virtual=true",
            "column.4.virtual=false",
            "watermark.0.name=moment",
            "watermark.0.expression=`moment` - INTERVAL '5' SECOND",
            "key.0=id",
            "comment=it's kept",
            "option.topic=t");
    CatalogSql next = CatalogSql.of(database);
    assertThat(next.show("SHOW TABLES")).containsExactly("+I[events]", "+I[files]", "+I[fresh]");
    assertThat(next.show("SHOW VIEWS")).containsExactly("+I[fresh]");
    for (String table : List.of("TABLE events", "TABLE files", "VIEW fresh")) {
      assertThat(next.show("SHOW CREATE " + table)).isSubsetOf(shown);
    }
    assertThat(next.show("DESCRIBE events")).isEqualTo(session.show("DESCRIBE events"));
    next.run("ALTER TABLE events ADD more INT");
    next.run("ALTER TABLE events SET ('topic' = 'other')");
    next.run("ALTER VIEW fresh AS SELECT 1 AS uno");
    next.run("ALTER TABLE files RENAME TO archive");
    assertThat(session.columns("events")).contains("more INT").hasSize(6);
    assertThat(session.show("SHOW CREATE TABLE events").get(0)).contains("'topic' = 'other'");
    assertThat(session.columns("fresh")).containsExactly("uno INT NOT NULL");
    session.run("DROP VIEW fresh").run("DROP TABLE archive").run("DROP TABLE events");
    assertThat(next.show("SHOW TABLES")).isEmpty();
    assertThat(database.query("SELECT kind FROM flink_txn.definitions")).isEmpty();
  }

  @Test
  void aDefinitionIsReadAndWrittenThrough() throws Exception {
    CatalogSql.of(database)
        .run(
            "CREATE TABLE three (id INT) WITH ('connector' = 'datagen', 'number-of-rows' = '3',"
                + " 'fields.id.kind' = 'sequence', 'fields.id.start' = '1', 'fields.id.end' = '3')")
        .run("CREATE VIEW doubled AS SELECT id * 2 AS id FROM three");
    CatalogSql session = CatalogSql.of(database);
    session.insert("CREATE TABLE copied AS SELECT id, CAST(id AS STRING) AS name FROM doubled");
    assertThat(database.query("SELECT c::text FROM copied c ORDER BY id"))
        .containsExactly("(2,2)", "(4,4)", "(6,6)");
    session.run("CREATE TABLE trash (id INT) WITH ('connector' = 'blackhole')");
    session.insert("INSERT INTO trash SELECT id FROM three");
  }

  @Test
  void likeCopiesADefinitionButNotItsPrefix() throws Exception {
    CatalogSql session = CatalogSql.of(database);
    session.run(
        "CREATE TABLE a (id INT) WITH ('connector' = 'txn-kafka', 'topic' = 'a', 'format' ="
            + " 'json', 'properties.bootstrap.servers' = 'localhost:1')");
    session.run("CREATE TABLE b WITH ('topic' = 'b') LIKE a (OVERWRITING OPTIONS)");
    assertThat(session.show("SHOW CREATE TABLE b").get(0))
        .contains("'topic' = 'b'")
        .contains("'sink.transactional-id-prefix' = 'cat.public.b'");
    session.run("CREATE TABLE p (id INT NOT NULL, PRIMARY KEY (id) NOT ENFORCED)");
    session.run("CREATE TABLE q LIKE p (EXCLUDING OPTIONS)");
    assertThat(columns("q")).containsExactly("id integer NOT NULL");
    assertThatThrownBy(() -> session.run("CREATE TABLE r LIKE p"))
        .hasStackTraceContaining("EXCLUDING OPTIONS");
  }

  /** Created by somebody who does not go through a catalog. */
  @Test
  void aTableOverADefinitionIsSeenAndLeavesItAlone() throws Exception {
    CatalogSql session = CatalogSql.of(database);
    session.run("CREATE TABLE t (id INT) WITH ('connector' = 'blackhole')");
    database.execute("CREATE TABLE t (other text)");
    assertThat(session.columns("t")).containsExactly("other STRING");
    assertThat(session.show("SHOW TABLES")).containsExactly("+I[t]");
    assertThatThrownBy(() -> session.run("ALTER TABLE t SET ('sink.inline-max-size' = '2 mb')"))
        .hasStackTraceContaining("drop or rename the other");
    session.run("ALTER TABLE t ADD more INT").run("ALTER TABLE t RENAME TO u");
    assertThat(session.columns("u")).containsExactly("other STRING", "more INT");
    session.run("DROP TABLE u");
    assertThat(session.columns("t")).containsExactly("id INT");
  }

  @Test
  void databasesAreSchemas() throws Exception {
    CatalogSql session = CatalogSql.of(database);
    session.run("CREATE DATABASE `Sales EU` COMMENT 'what''s sold'");
    session.run("CREATE DATABASE IF NOT EXISTS `Sales EU`");
    assertThat(database.query("SELECT obj_description('\"Sales EU\"'::regnamespace)"))
        .containsExactly("what's sold");
    assertThat(session.tables().getCatalog("pg").orElseThrow().getDatabase("Sales EU").getComment())
        .isEqualTo("what's sold");
    session.run("USE `Sales EU`").run("CREATE VIEW v AS SELECT 1 AS uno").run("USE `public`");
    assertThatThrownBy(() -> session.run("DROP DATABASE `Sales EU` RESTRICT"))
        .hasStackTraceContaining(DatabaseNotEmptyException.class.getSimpleName());
    session.run("CREATE TABLE `Sales EU`.t (id INT)");
    session.run("DROP DATABASE `Sales EU` CASCADE");
    session.run("DROP DATABASE IF EXISTS `Sales EU`");
    assertThat(session.show("SHOW DATABASES")).containsExactly("+I[public]");
    assertThat(database.query("SELECT kind FROM flink_txn.definitions")).isEmpty();
    assertThat(session.show("SHOW PROCEDURES FROM sys")).isNotNull();
  }

  /** One wins, whatever they create; the other is told so, or does not mind. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sessionsThatCreateOneTableAgree(boolean ignore) throws Exception {
    int sessions = 4;
    String create = "CREATE TABLE " + (ignore ? "IF NOT EXISTS " : "") + "t%d (id INT)%s";
    List<CatalogSql> all = new ArrayList<>();
    for (int i = 0; i < sessions; i++) {
      all.add(CatalogSql.of(database));
    }
    CyclicBarrier start = new CyclicBarrier(sessions);
    ExecutorService threads = Executors.newFixedThreadPool(sessions);
    List<Future<Integer>> refused = new ArrayList<>();
    for (int i = 0; i < sessions; i++) {
      CatalogSql session = all.get(i);
      String options = i % 2 == 0 ? "" : " WITH ('connector' = 'blackhole')";
      Callable<Integer> work =
          () -> {
            int lost = 0;
            for (int table = 0; table < 10; table++) {
              start.await(60, TimeUnit.SECONDS);
              try {
                session.run(create.formatted(table, options));
              } catch (RuntimeException e) {
                assertThat(e).hasStackTraceContaining(TableAlreadyExistException.class.getName());
                lost++;
              }
            }
            return lost;
          };
      refused.add(threads.submit(work));
    }
    int lost = 0;
    for (Future<Integer> each : refused) {
      lost += each.get(120, TimeUnit.SECONDS);
    }
    threads.shutdown();
    assertThat(lost).isEqualTo(ignore ? 0 : 10 * (sessions - 1));
    assertThat(all.get(0).show("SHOW TABLES")).hasSize(10);
    assertThat(
            database.query(
                "SELECT d.table_name FROM flink_txn.definitions d JOIN pg_class c ON c.relname ="
                    + " d.table_name"))
        .isEmpty();
  }
}
