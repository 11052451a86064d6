// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.postgresql.PGConnection;
import org.postgresql.copy.PGCopyOutputStream;

/** A table that is copied into, and what the catalogs say about it. */
final class CopyTable {

  private static final byte[] HEADER =
      "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);
  private static final byte[] TRAILER = {-1, -1};

  private final Connection connection;
  private final String name;

  CopyTable(Connection connection, String name) {
    this.connection = connection;
    this.name = name;
  }

  /** The table as the start-up checks would describe it. */
  TargetTable target(List<String> key, List<List<String>> uniqueKeys) throws SQLException {
    List<TargetColumn> columns = new ArrayList<>();
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT attname, atttypid::int8, atttypmod, attnotnull FROM pg_attribute WHERE attrelid = ?::regclass"
                + " AND attnum > 0 ORDER BY attnum")) {
      select.setString(1, name);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          columns.add(
              new TargetColumn(
                  rows.getString(1), type(rows.getLong(2), rows.getInt(3)), rows.getBoolean(4)));
        }
      }
    }
    return new TargetTable("public", name, columns, key, uniqueKeys, true, false, List.of());
  }

  /** A type in the words of SQL. */
  PgType type(String declared) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE type_of (c " + declared + ")");
      PgType type =
          new CopyTable(connection, "type_of").target(List.of(), List.of()).columns().get(0).type();
      statement.execute("DROP TABLE type_of");
      return type;
    }
  }

  private PgType type(long oid, int modifier) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT typname, format_type(oid, ?), typtype, typcategory = 'A' AND typlen = -1,"
                + " CASE typtype WHEN 'd' THEN typbasetype ELSE typelem END::int8, typtypmod"
                + " FROM pg_type WHERE oid = ?::oid")) {
      select.setInt(1, modifier);
      select.setLong(2, oid);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        String typtype = row.getString(3);
        PgType.Kind kind =
            switch (typtype) {
              case "d" -> PgType.Kind.DOMAIN;
              case "e" -> PgType.Kind.ENUM;
              case "b" -> row.getBoolean(4) ? PgType.Kind.ARRAY : PgType.Kind.BASE;
              default -> PgType.Kind.OTHER;
            };
        PgType inner =
            switch (kind) {
              case ARRAY, DOMAIN -> type(row.getLong(5), row.getInt(6));
              default -> null;
            };
        return new PgType((int) oid, row.getString(1), row.getString(2), kind, modifier, inner);
      }
    }
  }

  /** Copies encoded rows as COPY's reference says. */
  void copy(CopyFormat format, CopyBuffer rows) throws Exception {
    String sql =
        "COPY " + name + " FROM STDIN (FORMAT " + format.name().toLowerCase(Locale.ROOT) + ")";
    try (OutputStream out = new PGCopyOutputStream(connection.unwrap(PGConnection.class), sql)) {
      if (format == CopyFormat.BINARY) {
        out.write(HEADER);
      }
      out.write(rows.bytes(), 0, rows.size());
      if (format == CopyFormat.BINARY) {
        out.write(TRAILER);
      }
    }
  }

  /** All rows of a query, fields as text separated by bars, NULL as a circle. */
  List<String> query(String sql) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        List<String> fields = new ArrayList<>();
        for (int field = 1; field <= rows.getMetaData().getColumnCount(); field++) {
          String value = rows.getString(field);
          fields.add(value == null ? "\u25cb" : value);
        }
        found.add(String.join("|", fields));
      }
    }
    return found;
  }
}
