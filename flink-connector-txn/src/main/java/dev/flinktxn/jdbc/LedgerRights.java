// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * What this role may do in the sink's schema, which holds the ledger and the staging tables.
 *
 * @param role this role
 * @param database this database
 * @param schema the schema
 * @param createsSchemas whether the role may create schemas
 * @param exists whether the schema exists
 * @param usable whether the role has USAGE on it
 * @param creates whether the role may create tables in it
 * @param deniedTables the tables of the ledger that exist and lack a right
 */
public record LedgerRights(
    String role,
    String database,
    String schema,
    boolean createsSchemas,
    boolean exists,
    boolean usable,
    boolean creates,
    List<String> deniedTables) {

  /** Asks for one row; its parameter is the schema. */
  static final String QUERY =
      """
      SELECT current_user, current_database(), s.name,
        has_database_privilege(current_database(), 'CREATE'),
        n.oid IS NOT NULL,
        coalesce(has_schema_privilege(n.oid, 'USAGE'), false),
        coalesce(has_schema_privilege(n.oid, 'CREATE'), false),
        ARRAY(
          SELECT c.relname::text FROM pg_class c
          WHERE c.relnamespace = n.oid AND c.relname IN ('ledger', 'horizon', 'staging')
            AND NOT (has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
              AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))
          ORDER BY c.relname)
      FROM (SELECT ?::text AS name) s LEFT JOIN pg_namespace n ON n.nspname = s.name
      """;

  /** Asks for the rights in {@code schema}. */
  static LedgerRights ask(Connection connection, String schema) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(QUERY)) {
      statement.setString(1, schema);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return read(row);
      }
    }
  }

  /** Reads the row that {@link #QUERY} asked for. */
  static LedgerRights read(ResultSet row) throws SQLException {
    return new LedgerRights(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        row.getBoolean(4),
        row.getBoolean(5),
        row.getBoolean(6),
        row.getBoolean(7),
        List.of((String[]) row.getArray(8).getArray()));
  }

  /** What is missing and what to run, in sentences; empty if nothing is missing. */
  Optional<String> missing() {
    String user = SqlNames.quoted(role);
    String quoted = SqlNames.quoted(schema);
    if (!exists) {
      return createsSchemas
          ? Optional.empty()
          : Optional.of(
              "Schema %s (option 'sink.schema') does not exist and role %s may not create it. Run"
                      .formatted(quoted, user)
                  + " GRANT CREATE ON DATABASE %s TO %s, or CREATE SCHEMA %s AUTHORIZATION %s."
                      .formatted(SqlNames.quoted(database), user, quoted, user));
    }
    if (!usable || !creates) {
      String rights = usable ? "CREATE" : creates ? "USAGE" : "USAGE, CREATE";
      return Optional.of(
          "Role %s lacks %s on schema %s (option 'sink.schema'). Run GRANT %s ON SCHEMA %s TO %s,"
                  .formatted(user, rights, quoted, rights, quoted, user)
              + " or set the option to a schema of the role's own.");
    }
    if (!deniedTables.isEmpty()) {
      String tables =
          String.join(
              ", ", deniedTables.stream().map(name -> SqlNames.quoted(schema, name)).toList());
      return Optional.of(
          "Role %s may not use %s. Run GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %s."
              .formatted(user, tables, tables, user));
    }
    return Optional.empty();
  }
}
