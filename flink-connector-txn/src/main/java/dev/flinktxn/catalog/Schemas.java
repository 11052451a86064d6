// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.jdbc.SqlNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

/**
 * The schemas of the database that are databases of the catalog: those that this role may use,
 * without PostgreSQL's own and the sink's.
 *
 * @param ledgerSchema the sink's schema
 */
record Schemas(String ledgerSchema) {

  private static final String VISIBLE =
      """
       FROM pg_namespace n WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
        AND n.nspname <> ? AND has_schema_privilege(n.oid, 'USAGE')
      """;

  private static final String TABLES =
      """
      SELECT coalesce(array_agg(c.relname::text ORDER BY c.relname), '{}')
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relpersistence <> 't'
      """;

  /** Their names. */
  List<String> names(Connection connection) throws SQLException {
    return first(
        connection,
        "SELECT coalesce(array_agg(n.nspname::text ORDER BY n.nspname), '{}')" + VISIBLE,
        ledgerSchema);
  }

  /** The comment of one, which may be empty; nothing if it does not exist. */
  Optional<String> comment(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT coalesce(obj_description(n.oid, 'pg_namespace'), '')"
                + VISIBLE
                + " AND n.nspname = ?")) {
      statement.setString(1, ledgerSchema);
      statement.setString(2, name);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
      }
    }
  }

  boolean exists(Connection connection, String name) throws SQLException {
    return comment(connection, name).isPresent();
  }

  /** The tables, views, materialised views and foreign tables of one. */
  List<String> tables(Connection connection, String name) throws SQLException {
    return first(connection, TABLES, name);
  }

  private static List<String> first(Connection connection, String query, String parameter)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, parameter);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return List.of((String[]) row.getArray(1).getArray());
      }
    }
  }

  /** Whether there is a table, view, materialised view or foreign table of that name. */
  boolean hasTable(Connection connection, String schema, String table) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname ="
                + " ? AND c.relname = ? AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND"
                + " c.relpersistence <> 't'")) {
      statement.setString(1, schema);
      statement.setString(2, table);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  /** Creates one. */
  void create(Connection connection, String name, String comment) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + SqlNames.quoted(name));
    }
    comment(connection, name, comment);
  }

  /** Sets the comment of one. */
  void comment(Connection connection, String name, String comment) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(
          "COMMENT ON SCHEMA " + SqlNames.quoted(name) + " IS " + TableDdl.literal(comment));
    }
  }

  /** Drops one, with everything in it or empty as it has to be. */
  void drop(Connection connection, String name, boolean cascade) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP SCHEMA " + SqlNames.quoted(name) + (cascade ? " CASCADE" : ""));
    }
  }
}
