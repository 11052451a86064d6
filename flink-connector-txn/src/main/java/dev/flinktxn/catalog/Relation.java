// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.jdbc.CatalogReading;
import dev.flinktxn.jdbc.FoundColumn;
import dev.flinktxn.jdbc.FoundTable;
import dev.flinktxn.jdbc.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.types.DataType;

/**
 * A table, view, materialised view or foreign table of PostgreSQL.
 *
 * @param table what the sink reads about it
 * @param comment its comment; null for none
 * @param keyName the name of its primary key; null where it has none that rows can be upserted by
 * @param key the columns of that key, in order
 * @param comments of columns, by their names
 * @param dimensions of columns that were declared as arrays, by their names
 */
record Relation(
    FoundTable table,
    String comment,
    String keyName,
    List<String> key,
    Map<String, String> comments,
    Map<String, Integer> dimensions) {

  private static final String QUERY =
      """
      SELECT obj_description(c.oid, 'pg_class'), k.conname,
        ARRAY(
          SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY u (number, place)
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.number ORDER BY u.place),
        ARRAY(SELECT a.attname::text FROM pg_attribute a
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum),
        ARRAY(SELECT a.attndims::int FROM pg_attribute a
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum),
        ARRAY(SELECT col_description(c.oid, a.attnum) FROM pg_attribute a
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p' AND NOT k.condeferrable
      WHERE n.nspname = ? AND c.relname = ? AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND c.relpersistence <> 't'
      """;

  /** Reads one; empty if there is none of that name. */
  static Optional<Relation> read(Connection connection, ObjectPath path, String ledgerSchema)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(QUERY)) {
      statement.setString(1, path.getDatabaseName());
      statement.setString(2, path.getObjectName());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        Map<String, String> comments = new HashMap<>();
        Map<String, Integer> dimensions = new HashMap<>();
        String[] names = (String[]) row.getArray(4).getArray();
        Integer[] dims = (Integer[]) row.getArray(5).getArray();
        String[] texts = (String[]) row.getArray(6).getArray();
        for (int i = 0; i < names.length; i++) {
          dimensions.put(names[i], dims[i]);
          if (texts[i] != null) {
            comments.put(names[i], texts[i]);
          }
        }
        String comment = row.getString(1);
        String keyName = row.getString(2);
        List<String> key = List.of((String[]) row.getArray(3).getArray());
        FoundTable table =
            CatalogReading.read(
                    connection,
                    new TableName(path.getDatabaseName(), path.getObjectName()),
                    ledgerSchema)
                .table();
        return Optional.ofNullable(table)
            .map(found -> new Relation(found, comment, keyName, key, comments, dimensions));
      }
    }
  }

  /** Whether it is a table that can be altered and dropped, not one of its relatives. */
  boolean isTable() {
    return table.kind() == 'r' || table.kind() == 'p';
  }

  /** What it is, for messages. */
  String kind() {
    return switch (table.kind()) {
      case 'v' -> "view";
      case 'm' -> "materialized view";
      case 'f' -> "foreign table";
      default -> "table";
    };
  }

  /**
   * The columns as Flink sees them. A column that PostgreSQL alone fills is no column to write to:
   * it is read as metadata of its name.
   */
  Schema schema() {
    Schema.Builder schema = Schema.newBuilder();
    for (FoundColumn column : table.columns().values()) {
      DataType type = ColumnTypes.flink(column.type(), dimensions.getOrDefault(column.name(), 1));
      DataType declared = column.notNull() ? type.notNull() : type;
      if (isFilledByServer(column)) {
        schema.columnByMetadata(column.name(), declared, true);
      } else {
        schema.column(column.name(), declared);
      }
      schema.withComment(comments.get(column.name()));
    }
    if (keyName != null
        && table.columns().values().stream()
            .filter(column -> key.contains(column.name()))
            .noneMatch(Relation::isFilledByServer)) {
      schema.primaryKeyNamed(keyName, key);
    }
    return schema.build();
  }

  private static boolean isFilledByServer(FoundColumn column) {
    return column.generated() || column.identityAlways();
  }
}
