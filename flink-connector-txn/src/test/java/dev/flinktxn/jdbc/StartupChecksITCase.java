// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.flinktxn.protocol.RefusedException;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a writer into PostgreSQL finds out before its first row, and in what words. */
final class StartupChecksITCase {

  /** Columns a and b. */
  private static final RowType ROWS =
      RowType.of(
          new LogicalType[] {new IntType(), new VarCharType(VarCharType.MAX_LENGTH)},
          new String[] {"a", "b"});

  private interface Setting {
    void set(CheckedTable table);
  }

  /**
   * Something that is refused.
   *
   * @param statements what the superuser runs first
   * @param words what the message must contain
   */
  private record Refusal(
      String name, boolean asRole, Setting setting, String statements, List<String> words) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static Refusal owner(String name, Setting setting, String sql, String... words) {
    return new Refusal(name, false, setting, sql, List.of(words));
  }

  private static Refusal role(String name, Setting setting, String sql, String... words) {
    return new Refusal(name, true, setting, sql, List.of(words));
  }

  private static void appending(CheckedTable table) {}

  private static void upserting(CheckedTable table) {
    table.key = List.of("a");
    table.onExistingKey = OnExistingKey.UPDATE;
  }

  private static Setting keyed(String... columns) {
    return table -> table.key = List.of(columns);
  }

  static Stream<Refusal> refusals() {
    return Stream.of(tables(), columns(), keys(), rights(), ledgerRights()).flatMap(each -> each);
  }

  private static Stream<Refusal> tables() {
    return Stream.of(
        owner(
            "no table",
            StartupChecksITCase::appending,
            "SELECT 1",
            "cat.db.t",
            "PostgreSQL table $s.\"t\"",
            "no such table",
            "'table-name'"),
        owner(
            "other case",
            StartupChecksITCase::appending,
            "CREATE TABLE $s.\"T\" (a int, b text)",
            "There is $s.\"T\". Create it"),
        owner(
            "a dot in the name",
            checked -> checked.table = new TableName(checked.schema, "b"),
            "CREATE TABLE $s.\"$n.b\" (a int, b text)",
            "There is $s.\"$n.b\""),
        owner(
            "a dot between schema and name",
            checked -> checked.table = new TableName(null, checked.schema + ".t"),
            "CREATE TABLE $s.t (a int, b text)",
            "on the search path (\"public\")",
            "There is $s.\"t\" (its schema is not on the search path)"),
        owner(
            "a schema that is not searched",
            checked -> checked.table = new TableName(null, "only here"),
            "CREATE TABLE $s.\"only here\" (a int, b text)",
            "on the search path (\"public\")",
            "There is $s.\"only here\" (its schema is not on the search path)"),
        role(
            "a schema that may not be used",
            checked -> checked.table = new TableName(null, "only there"),
            "CREATE TABLE $s.\"only there\" (a int, b text)",
            "There is $s.\"only there\" (for which the role needs GRANT USAGE ON SCHEMA $s TO $u)"),
        owner(
            "a materialized view",
            StartupChecksITCase::appending,
            "CREATE MATERIALIZED VIEW $s.t AS SELECT 1 AS a, 'x' AS b",
            "a materialized view"),
        owner("a sequence", StartupChecksITCase::appending, "CREATE SEQUENCE $s.t", "a sequence"),
        owner(
            "a view of two tables",
            StartupChecksITCase::appending,
            "CREATE VIEW $s.t AS SELECT 1 AS a, 'x'::text AS b",
            "a view into which nothing can be inserted",
            "INSTEAD OF INSERT"));
  }

  private static Stream<Refusal> columns() {
    return Stream.of(
        owner(
            "missing columns",
            StartupChecksITCase::appending,
            "CREATE TABLE $s.t (c int, \"d e\" int)",
            "columns (\"a\", \"b\"), which the table lacks",
            "the table has (\"c\", \"d e\")",
            "ALTER TABLE $s.\"t\" ADD COLUMN"),
        owner(
            "a column in other case",
            StartupChecksITCase::appending,
            "CREATE TABLE $s.t (\"A\" int, b text)",
            "columns (\"a\"), which the table lacks",
            "upper and lower case count"),
        owner(
            "a generated column",
            StartupChecksITCase::appending,
            "CREATE TABLE $s.t (a int GENERATED ALWAYS AS (length(b)) STORED, b text)",
            "Column \"a\" is GENERATED ALWAYS AS an expression",
            "take it out of the DDL"),
        owner(
            "an identity",
            StartupChecksITCase::appending,
            "CREATE TABLE $s.t (a int GENERATED ALWAYS AS IDENTITY, b text)",
            "Column \"a\" is GENERATED ALWAYS AS IDENTITY",
            "ALTER TABLE $s.\"t\" ALTER COLUMN \"a\" SET GENERATED BY DEFAULT"),
        owner(
            "a NOT NULL column that nobody fills",
            StartupChecksITCase::appending,
            "CREATE TABLE $s.t (a int, b text, c numeric(5,2) NOT NULL)",
            "Column \"c\" (numeric(5,2)) is NOT NULL without a default",
            "SET DEFAULT"),
        owner(
            "a NOT NULL domain that nobody fills",
            StartupChecksITCase::appending,
            "CREATE DOMAIN $s.base AS int NOT NULL; CREATE DOMAIN $s.filled AS $s.base;"
                + "CREATE TABLE $s.t (a int, b text, c $s.filled)",
            "Column \"c\" ($s.filled) is NOT NULL without a default"),
        owner(
            "a NOT NULL column of which only updates are filled",
            StartupChecksITCase::appending,
            "CREATE TABLE $s.t (a int, b text, c int NOT NULL);"
                + "CREATE FUNCTION $s.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW;"
                + " END';"
                + "CREATE TRIGGER g BEFORE UPDATE ON $s.t FOR EACH ROW EXECUTE FUNCTION $s.f()",
            "Column \"c\" (integer) is NOT NULL without a default"),
        owner(
            "all at once",
            keyed("a"),
            "CREATE TABLE $s.t (b text GENERATED ALWAYS AS ('x') STORED, c int NOT NULL)",
            "for these reasons",
            "columns (\"a\")",
            "Column \"b\"",
            "Column \"c\"",
            "PRIMARY KEY (\"a\")"));
  }

  private static Stream<Refusal> keys() {
    return Stream.of(
        owner(
            "a longer key than the database's",
            keyed("a", "b"),
            "CREATE TABLE $s.t (a int PRIMARY KEY, b text)",
            "PRIMARY KEY (\"a\", \"b\")",
            "has unique keys (\"a\")",
            "Declare PRIMARY KEY (`a`) NOT ENFORCED in the DDL, or run CREATE UNIQUE INDEX ON"
                + " $s.\"t\" (\"a\", \"b\")"),
        owner(
            "a shorter key than the database's",
            keyed("a"),
            "CREATE TABLE $s.t (a int, b text, PRIMARY KEY (b, a))",
            "PRIMARY KEY (\"a\")",
            "has unique keys (\"b\", \"a\")",
            "PRIMARY KEY (`b`, `a`) NOT ENFORCED"),
        owner(
            "no key",
            keyed("a"),
            "CREATE TABLE $s.t (a int, b text)",
            "the table has no unique key. Run CREATE UNIQUE INDEX"),
        owner(
            "a partial key",
            keyed("a"),
            "CREATE TABLE $s.t (a int, b text);"
                + "CREATE UNIQUE INDEX \"some\" ON $s.t (a) WHERE b IS NULL",
            "(\"a\") in index \"some\", which has a WHERE clause"),
        owner(
            "a key of an expression",
            keyed("a"),
            "CREATE TABLE $s.t (a int, b text);"
                + "CREATE UNIQUE INDEX \"some\" ON $s.t (a, lower(b))",
            "(\"a\") in index \"some\", which has a WHERE clause or an expression"),
        owner(
            "a deferrable key",
            keyed("a"),
            "CREATE TABLE $s.t (a int, b text, CONSTRAINT \"late\" UNIQUE (a) DEFERRABLE)",
            "(\"a\") in index \"late\", which is deferrable"),
        owner(
            "an invalid key",
            keyed("a"),
            "CREATE TABLE $s.t (a int, b text); CREATE UNIQUE INDEX \"broken\" ON $s.t (a);"
                + "UPDATE pg_index SET indisvalid = false"
                + " WHERE indexrelid = '$s.\"broken\"'::regclass",
            "(\"a\") in index \"broken\", which is invalid"),
        owner(
            "a key with an included column",
            keyed("a", "b"),
            "CREATE TABLE $s.t (a int, b text, UNIQUE (a) INCLUDE (b))",
            "has unique keys (\"a\")"));
  }

  private static final String TABLE = "CREATE TABLE $s.t (a int PRIMARY KEY, b text);";
  private static final String ALLOWED = "GRANT CREATE ON DATABASE postgres TO $u;";
  private static final String USAGE = "GRANT USAGE ON SCHEMA $s TO $u;";

  private static Stream<Refusal> rights() {
    return Stream.of(
        role(
            "no right at all",
            StartupChecksITCase::upserting,
            TABLE + ALLOWED,
            "GRANT USAGE ON SCHEMA $s TO $u",
            "GRANT INSERT, UPDATE, DELETE, SELECT ON $s.\"t\" TO $u"),
        role(
            "the right to insert one column",
            StartupChecksITCase::appending,
            TABLE + ALLOWED + USAGE + "GRANT INSERT (a), SELECT ON $s.t TO $u",
            "lacks INSERT on the table. Run GRANT INSERT ON $s.\"t\" TO $u."),
        role(
            "no right to look for duplicates",
            StartupChecksITCase::appending,
            TABLE + ALLOWED + USAGE + "GRANT INSERT ON $s.t TO $u",
            "lacks SELECT on the table. Run GRANT SELECT ON $s.\"t\" TO $u."),
        role(
            "no right to copy the table's shape",
            StartupChecksITCase::appending,
            "CREATE TABLE $s.t (a int, b text);"
                + ALLOWED
                + USAGE
                + "GRANT INSERT, SELECT (a, b) ON $s.t TO $u",
            "lacks SELECT on the table. Run GRANT SELECT ON $s.\"t\" TO $u."),
        role(
            "no right to look for duplicates without transactions",
            checked -> checked.prefix = null,
            TABLE + USAGE + "GRANT INSERT ON $s.t TO $u",
            "lacks SELECT on the table. Run GRANT SELECT ON $s.\"t\" TO $u."),
        role(
            "no right to update",
            StartupChecksITCase::upserting,
            TABLE + ALLOWED + USAGE + "GRANT INSERT, SELECT, DELETE, UPDATE (a) ON $s.t TO $u",
            "lacks UPDATE on the table. Run GRANT UPDATE ON $s.\"t\" TO $u."),
        role(
            "no right to delete",
            StartupChecksITCase::upserting,
            TABLE + ALLOWED + USAGE + "GRANT INSERT, SELECT, UPDATE ON $s.t TO $u",
            "lacks DELETE on the table. Run GRANT DELETE ON $s.\"t\" TO $u."),
        role(
            "no right to draw from a sequence",
            StartupChecksITCase::appending,
            "CREATE TABLE $s.t (a int, b text, c serial);"
                + ALLOWED
                + USAGE
                + "GRANT INSERT, SELECT ON $s.t TO $u",
            "lacks USAGE on sequence $s.t_c_seq, which fills column \"c\"",
            "GRANT USAGE ON SEQUENCE $s.t_c_seq TO $u"));
  }

  private static Stream<Refusal> ledgerRights() {
    String usable = TABLE + USAGE + "GRANT INSERT, SELECT ON $s.t TO $u;";
    return Stream.of(
        role(
            "no schema and no right to create one",
            StartupChecksITCase::appending,
            usable,
            "Schema $l (option 'sink.schema') does not exist",
            "GRANT CREATE ON DATABASE \"postgres\" TO $u",
            "CREATE SCHEMA $l AUTHORIZATION $u"),
        role(
            "a schema of somebody else",
            StartupChecksITCase::appending,
            usable + "CREATE SCHEMA $l",
            "lacks USAGE, CREATE on schema $l",
            "GRANT USAGE, CREATE ON SCHEMA $l TO $u"),
        role(
            "a schema without the right to create",
            StartupChecksITCase::appending,
            usable + "CREATE SCHEMA $l; GRANT USAGE ON SCHEMA $l TO $u",
            "lacks CREATE on schema $l",
            "GRANT CREATE ON SCHEMA $l TO $u"),
        role(
            "a ledger of somebody else",
            StartupChecksITCase::appending,
            usable
                + "CREATE SCHEMA $l; GRANT USAGE, CREATE ON SCHEMA $l TO $u;"
                + "CREATE TABLE $l.ledger (a int); CREATE TABLE $l.horizon (a int);"
                + "GRANT SELECT, INSERT, UPDATE ON $l.ledger TO $u;"
                + "GRANT ALL ON $l.horizon TO $u",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON $l.\"ledger\" TO $u"),
        owner(
            "too few prepared transactions",
            checked -> {
              checked.strategy = CommitStrategy.PREPARED;
              checked.neededPrepared = 2;
              checked.parallelism = 4;
            },
            "CREATE TABLE $s.t (a int, b text)",
            "max_prepared_transactions is 0",
            "needs at least 8",
            "'sink.commit-strategy' to 'ledger'"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void refuses(Refusal refusal) throws Exception {
    try (CheckedTable checked = new CheckedTable()) {
      refusal.setting().set(checked);
      checked.run(refusal.statements());
      Throwable refused =
          catchThrowable(
              () -> {
                if (refusal.asRole()) {
                  checked.readAsRole(ROWS);
                } else {
                  checked.read(ROWS);
                }
              });
      assertThat(refused)
          .isInstanceOf(RefusedException.class)
          .hasMessageContainingAll(
              refusal.words().stream().map(checked::named).toArray(String[]::new));
      assertThat(refused.getMessage()).doesNotContain("secret-word");
    }
  }

  @Test
  void describesWhatIsWritten() throws Exception {
    try (CheckedTable checked =
        new CheckedTable(
            "CREATE TYPE $s.mood AS ENUM ('calm', 'angry')",
            "CREATE DOMAIN $s.price AS numeric(10, 2) NOT NULL CHECK (VALUE > 0)",
            "CREATE DOMAIN $s.prices AS $s.price[]",
            "CREATE TYPE $s.pair AS (x int, y int)",
            "CREATE TABLE $s.t (made int GENERATED ALWAYS AS (1) STORED NOT NULL, gone int,"
                + " id int GENERATED ALWAYS AS IDENTITY, note varchar(7) NOT NULL DEFAULT 'x',"
                + " n numeric(5, 3)[], m $s.mood, p $s.price, ps $s.prices, c $s.pair,"
                + " i int PRIMARY KEY, \"we\"\"ird\" bpchar, UNIQUE (m, n) INCLUDE (c),"
                + " UNIQUE (p, note), UNIQUE (m) DEFERRABLE)",
            "CREATE UNIQUE INDEX ON $s.t (m, n)",
            "ALTER TABLE $s.t DROP COLUMN gone")) {
      checked.key = List.of("i");
      TargetTable found = checked.read(rows("i", "n", "m", "p", "ps", "c", "we\"ird"));
      String schema = SqlNames.quoted(checked.schema);

      assertThat(found.quoted()).isEqualTo(schema + ".\"t\"");
      assertThat(found.columnNames()).containsExactly("i", "n", "m", "p", "ps", "c", "we\"ird");
      assertThat(found.key()).containsExactly("i");
      assertThat(found.uniqueKeys())
          .containsExactlyInAnyOrder(List.of("i"), List.of("m", "n"), List.of("m"));
      assertThat(found.uniqueKeys().get(0)).containsExactly("i");
      assertThat(found.omittedNotNull()).containsExactly("made", "id", "note");
      assertThat(found.checked()).isFalse();
      assertThat(found.columns())
          .filteredOn(TargetColumn::notNull)
          .extracting(TargetColumn::name)
          .containsExactly("i", "p");
      assertThat(found.columns())
          .extracting(column -> column.type().declared())
          .containsExactly(
              "integer",
              "numeric(5,3)[]",
              schema + ".mood",
              schema + ".price",
              schema + ".prices",
              schema + ".pair",
              "bpchar");
      assertThat(found.columns())
          .extracting(column -> column.type().kind())
          .containsExactly(
              PgType.Kind.BASE,
              PgType.Kind.ARRAY,
              PgType.Kind.ENUM,
              PgType.Kind.DOMAIN,
              PgType.Kind.DOMAIN,
              PgType.Kind.OTHER,
              PgType.Kind.BASE);
      int modifier = ((5 << 16) | 3) + 4;
      assertThat(found.columns().get(0).type())
          .isEqualTo(new PgType(23, "int4", "integer", PgType.Kind.BASE, -1, null));
      assertThat(found.columns().get(1).type())
          .isEqualTo(
              new PgType(
                  1231,
                  "_numeric",
                  "numeric(5,3)[]",
                  PgType.Kind.ARRAY,
                  modifier,
                  new PgType(1700, "numeric", "numeric(5,3)", PgType.Kind.BASE, modifier, null)));
      PgType prices = found.columns().get(4).type();
      assertThat(prices.inner().kind()).isEqualTo(PgType.Kind.ARRAY);
      assertThat(prices.inner().inner().kind()).isEqualTo(PgType.Kind.DOMAIN);
      assertThat(prices.inner().inner().inner())
          .isEqualTo(
              new PgType(
                  1700, "numeric", "numeric(10,2)", PgType.Kind.BASE, ((10 << 16) | 2) + 4, null));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE $s.t ADD CHECK (a > 0)",
        "ALTER TABLE $s.t ADD EXCLUDE (a WITH =)",
        "ALTER TABLE $s.t ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE $s.t RENAME TO u; CREATE TABLE $s.t (a int, b text) PARTITION BY LIST (a);"
            + "GRANT ALL ON $s.t TO $u",
        "ALTER TABLE $s.t RENAME TO u; CREATE VIEW $s.t AS SELECT * FROM $s.u;"
            + "GRANT ALL ON $s.t TO $u",
        "CREATE TABLE $s.p (a int, b text) PARTITION BY LIST (a);"
            + "ALTER TABLE $s.p ATTACH PARTITION $s.t FOR VALUES IN (1, 2)"
      })
  void knowsWhatTheServerChecksBesidesTypes(String statements) throws Exception {
    try (CheckedTable checked =
        new CheckedTable(
            "CREATE TABLE $s.t (a int, b text)",
            "GRANT USAGE ON SCHEMA $s TO $u",
            "GRANT ALL ON $s.t TO $u",
            "CREATE SCHEMA $l AUTHORIZATION $u")) {
      assertThat(checked.readAsRole(ROWS).checked()).isFalse();
      checked.run(statements);
      assertThat(checked.readAsRole(ROWS).checked()).isTrue();
    }
  }

  @Test
  void doesNotKnowWhatADatabaseOfAnotherEncodingTakes() throws Exception {
    try (CheckedTable checked = new CheckedTable()) {
      checked.run("CREATE DATABASE $l TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
      checked.table = new TableName(null, "t");
      try (Connection connection = checked.asOwnerOf(checked.ledger);
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE t (a int, b text)");
        assertThat(StartupChecks.read(connection, checked.target(ROWS), 1).checked()).isTrue();
      } finally {
        checked.run("DROP DATABASE $l");
      }
    }
  }

  @Test
  void findsTheTableThatIsNamedAndNoOther() throws Exception {
    try (CheckedTable checked =
            new CheckedTable(
                "CREATE TABLE $s.\"Order\" (\"user\" int PRIMARY KEY, \"Group\" text,"
                    + " \"we\"\"ird\" text, \"naïve col\" numeric(10,2))",
                "CREATE TABLE $s.\"order\" (decoy int)",
                "CREATE TABLE $s.\"ORDER\" (decoy int)",
                "CREATE TABLE $s.\"a.b\" (a int PRIMARY KEY, b text)",
                "CREATE TABLE $s.b (decoy int)");
        CheckedTable other =
            new CheckedTable("CREATE TABLE $s.\"Order\" (\"user\" int, \"Group\" text UNIQUE)")) {
      checked.table = new TableName(checked.schema, "Order");
      checked.key = List.of("user");
      RowType rows = rows("user", "Group", "we\"ird", "naïve col");
      assertThat(checked.read(rows).quoted()).isEqualTo(SqlNames.quoted(checked.schema, "Order"));
      assertThat(checked.read(rows).uniqueKeys()).containsExactly(List.of("user"));

      other.table = new TableName(other.schema, "Order");
      other.key = List.of("Group");
      assertThat(other.read(rows("user", "Group")).uniqueKeys()).containsExactly(List.of("Group"));

      checked.table = new TableName(checked.schema, "a.b");
      checked.key = List.of("a");
      assertThat(checked.read(ROWS).quoted()).isEqualTo(SqlNames.quoted(checked.schema, "a.b"));
    }
  }

  @Test
  void followsTheSearchPath() throws Exception {
    try (CheckedTable first = new CheckedTable("CREATE TABLE $s.\"P.x\" (a int, b text)");
        CheckedTable second = new CheckedTable("CREATE TABLE $s.\"P.x\" (a int, b text)");
        Connection connection = first.asOwner();
        Statement statement = connection.createStatement()) {
      first.table = new TableName(null, "P.x");
      for (CheckedTable each : List.of(first, second)) {
        CheckedTable hidden = each == first ? second : first;
        statement.execute(each.named("SET search_path = $s") + hidden.named(", $s"));
        assertThat(StartupChecks.read(connection, first.target(ROWS), 1).schema())
            .isEqualTo(each.schema);
      }
    }
  }

  @Test
  void asksForNoRightThatIsNotNeeded() throws Exception {
    try (CheckedTable checked =
        new CheckedTable(
            "CREATE TABLE $s.t (a int, b text, id int GENERATED BY DEFAULT AS IDENTITY)",
            "GRANT USAGE ON SCHEMA $s TO $u",
            "GRANT INSERT (a, b) ON $s.t TO $u")) {
      checked.prefix = null;
      assertThat(checked.readAsRole(ROWS).columnNames()).containsExactly("a", "b");
      checked.prefix = "prefix";
      checked.run("GRANT CREATE ON DATABASE postgres TO $u", "GRANT SELECT ON $s.t TO $u");
      assertThat(checked.readAsRole(ROWS).columnNames()).containsExactly("a", "b");

      checked.run(
          "ALTER TABLE $s.t ADD PRIMARY KEY (a)",
          "REVOKE SELECT ON $s.t FROM $u",
          "GRANT SELECT (a, b), UPDATE (b), DELETE ON $s.t TO $u");
      checked.prefix = null;
      checked.key = List.of("a");
      checked.onExistingKey = OnExistingKey.UPDATE;
      assertThat(checked.readAsRole(ROWS).keyed()).isTrue();
    }
  }

  @Test
  void takesViewsAndTriggersThatMakeARowComplete() throws Exception {
    try (CheckedTable checked =
        new CheckedTable(
            "CREATE VIEW $s.t AS SELECT 1 AS a, 'x'::text AS b",
            "CREATE FUNCTION $s.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
            "CREATE TRIGGER g INSTEAD OF INSERT ON $s.t FOR EACH ROW EXECUTE FUNCTION $s.f()",
            "CREATE TABLE $s.filled (a int, b text, c int NOT NULL)",
            "CREATE TRIGGER g BEFORE INSERT ON $s.filled FOR EACH ROW EXECUTE FUNCTION $s.f()")) {
      assertThat(checked.read(ROWS).columnNames()).containsExactly("a", "b");
      checked.table = new TableName(checked.schema, "filled");
      assertThat(checked.read(ROWS).omittedNotNull()).containsExactly("c");
    }
  }

  @Test
  void waitsForNoLock() throws Exception {
    try (CheckedTable checked = new CheckedTable("CREATE TABLE $s.t (a int PRIMARY KEY, b text)");
        Connection alter = checked.asOwner();
        Connection connection = checked.asOwner();
        Statement altering = alter.createStatement();
        Statement statement = connection.createStatement()) {
      alter.setAutoCommit(false);
      altering.execute(checked.named("LOCK TABLE $s.t IN ACCESS EXCLUSIVE MODE"));
      statement.execute("SET lock_timeout = '1s'");
      assertThat(StartupChecks.read(connection, checked.target(ROWS), 1).name()).isEqualTo("t");
    }
  }

  @Test
  void refusesAnOldServer() throws Exception {
    StartupChecks.checkVersion("cat.db.t", "PostgreSQL table \"t\"", 14, "14.0");
    assertThatThrownBy(
            () ->
                StartupChecks.checkVersion(
                    "cat.db.t", "PostgreSQL table \"t\"", 13, "13.22 (Debian)"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContainingAll("cat.db.t", "PostgreSQL 13.22 (Debian)", "14 or later");
  }

  @Test
  void namesTypesThatDoNotFit() throws Exception {
    FoundColumn column =
        new FoundColumn(
            "a",
            new PgType(23, "int4", "integer", PgType.Kind.BASE, -1, null),
            false,
            false,
            false,
            false,
            true,
            true,
            true,
            List.of());
    FoundTable table =
        new FoundTable(
            "s",
            "t",
            'r',
            true,
            true,
            false,
            false,
            true,
            true,
            true,
            Map.of("a", column),
            List.of());
    assertThat(new ColumnChecks(table, rows("a"), (from, to) -> true).findings()).isEmpty();
    assertThat(new ColumnChecks(table, rows("a"), (from, to) -> false).findings())
        .singleElement()
        .asString()
        .contains("Column \"a\" is STRING in the DDL and integer in the table");
  }

  private static RowType rows(String... names) {
    LogicalType[] types = new LogicalType[names.length];
    Arrays.fill(types, new VarCharType(VarCharType.MAX_LENGTH));
    return RowType.of(types, names);
  }
}
