// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.fixture.Postgres;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.table.types.logical.RowType;

/**
 * A schema and a role of a test's own. In SQL, {@code $s} stands for the schema, {@code $l} for the
 * sink's schema (which does not exist at first) and {@code $u} for the role, all of them quoted,
 * and {@code $n} for the schema's bare name.
 */
final class CheckedTable implements AutoCloseable {

  final String schema = name("Checked");
  final String ledger = name("Ledger");
  final String role = name("Role");

  TableName table = new TableName(schema, "t");
  List<String> key = List.of();
  String prefix = "prefix";
  CommitStrategy strategy = CommitStrategy.LEDGER;
  OnExistingKey onExistingKey = OnExistingKey.FAIL;
  int neededPrepared = 0;
  int parallelism = 1;

  private final Connection owner;

  CheckedTable(String... statements) throws SQLException {
    owner = Postgres.shared().connect();
    run("CREATE SCHEMA $s");
    run("CREATE ROLE $u LOGIN");
    run(statements);
  }

  private static String name(String kind) {
    return kind + " " + UUID.randomUUID().toString().substring(0, 8);
  }

  /** Runs {@code statements} as the superuser. */
  void run(String... statements) throws SQLException {
    try (Statement statement = owner.createStatement()) {
      for (String sql : statements) {
        statement.execute(named(sql));
      }
    }
  }

  /** {@code text} with the names of this test. */
  String named(String text) {
    return text.replace("$n", schema)
        .replace("$s", SqlNames.quoted(schema))
        .replace("$l", SqlNames.quoted(ledger))
        .replace("$u", SqlNames.quoted(role));
  }

  /** A connection of the role. */
  Connection asRole() throws SQLException {
    return DriverManager.getConnection(Postgres.shared().url(), role, "");
  }

  /** A connection of the superuser. */
  Connection asOwner() throws SQLException {
    return Postgres.shared().connect();
  }

  /** A connection of the superuser to another database. */
  Connection asOwnerOf(String database) throws SQLException {
    String url = Postgres.shared().url();
    String other = URLEncoder.encode(database, StandardCharsets.UTF_8).replace("+", "%20");
    return DriverManager.getConnection(
        url.substring(0, url.lastIndexOf('/') + 1) + other, Postgres.shared().user(), "");
  }

  JdbcTarget target(RowType rows) {
    return new JdbcTarget(
        "cat.db.t",
        Postgres.shared().url(),
        Map.of("password", "secret-word"),
        table,
        rows,
        key,
        prefix,
        strategy,
        onExistingKey,
        1 << 20,
        ledger,
        Duration.ofDays(7),
        5000,
        Duration.ofSeconds(1),
        Duration.ofMinutes(5),
        neededPrepared);
  }

  /** What the superuser finds. */
  TargetTable read(RowType rows) throws Exception {
    try (Connection connection = asOwner()) {
      return StartupChecks.read(connection, target(rows), parallelism);
    }
  }

  /** What the role finds. */
  TargetTable readAsRole(RowType rows) throws Exception {
    try (Connection connection = asRole()) {
      return StartupChecks.read(connection, target(rows), parallelism);
    }
  }

  @Override
  public void close() throws SQLException {
    try {
      run(
          "DROP SCHEMA $s CASCADE",
          "DROP SCHEMA IF EXISTS $l CASCADE",
          "DROP OWNED BY $u CASCADE",
          "DROP ROLE $u");
    } finally {
      owner.close();
    }
  }
}
