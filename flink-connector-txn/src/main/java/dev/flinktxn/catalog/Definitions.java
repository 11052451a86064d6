// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.jdbc.LedgerSchema;
import dev.flinktxn.jdbc.SqlNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.exceptions.CatalogException;

/**
 * The table {@code definitions} in the sink's schema. It is created with the first definition; as
 * long as there is none, nothing is.
 *
 * @param catalog the catalog's name, for messages
 * @param schema the sink's schema
 */
record Definitions(String catalog, String schema) {

  /** Tables and views, which have names of their own. */
  static final Set<Definition.Kind> NAMED = EnumSet.of(Definition.Kind.TABLE, Definition.Kind.VIEW);

  /** What belongs to a table of PostgreSQL. */
  static final Set<Definition.Kind> OPTIONS = EnumSet.of(Definition.Kind.OPTIONS);

  private static final String TABLE = "definitions";

  /** Of the properties; whoever finds a later one knows that it cannot read them. */
  private static final int VERSION = 1;

  private static final String STANDING =
      """
      SELECT n.oid IS NOT NULL, c.oid IS NOT NULL,
        coalesce(has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'),
          false), current_user
      FROM (SELECT ?::text AS name) s
      LEFT JOIN pg_namespace n ON n.nspname = s.name
      LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'definitions'
      """;

  private static final String COLUMNS =
      " (schema_name text NOT NULL, table_name text NOT NULL, kind text NOT NULL, version int NOT"
          + " NULL, properties jsonb NOT NULL, changed_at timestamp with time zone NOT NULL DEFAULT"
          + " clock_timestamp(), PRIMARY KEY (schema_name, table_name))";

  private record Standing(boolean schema, boolean table, boolean readable, String role) {}

  private Standing standing(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(STANDING)) {
      statement.setString(1, schema);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Standing(
            row.getBoolean(1), row.getBoolean(2), row.getBoolean(3), row.getString(4));
      }
    }
  }

  private boolean exist(Connection connection) throws SQLException {
    Standing standing = standing(connection);
    if (standing.table() && !standing.readable()) {
      String role = SqlNames.quoted(standing.role());
      throw new CatalogException(
          "Catalog %s: role %s may not read %s. Run GRANT USAGE ON SCHEMA %s TO %s; GRANT SELECT ON"
                  .formatted(catalog, role, quoted(), SqlNames.quoted(schema), role)
              + " %s TO %s, or set the catalog's option 'sink.schema' to another schema."
                  .formatted(quoted(), role));
    }
    return standing.table();
  }

  private String quoted() {
    return SqlNames.quoted(schema, TABLE);
  }

  /** The names of one database that are of one of these kinds. */
  List<String> names(Connection connection, String database, Set<Definition.Kind> kinds)
      throws SQLException {
    if (!exist(connection)) {
      return List.of();
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT coalesce(array_agg(table_name ORDER BY table_name), '{}') FROM "
                + quoted()
                + " WHERE schema_name = ? AND kind = ANY (?)")) {
      statement.setString(1, database);
      statement.setArray(2, connection.createArrayOf("text", spelled(kinds)));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return List.of((String[]) row.getArray(1).getArray());
      }
    }
  }

  private static Object[] spelled(Set<Definition.Kind> kinds) {
    return kinds.stream().map(Definition.Kind::spelled).toArray();
  }

  /** What is kept of a name. */
  Optional<Definition> find(Connection connection, ObjectPath path) throws SQLException {
    if (!exist(connection)) {
      return Optional.empty();
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT kind, version, ARRAY(SELECT key FROM jsonb_each_text(properties) ORDER BY key),"
                + " ARRAY(SELECT value FROM jsonb_each_text(properties) ORDER BY key) FROM "
                + quoted()
                + " WHERE schema_name = ? AND table_name = ?")) {
      statement.setString(1, path.getDatabaseName());
      statement.setString(2, path.getObjectName());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(definition(path, row)) : Optional.empty();
      }
    }
  }

  private Definition definition(ObjectPath path, ResultSet row) throws SQLException {
    int version = row.getInt(2);
    if (version > VERSION) {
      throw new CatalogException(
          ("Catalog %s: %s was written by a later version of this connector (form %d, and this one"
                  + " reads up to %d); use that version.")
              .formatted(catalog, path.getFullName(), version, VERSION));
    }
    String[] keys = (String[]) row.getArray(3).getArray();
    String[] values = (String[]) row.getArray(4).getArray();
    Map<String, String> properties = new TreeMap<>();
    for (int i = 0; i < keys.length; i++) {
      properties.put(keys[i], values[i]);
    }
    return new Definition(
        Definition.Kind.valueOf(row.getString(1).toUpperCase(Locale.ROOT)), properties);
  }

  /** Keeps a definition, in place of what was kept of that name. */
  void put(Connection connection, ObjectPath path, Definition definition) throws SQLException {
    create(connection);
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO "
                + quoted()
                + " (schema_name, table_name, kind, version, properties) VALUES (?, ?, ?, ?,"
                + " jsonb_object(?, ?)) ON CONFLICT (schema_name, table_name) DO UPDATE SET kind ="
                + " excluded.kind, version = excluded.version, properties = excluded.properties,"
                + " changed_at = excluded.changed_at")) {
      statement.setString(1, path.getDatabaseName());
      statement.setString(2, path.getObjectName());
      statement.setString(3, definition.kind().spelled());
      statement.setInt(4, VERSION);
      statement.setArray(
          5, connection.createArrayOf("text", definition.properties().keySet().toArray()));
      statement.setArray(
          6, connection.createArrayOf("text", definition.properties().values().toArray()));
      statement.executeUpdate();
    }
  }

  /** Those who create it at once wait for each other, and for those who create the ledger. */
  private void create(Connection connection) throws SQLException {
    if (exist(connection)) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock(" + LedgerSchema.LOCK_KEY + ")");
      Standing standing = standing(connection);
      if (!standing.schema()) {
        statement.execute("CREATE SCHEMA " + SqlNames.quoted(schema));
      }
      if (!standing.table()) {
        statement.execute("CREATE TABLE " + quoted() + COLUMNS);
      }
    }
  }

  /** Gives what is kept of a name another one, in place of what was kept of that. */
  void rename(Connection connection, ObjectPath path, String name, Set<Definition.Kind> kinds)
      throws SQLException {
    drop(connection, new ObjectPath(path.getDatabaseName(), name), kinds);
    update(
        connection,
        "UPDATE " + quoted() + " SET table_name = ? WHERE schema_name = ? AND table_name = ?",
        kinds,
        name,
        path.getDatabaseName(),
        path.getObjectName());
  }

  /** Forgets what is kept of a name, if it is of one of these kinds. */
  void drop(Connection connection, ObjectPath path, Set<Definition.Kind> kinds)
      throws SQLException {
    update(
        connection,
        "DELETE FROM " + quoted() + " WHERE schema_name = ? AND table_name = ?",
        kinds,
        path.getDatabaseName(),
        path.getObjectName());
  }

  /** Forgets what is kept of a database. */
  void dropAll(Connection connection, String database) throws SQLException {
    update(
        connection,
        "DELETE FROM " + quoted() + " WHERE schema_name = ?",
        EnumSet.allOf(Definition.Kind.class),
        database);
  }

  private void update(
      Connection connection, String sql, Set<Definition.Kind> kinds, String... parameters)
      throws SQLException {
    if (!exist(connection)) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql + " AND kind = ANY (?)")) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      statement.setArray(parameters.length + 1, connection.createArrayOf("text", spelled(kinds)));
      statement.executeUpdate();
    }
  }
}
