// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What PostgreSQL's catalogs say, unjudged. One round trip finds out everything about a table that
 * exists. Takes no lock on a table (on a view only), so that a concurrent ALTER does not delay a
 * start.
 *
 * @param server the server
 * @param ledger the rights in the sink's schema
 * @param table the table; null if there is none
 */
public record CatalogReading(FoundServer server, LedgerRights ledger, FoundTable table) {

  private static final String SERVER =
      """
      SELECT current_user, current_setting('server_encoding') = 'UTF8',
        current_setting('max_prepared_transactions')::int, current_schemas(false)::text[]
      """;

  /** Compares names as they are: to_regclass would cut long ones to fit. */
  private static final String TARGET =
      """
      WITH RECURSIVE target AS (
        SELECT c.oid, n.nspname, n.oid AS nspoid, c.relname, c.relkind, c.relispartition
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
          (SELECT ?::text AS schema_name, ?::text AS table_name) wanted
        WHERE c.relname = wanted.table_name
          AND CASE WHEN wanted.schema_name IS NULL THEN pg_table_is_visible(c.oid)
            ELSE n.nspname = wanted.schema_name END)
      """;

  /** Of a trigger's type, 1 is row, 2 before, 4 insert; partitions and views check on their own. */
  private static final String TABLE =
      TARGET
          + """
          SELECT t.nspname, t.relname, t.relkind::text,
            CASE WHEN t.relkind = 'v' THEN pg_relation_is_updatable(t.oid, true) & 8 = 8
              ELSE true END,
            t.relkind <> 'v' AND NOT row_security_active(t.oid),
            t.relkind <> 'r' OR t.relispartition OR row_security_active(t.oid)
              OR EXISTS (
                SELECT FROM pg_constraint k WHERE k.conrelid = t.oid AND k.contype IN ('c', 'x'))
              OR EXISTS (SELECT FROM pg_index i WHERE i.indrelid = t.oid AND i.indisexclusion),
            EXISTS (
              SELECT FROM pg_trigger g WHERE g.tgrelid = t.oid AND NOT g.tgisinternal
                AND g.tgenabled IN ('O', 'A') AND g.tgtype & 7 = 7),
            has_schema_privilege(t.nspoid, 'USAGE'),
            has_table_privilege(t.oid, 'SELECT'),
            has_table_privilege(t.oid, 'DELETE')
          FROM target t
          """;

  /** One row for each column's type, and below it for each type that it is made of. */
  private static final String COLUMNS =
      TARGET
          + """
          , level (number, depth, oid, modifier) AS (
            SELECT a.attnum, 0, a.atttypid, a.atttypmod FROM pg_attribute a
            JOIN target t ON a.attrelid = t.oid WHERE a.attnum > 0 AND NOT a.attisdropped
            UNION ALL
            SELECT l.number, l.depth + 1,
              CASE y.typtype WHEN 'd' THEN y.typbasetype ELSE y.typelem END,
              CASE y.typtype WHEN 'd' THEN y.typtypmod ELSE l.modifier END
            FROM level l JOIN pg_type y ON y.oid = l.oid
            WHERE y.typtype = 'd'
              OR EXISTS (SELECT FROM pg_type e WHERE e.oid = y.typelem AND e.typarray = y.oid))
          SELECT l.depth, a.attname, y.oid::int, y.typname, format_type(y.oid, l.modifier),
            l.modifier, y.typtype::text,
            EXISTS (SELECT FROM pg_type e WHERE e.oid = y.typelem AND e.typarray = y.oid),
            CASE l.depth WHEN 0 THEN a.attnotnull OR y.typnotnull ELSE y.typnotnull END,
            a.atthasdef OR a.attidentity <> '' OR y.typdefault IS NOT NULL,
            a.attidentity = 'a', a.attgenerated <> '',
            has_column_privilege(t.oid, a.attnum, 'INSERT'),
            has_column_privilege(t.oid, a.attnum, 'UPDATE'),
            has_column_privilege(t.oid, a.attnum, 'SELECT'),
            ARRAY(
              SELECT s.oid::regclass::text
              FROM pg_attrdef f
              JOIN pg_depend p ON p.classid = 'pg_attrdef'::regclass AND p.objid = f.oid
                AND p.refclassid = 'pg_class'::regclass
              JOIN pg_class s ON s.oid = p.refobjid
              WHERE f.adrelid = t.oid AND f.adnum = a.attnum
                AND CASE s.relkind WHEN 'S' THEN NOT has_sequence_privilege(s.oid, 'USAGE, UPDATE')
                  ELSE false END)
          FROM target t JOIN pg_attribute a ON a.attrelid = t.oid
          JOIN level l ON l.number = a.attnum JOIN pg_type y ON y.oid = l.oid
          ORDER BY a.attnum, l.depth DESC
          """;

  private static final String INDEXES =
      TARGET
          + """
          SELECT c.relname,
            ARRAY(
              SELECT a.attname::text
              FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (number, place)
              JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
              WHERE k.place <= i.indnkeyatts ORDER BY k.place),
            i.indpred IS NULL AND i.indexprs IS NULL, i.indisvalid, i.indimmediate
          FROM target t JOIN pg_index i ON i.indrelid = t.oid
          JOIN pg_class c ON c.oid = i.indexrelid
          WHERE i.indisunique AND NOT i.indisexclusion
          ORDER BY i.indisprimary DESC, c.relname
          """;

  private static final String ALL =
      String.join(";", SERVER, LedgerRights.QUERY, COLUMNS, INDEXES, TABLE);

  /**
   * Reads everything about one table.
   *
   * @param ledgerSchema the schema that holds ledger and staging tables
   */
  public static CatalogReading read(Connection connection, TableName name, String ledgerSchema)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ALL)) {
      int parameter = 1;
      statement.setString(parameter++, ledgerSchema);
      for (int query = 0; query < 3; query++) {
        statement.setString(parameter++, name.schema());
        statement.setString(parameter++, name.table());
      }
      statement.execute();
      ResultSet answer = statement.getResultSet();
      answer.next();
      FoundServer server = server(answer);
      answer = next(statement);
      answer.next();
      LedgerRights ledger = LedgerRights.read(answer);
      Map<String, FoundColumn> columns = columns(next(statement));
      List<FoundIndex> indexes = indexes(next(statement));
      answer = next(statement);
      return new CatalogReading(
          server, ledger, answer.next() ? table(answer, columns, indexes) : null);
    }
  }

  private static ResultSet next(PreparedStatement statement) throws SQLException {
    statement.getMoreResults();
    return statement.getResultSet();
  }

  private static FoundServer server(ResultSet row) throws SQLException {
    return new FoundServer(
        row.getString(1), row.getBoolean(2), row.getInt(3), strings(row.getArray(4)));
  }

  private static FoundTable table(
      ResultSet row, Map<String, FoundColumn> columns, List<FoundIndex> indexes)
      throws SQLException {
    return new FoundTable(
        row.getString(1),
        row.getString(2),
        row.getString(3).charAt(0),
        row.getBoolean(4),
        row.getBoolean(5),
        row.getBoolean(6),
        row.getBoolean(7),
        row.getBoolean(8),
        row.getBoolean(9),
        row.getBoolean(10),
        columns,
        indexes);
  }

  /** The innermost type of a column comes first. */
  private static Map<String, FoundColumn> columns(ResultSet rows) throws SQLException {
    Map<String, FoundColumn> columns = new LinkedHashMap<>();
    PgType inner = null;
    boolean domainRefusesNull = false;
    while (rows.next()) {
      PgType type =
          new PgType(
              rows.getInt(3),
              rows.getString(4),
              rows.getString(5),
              kind(rows),
              rows.getInt(6),
              inner);
      boolean refusesNull = rows.getBoolean(9) || domainRefusesNull;
      if (rows.getInt(1) > 0) {
        inner = type;
        domainRefusesNull = refusesNull && type.kind() == PgType.Kind.DOMAIN;
        continue;
      }
      FoundColumn column =
          new FoundColumn(
              rows.getString(2),
              type,
              refusesNull,
              rows.getBoolean(10),
              rows.getBoolean(11),
              rows.getBoolean(12),
              rows.getBoolean(13),
              rows.getBoolean(14),
              rows.getBoolean(15),
              strings(rows.getArray(16)));
      columns.put(column.name(), column);
      inner = null;
      domainRefusesNull = false;
    }
    return columns;
  }

  private static PgType.Kind kind(ResultSet row) throws SQLException {
    if (row.getBoolean(8)) {
      return PgType.Kind.ARRAY;
    }
    return switch (row.getString(7)) {
      case "b" -> PgType.Kind.BASE;
      case "d" -> PgType.Kind.DOMAIN;
      case "e" -> PgType.Kind.ENUM;
      default -> PgType.Kind.OTHER;
    };
  }

  private static List<FoundIndex> indexes(ResultSet rows) throws SQLException {
    List<FoundIndex> indexes = new ArrayList<>();
    while (rows.next()) {
      indexes.add(
          new FoundIndex(
              rows.getString(1),
              strings(rows.getArray(2)),
              rows.getBoolean(3),
              rows.getBoolean(4),
              rows.getBoolean(5)));
    }
    return indexes;
  }

  private static List<String> strings(Array array) throws SQLException {
    return List.of((String[]) array.getArray());
  }
}
