// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.RefusedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The sink's schema and its tables: the ledger of committed units, the horizon up to which it was
 * pruned, and the register of staging tables. Subtasks and jobs that create it at once wait for
 * each other; where everything exists it is only looked at, which takes neither a lock nor a right
 * to create.
 */
public final class LedgerSchema {

  /** Names and definitions, in PostgreSQL's own spelling, so that they can be compared. */
  private enum Table {
    LEDGER(
        "ledger",
        "(\"prefix\", \"committed_at\")",
        "\"id\" uuid NOT NULL",
        "\"prefix\" text NOT NULL",
        "\"transaction\" text NOT NULL",
        "\"rows\" bigint NOT NULL",
        "\"committed_at\" timestamp with time zone NOT NULL DEFAULT clock_timestamp()",
        "PRIMARY KEY (id)"),
    HORIZON(
        "horizon",
        null,
        "\"prefix\" text NOT NULL",
        "\"pruned_before\" timestamp with time zone NOT NULL",
        "PRIMARY KEY (prefix)"),
    STAGING(
        "staging",
        "(\"prefix\")",
        "\"id\" uuid NOT NULL",
        "\"prefix\" text NOT NULL",
        "\"transaction\" text NOT NULL",
        "\"table_name\" text NOT NULL",
        "\"created_at\" timestamp with time zone NOT NULL DEFAULT clock_timestamp()",
        "PRIMARY KEY (id)");

    private final String tableName;
    private final String index;
    private final List<String> definition;

    Table(String tableName, String index, String... definition) {
      this.tableName = tableName;
      this.index = index;
      this.definition = List.of(definition);
    }

    private String create(String schema) {
      String quoted = SqlNames.quoted(schema, tableName);
      String table = "CREATE TABLE %s (%s)".formatted(quoted, String.join(", ", definition));
      return index == null ? table : table + "; CREATE INDEX ON %s %s".formatted(quoted, index);
    }
  }

  private static final String DEFINITIONS =
      """
      SELECT c.relname, ARRAY(
          SELECT '"' || a.attname || '" ' || format_type(a.atttypid, a.atttypmod)
            || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
            || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')
          FROM pg_attribute a
          LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum)
        || ARRAY(
          SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k
          WHERE k.conrelid = c.oid AND k.contype IN ('p', 'u', 'c', 'x', 'f') ORDER BY k.conname)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = ? AND c.relname IN ('ledger', 'horizon', 'staging')
      """;

  /** The advisory lock of those who create; any number that nobody else is likely to use. */
  public static final long LOCK_KEY = 7021462390186651763L;

  /** A snapshot taken before the wait would not show what the others have created meanwhile. */
  private static final String LOCK =
      "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '10s';"
          + " SELECT pg_advisory_xact_lock("
          + LOCK_KEY
          + ")";

  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  private LedgerSchema() {}

  /**
   * Creates what is missing.
   *
   * @param connection in auto-commit mode
   * @throws RefusedException if a right is missing, or a table of one of the names is another one
   */
  static void create(Connection connection, String schema) throws SQLException, RefusedException {
    if (missing(connection, schema).isEmpty()) {
      return;
    }
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(LOCK);
      if (!LedgerRights.ask(connection, schema).exists()) {
        statement.execute("CREATE SCHEMA " + SqlNames.quoted(schema));
      }
      for (Table table : missing(connection, schema)) {
        statement.execute(table.create(schema));
      }
      connection.commit();
      connection.setAutoCommit(true);
    } catch (SQLException | RefusedException e) {
      giveUp(connection, e);
      if (e instanceof SQLException failure
          && INSUFFICIENT_PRIVILEGE.equals(failure.getSQLState())) {
        String missing = LedgerRights.ask(connection, schema).missing().orElse(e.getMessage());
        throw new RefusedException(missing, e);
      }
      throw e;
    }
  }

  private static Set<Table> missing(Connection connection, String schema)
      throws SQLException, RefusedException {
    Set<Table> missing = EnumSet.allOf(Table.class);
    try (PreparedStatement statement = connection.prepareStatement(DEFINITIONS)) {
      statement.setString(1, schema);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          String name = rows.getString(1);
          List<String> found = Arrays.asList((String[]) rows.getArray(2).getArray());
          Table table =
              missing.stream()
                  .filter(each -> each.tableName.equals(name))
                  .findFirst()
                  .orElseThrow();
          if (!Set.copyOf(table.definition).equals(new HashSet<>(found))) {
            throw new RefusedException(
                "%s (option 'sink.schema') is (%s), but (%s) is needed. Move that table, or set the option to another schema."
                    .formatted(
                        SqlNames.quoted(schema, name),
                        String.join(", ", found),
                        String.join(", ", table.definition)));
          }
          missing.remove(table);
        }
      }
    }
    return missing;
  }

  private static void giveUp(Connection connection, Exception reason) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }
}
