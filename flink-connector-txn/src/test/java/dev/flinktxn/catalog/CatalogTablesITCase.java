// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import dev.flinktxn.fixture.SqlPlanner;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.ObjectPath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tables that are there already: which are listed, under which names, and what is written where.
 */
class CatalogTablesITCase {

  private PostgresDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = Postgres.shared().database();
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  private static Catalog catalog(CatalogSql session) {
    return session.tables().getCatalog("pg").orElseThrow();
  }

  private static List<String> key(CatalogSql session, String database, String table)
      throws Exception {
    return catalog(session)
        .getTable(new ObjectPath(database, table))
        .getUnresolvedSchema()
        .getPrimaryKey()
        .map(Schema.UnresolvedPrimaryKey::getColumnNames)
        .orElse(List.of());
  }

  /** P4. */
  @Test
  void namesAreTakenLiterally() throws Exception {
    database.execute(
        """
        CREATE SCHEMA "Sales EU";
        CREATE TABLE "Sales EU"."Order" ("user" int primary key, "Group" text, "we""ird" text,
          "naïve col" numeric(10,2));
        CREATE TABLE "Sales EU"."order" ("user" int primary key, "group" text, "we""ird" text,
          "naïve col" numeric(10,2));
        CREATE TABLE "Order" ("user" int, "Group" text primary key, "we""ird" text,
          "naïve col" numeric(10,2));
        CREATE TABLE "a.b" (id int primary key, v text);
        CREATE SCHEMA a;
        CREATE TABLE a.b (v text primary key);
        CREATE TABLE seen (application text);
        CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN INSERT INTO seen VALUES (current_setting(''application_name'')); RETURN NEW; END';
        CREATE TRIGGER t BEFORE INSERT ON "Sales EU"."Order" FOR EACH ROW EXECUTE FUNCTION see();
        """);
    CatalogSql session = CatalogSql.of(database, "url", database.url() + "?ApplicationName=p4");
    assertThat(session.show("SHOW DATABASES"))
        .containsExactly("+I[Sales EU]", "+I[a]", "+I[public]");
    assertThat(session.show("SHOW TABLES FROM `Sales EU`"))
        .containsExactly("+I[Order]", "+I[order]");
    assertThat(session.show("SHOW TABLES")).containsExactly("+I[Order]", "+I[a.b]", "+I[seen]");
    assertThat(key(session, "Sales EU", "Order")).containsExactly("user");
    assertThat(key(session, "public", "Order")).containsExactly("Group");
    assertThat(key(session, "public", "a.b")).containsExactly("id");
    assertThat(key(session, "a", "b")).containsExactly("v");
    assertThat(key(session, "public", "seen")).isEmpty();
    assertThat(session.columns("`Sales EU`.`Order`"))
        .containsExactly(
            "user INT NOT NULL", "Group STRING", "we\"ird STRING", "naïve col DECIMAL(10, 2)");

    session.insert(
        SqlPlanner.byKey(
            "INSERT INTO `Sales EU`.`Order` VALUES (1, 'g', 'w', CAST(1.5 AS DECIMAL(10, 2)))"));
    session.insert(SqlPlanner.byKey("INSERT INTO `a.b` VALUES (7, 'dot')"));
    assertThat(database.query("SELECT o::text FROM \"Sales EU\".\"Order\" o"))
        .containsExactly("(1,g,w,1.50)");
    assertThat(database.query("SELECT v FROM \"a.b\"")).containsExactly("dot");
    assertThat(
            database.query(
                "SELECT 'x' FROM \"Sales EU\".\"order\" UNION ALL SELECT 'x' FROM \"Order\""
                    + " UNION ALL SELECT 'x' FROM a.b"))
        .isEmpty();
    assertThat(database.query("SELECT application FROM seen")).containsExactly("p4");
    assertThat(database.query("SELECT prefix FROM flink_txn.ledger ORDER BY 1"))
        .containsExactly("cat.Sales_20EU.Order", "cat.public.a_2eb");
    assertThat(session.show("SHOW DATABASES")).hasSize(3);
  }

  @Test
  void everyKindOfTableIsListedAndOnlyTheSinkKnowsMore() throws Exception {
    database.execute(
        """
        CREATE TABLE plain (id int PRIMARY KEY, v text NOT NULL);
        COMMENT ON TABLE plain IS 'it''s plain'; COMMENT ON COLUMN plain.v IS 'a value';
        CREATE TABLE parts (id int, day date, PRIMARY KEY (day, id)) PARTITION BY RANGE (day);
        CREATE TABLE parts_2024 PARTITION OF parts FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
        CREATE VIEW seen AS SELECT id, v FROM plain;
        CREATE MATERIALIZED VIEW kept AS SELECT id FROM plain;
        CREATE TABLE auto (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v text,
          twice text GENERATED ALWAYS AS (v || v) STORED);
        CREATE TABLE late (id int PRIMARY KEY DEFERRABLE);
        CREATE TABLE covering (id int, w int, PRIMARY KEY (id) INCLUDE (w));
        CREATE TABLE dropped (gone int, id int, PRIMARY KEY (id));
        ALTER TABLE dropped DROP COLUMN gone;
        CREATE SEQUENCE no_table; CREATE TYPE no_table_either AS (a int);
        """);
    CatalogSql session = CatalogSql.of(database);
    assertThat(session.show("SHOW TABLES"))
        .containsExactly(
            "+I[auto]",
            "+I[covering]",
            "+I[dropped]",
            "+I[kept]",
            "+I[late]",
            "+I[parts]",
            "+I[parts_2024]",
            "+I[plain]",
            "+I[seen]");
    assertThat(session.show("SHOW VIEWS")).isEmpty();
    assertThat(key(session, "public", "parts")).containsExactly("day", "id");
    assertThat(key(session, "public", "covering")).containsExactly("id");
    assertThat(key(session, "public", "dropped")).containsExactly("id");
    // It cannot be upserted by.
    assertThat(key(session, "public", "late")).isEmpty();
    assertThat(key(session, "public", "auto")).isEmpty();
    CatalogBaseTable plain = catalog(session).getTable(new ObjectPath("public", "plain"));
    assertThat(plain.getComment()).isEqualTo("it's plain");
    assertThat(session.show("DESCRIBE plain").get(1))
        .contains("v, STRING, false")
        .contains("a value");

    session.insert(SqlPlanner.byKey("INSERT INTO parts SELECT 1, DATE '2024-05-06'"));
    session.insert("INSERT INTO seen SELECT 1, 'through a view'");
    // PostgreSQL fills what it generates.
    session.insert("INSERT INTO auto VALUES ('a')");
    assertThat(database.query("SELECT p::text FROM parts_2024 p"))
        .containsExactly("(1,2024-05-06)");
    assertThat(database.query("SELECT v FROM plain")).containsExactly("through a view");
    assertThat(database.query("SELECT a::text FROM auto a")).containsExactly("(1,a,aa)");
    assertThat(session.show("SELECT * FROM auto")).containsExactly("+I[1, a, aa]");
    assertThat(session.show("SELECT twice, v FROM auto WHERE v = 'a' AND twice = 'aa'"))
        .containsExactly("+I[aa, a]");
    assertThat(session.show("SELECT id FROM auto")).containsExactly("+I[1]");
    assertThat(session.show("SELECT v FROM auto")).containsExactly("+I[a]");
    assertThat(session.show("SELECT `day`, id FROM parts")).containsExactly("+I[2024-05-06, 1]");
    assertThat(session.show("SELECT v FROM seen")).containsExactly("+I[through a view]");
    assertThat(session.show("SELECT * FROM kept")).isEmpty();
    assertThatThrownBy(() -> session.insert("INSERT INTO kept VALUES (1)"))
        .hasStackTraceContaining("materialized view");
    for (String statement :
        List.of(
            "DROP TABLE seen",
            "DROP TABLE kept",
            "ALTER TABLE seen RENAME TO other",
            "ALTER TABLE seen ADD x INT")) {
      assertThatThrownBy(() -> session.run(statement))
          .as(statement)
          .hasStackTraceContaining("view of PostgreSQL");
    }
  }

  @Test
  void optionsOfTheCatalogAreDefaultsThatTablesAndHintsOverride() throws Exception {
    database.execute(
        "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'old')");
    CatalogSql session =
        CatalogSql.of(database, "sink.on-existing-key", "ignore", "sink.schema", "other_ledger");
    Map<String, String> options =
        catalog(session).getTable(new ObjectPath("public", "t")).getOptions();
    assertThat(options)
        .containsEntry("connector", "txn-jdbc")
        .containsEntry("table-name", "public.t")
        .containsEntry("sink.on-existing-key", "ignore")
        .containsEntry("sink.transactional-id-prefix", "cat.public.t");
    session.insert(SqlPlanner.byKey("INSERT INTO t VALUES (1, 'ignored')"));
    assertThat(database.query("SELECT v FROM t")).containsExactly("old");
    assertThat(database.query("SELECT prefix FROM other_ledger.ledger"))
        .containsExactly("cat.public.t");
    session.insert(
        SqlPlanner.byKey(
            "INSERT INTO t /*+ OPTIONS('sink.on-existing-key' = 'update',"
                + " 'sink.transactional-id-prefix' = 'mine') */ VALUES (1, 'hinted')"));
    assertThat(database.query("SELECT v FROM t")).containsExactly("hinted");
    session.run("ALTER TABLE t SET ('sink.on-existing-key' = 'update')");
    assertThat(session.show("SHOW TABLES")).containsExactly("+I[t]");
    assertThat(
            database.query(
                "SELECT properties::text FROM other_ledger.definitions WHERE table_name = 't'"))
        .containsExactly("{\"option.sink.on-existing-key\": \"update\"}");
    CatalogSql next = CatalogSql.of(database, "sink.schema", "other_ledger");
    next.insert(SqlPlanner.byKey("INSERT INTO t VALUES (1, 'altered')"));
    assertThat(database.query("SELECT v FROM t")).containsExactly("altered");
    next.run("ALTER TABLE t RESET ('sink.on-existing-key')");
    assertThat(database.query("SELECT kind FROM other_ledger.definitions")).isEmpty();
  }

  @Test
  void anotherDatabaseOrWrongCredentialsAreToldAtOnce() {
    assertThatThrownBy(() -> CatalogSql.of(database, "url", database.url() + "_missing"))
        .hasStackTraceContaining("_missing\" does not exist");
    assertThatThrownBy(() -> CatalogSql.of(database, "username", "nobody_here"))
        .hasStackTraceContaining("nobody_here");
  }

  @Test
  void aRoleIsToldWhichRightItLacks() throws Exception {
    database.execute("CREATE TABLE t (id int)");
    CatalogSql.of(database).run("CREATE VIEW w AS SELECT 1 AS uno");
    String role = "reader_" + database.name();
    database.execute("CREATE ROLE %s LOGIN".formatted(role));
    CatalogSql session = CatalogSql.of(database, "username", role);
    assertThatThrownBy(() -> session.show("SHOW TABLES"))
        .hasStackTraceContaining(
            "GRANT SELECT ON \"flink_txn\".\"definitions\" TO \"" + role + "\"");
    database.execute(
        "GRANT USAGE ON SCHEMA flink_txn TO %s; GRANT SELECT ON flink_txn.definitions TO %s"
            .formatted(role, role));
    assertThat(session.show("SHOW TABLES")).containsExactly("+I[t]", "+I[w]");
    assertThatThrownBy(() -> session.run("CREATE TABLE x (id INT)"))
        .hasStackTraceContaining("permission denied for schema public");
    database.execute("DROP OWNED BY %s; DROP ROLE %s".formatted(role, role));
  }
}
