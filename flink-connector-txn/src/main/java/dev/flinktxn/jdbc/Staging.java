// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Tables beside the target that hold encoded rows: staging tables, which outlive their writer and
 * stand in a registry, and temporary ones for the length of a transaction.
 *
 * @param schema the schema of the registry and of staging tables
 */
record Staging(String schema) {

  /** The temporary table of a transaction. */
  static final String TEMPORARY = "pg_temp." + SqlNames.quoted("flink_txn_rows");

  /** The registry of staging tables. */
  String registry() {
    return SqlNames.quoted(schema, "staging");
  }

  String table(UUID id) {
    return SqlNames.quoted(schema, Unit.stagingTable(id));
  }

  /** Creates the staging table of a unit and registers it, in the caller's transaction. */
  void create(Connection connection, UUID id, String prefix, String name, TargetTable target)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          // Logged, or its rows are gone after a crash of the server; nothing in it needs vacuum.
          "CREATE TABLE "
              + table(id)
              + " (LIKE "
              + target.quoted()
              + " INCLUDING CONSTRAINTS) WITH (autovacuum_enabled = off)"
              + fitted(table(id), target));
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO "
                + registry()
                + " (id, prefix, transaction, table_name) VALUES (?, ?, ?, ?)")) {
      insert.setObject(1, id);
      insert.setString(2, prefix);
      insert.setString(3, name);
      insert.setString(4, Unit.stagingTable(id));
      insert.executeUpdate();
    }
  }

  /** Creates a temporary table that checks rows as the target does. */
  static void createChecking(Connection connection, TargetTable target) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TEMPORARY TABLE "
              + TEMPORARY
              + " (LIKE "
              + target.quoted()
              + " INCLUDING CONSTRAINTS) ON COMMIT DROP"
              + fitted(TEMPORARY, target));
    }
  }

  /** Creates a temporary table that takes encoded rows; the target checks them when they move. */
  static void createPlain(
      Connection connection, String quotedTarget, List<String> columns, boolean keyed)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TEMPORARY TABLE "
              + TEMPORARY
              + " ON COMMIT DROP AS SELECT "
              + SqlNames.list(columns)
              + (keyed
                  ? ", 0::int8 AS "
                      + SqlNames.quoted(Unit.ORDER)
                      + ", 0::int2 AS "
                      + SqlNames.quoted(Unit.OPERATION)
                  : "")
              + " FROM "
              + quotedTarget
              + " WITH NO DATA");
    }
  }

  /**
   * Columns that are not written may stay empty here, and so may all but the key in a row that
   * deletes; the encoder has seen to the others.
   */
  private static String fitted(String table, TargetTable target) {
    List<String> changes = new ArrayList<>();
    for (String omitted : target.omittedNotNull()) {
      changes.add("ALTER COLUMN " + SqlNames.quoted(omitted) + " DROP NOT NULL");
    }
    if (target.keyed()) {
      for (TargetColumn column : target.columns()) {
        if (column.notNull() && !target.key().contains(column.name())) {
          changes.add("ALTER COLUMN " + SqlNames.quoted(column.name()) + " DROP NOT NULL");
        }
      }
      changes.add("ADD COLUMN " + SqlNames.quoted(Unit.ORDER) + " int8");
      changes.add("ADD COLUMN " + SqlNames.quoted(Unit.OPERATION) + " int2");
    }
    return changes.isEmpty() ? "" : "; ALTER TABLE " + table + " " + String.join(", ", changes);
  }

  /** What is left of a unit that is to be moved. */
  enum Found {
    TABLE,
    /** The registry knows the table, the database does not. */
    NO_TABLE,
    NOTHING
  }

  /** Removes a unit's registry row and says what there was. */
  Found deregister(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement(
            "DELETE FROM " + registry() + " WHERE id = ? RETURNING to_regclass(?) IS NULL")) {
      delete.setObject(1, id);
      delete.setString(2, table(id));
      try (ResultSet row = delete.executeQuery()) {
        if (!row.next()) {
          return Found.NOTHING;
        }
        return row.getBoolean(1) ? Found.NO_TABLE : Found.TABLE;
      }
    }
  }

  void drop(Connection connection, UUID id) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS " + table(id));
    }
  }

  /** Counts the rows of a table that nobody changes until the end of the transaction. */
  static long lockAndCount(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE; SELECT count(*) FROM " + table);
      statement.getMoreResults();
      try (ResultSet rows = statement.getResultSet()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }
}
