// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Tables that a missing one may have been meant to be: other letter case, another schema, a dot
 * taken for a separator or the other way round. Asked for only when a start is refused.
 */
final class NamesakeTables {

  private static final int SHOWN = 8;

  private static final String QUERY =
      """
      SELECT n.nspname, c.relname, has_schema_privilege(n.oid, 'USAGE'),
        n.nspname = ANY (current_schemas(true)), current_user
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
        (SELECT ?::text AS schema_name, ?::text AS table_name) wanted
      WHERE c.relkind IN ('r', 'p', 'v', 'f') AND c.relpersistence <> 't'
        AND (lower(c.relname) = lower(wanted.table_name)
          OR lower(c.relname) = lower(wanted.schema_name || '.' || wanted.table_name)
          OR lower(n.nspname || '.' || c.relname) = lower(wanted.table_name))
      ORDER BY 4 DESC, c.relname = wanted.table_name DESC, n.nspname, c.relname
      """;

  private NamesakeTables() {}

  /** Their names for SQL, each with what must be known of it, in the likeliest order. */
  static List<String> of(Connection connection, TableName missing) throws SQLException {
    List<String> namesakes = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(QUERY)) {
      statement.setString(1, missing.schema());
      statement.setString(2, missing.table());
      statement.setMaxRows(SHOWN);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          String remark = "";
          if (!rows.getBoolean(3)) {
            remark =
                " (for which the role needs GRANT USAGE ON SCHEMA %s TO %s)"
                    .formatted(
                        SqlNames.quoted(rows.getString(1)), SqlNames.quoted(rows.getString(5)));
          } else if (missing.schema() == null && !rows.getBoolean(4)) {
            remark = " (its schema is not on the search path)";
          }
          namesakes.add(SqlNames.quoted(rows.getString(1), rows.getString(2)) + remark);
        }
      }
    }
    return namesakes;
  }
}
