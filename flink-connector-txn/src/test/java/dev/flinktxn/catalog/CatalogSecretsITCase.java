// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.api.ExplainDetail;
import org.apache.flink.table.api.PlanReference;
import org.apache.flink.table.catalog.ObjectPath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A secret reaches the database and nothing that is shown. The server asks for no password; a name
 * of the application that looks like a secret stands for one, since the server tells it.
 */
class CatalogSecretsITCase {

  private static final String SECRET = "token=s3cr3t";

  private PostgresDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = Postgres.shared().database();
    database.execute(
        """
        CREATE TABLE t (id int, v text);
        CREATE TABLE seen (application text);
        CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN INSERT INTO seen VALUES (current_setting(''application_name'')); RETURN NEW; END';
        CREATE TRIGGER see BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION see();
        """);
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  private CatalogSql session() {
    return CatalogSql.of(database, "password", "s3cr3t", "properties.ApplicationName", SECRET);
  }

  @Test
  void itIsShownByNoStatementAboutATable() throws Exception {
    CatalogSql session = session();
    String insert = "INSERT INTO t SELECT 1, 'a'";
    assertThat(
            session.show("SHOW CREATE TABLE t")
                + session.show("DESCRIBE EXTENDED t").toString()
                + session
                    .tables()
                    .explainSql(
                        insert, ExplainDetail.JSON_EXECUTION_PLAN, ExplainDetail.CHANGELOG_MODE)
                + session.tables().getCatalog("pg").orElseThrow()
                + session
                    .tables()
                    .getCatalog("pg")
                    .orElseThrow()
                    .getTable(new ObjectPath("public", "t"))
                + session.tables().getCatalog("pg").orElseThrow().getFactory())
        .doesNotContain("s3cr3t");
    session.insert(insert);
    assertThat(database.query("SELECT application FROM seen")).containsExactly(SECRET);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ALL", "IDENTIFIER"})
  void aRestoredPlanHasItAgain(String restore, @TempDir Path directory) throws Exception {
    Path plan = directory.resolve("plan.json");
    session().run("COMPILE PLAN '%s' FOR INSERT INTO t SELECT 2, 'b'".formatted(plan.toUri()));
    assertThat(Files.readString(plan)).contains("table-name").doesNotContain("s3cr3t");
    CatalogSql next = session();
    next.tables().getConfig().set("table.plan.restore.catalog-objects", restore);
    next.tables().loadPlan(PlanReference.fromFile(plan)).execute().await(60, TimeUnit.SECONDS);
    assertThat(database.query("SELECT v FROM t")).containsExactly("b");
    assertThat(database.query("SELECT application FROM seen")).containsExactly(SECRET);
  }

  @Test
  void aFailureDoesNotShowIt() {
    CatalogSql session = session();
    Throwable thrown =
        catchThrowable(
            () ->
                session
                    .tables()
                    .explainSql(
                        "INSERT INTO t /*+ OPTIONS('sink.inline-max-size' = 'x') */ SELECT 1, 'a'"));
    assertThat(thrown).hasStackTraceContaining("sink.inline-max-size");
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      assertThat(each.getMessage()).doesNotContain("s3cr3t");
    }
  }

  /** Not ours to change; the README says it. */
  @Test
  void flinkItselfShowsTheOptionsOfTheCatalog() throws Exception {
    assertThat(session().show("SHOW CREATE CATALOG pg").get(0)).contains("'password' = 's3cr3t'");
  }

  @Test
  void noneIsInTheDatabase() throws Exception {
    session()
        .run(
            "CREATE TABLE k (id INT) WITH ('connector' = 'txn-kafka', 'topic' = 'a', 'format' ="
                + " 'json', 'properties.bootstrap.servers' = 'localhost:1')")
        .run("ALTER TABLE t SET ('sink.inline-max-size' = '2 mb')");
    List<String> kept = database.query("SELECT properties::text FROM flink_txn.definitions");
    assertThat(kept).hasSize(2).noneMatch(properties -> properties.contains("s3cr3t"));
    Map<String, String> options =
        session()
            .tables()
            .getCatalog("pg")
            .orElseThrow()
            .getTable(new ObjectPath("public", "t"))
            .getOptions();
    assertThat(options)
        .containsEntry("sink.inline-max-size", "2 mb")
        .doesNotContainKeys("password", "properties.ApplicationName");
  }
}
