// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.RefusedException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * A table that can be read as its DDL says. Finding out changes nothing in the database; everything
 * that does not fit is said in one message.
 *
 * @param target what is read
 * @param found the table as the catalogs describe it
 */
record ReadTable(ReadTarget target, FoundTable found) {

  /**
   * Looks at the table. With auto-commit off the transaction is left to the caller.
   *
   * @throws RefusedException if it can never be read like that
   */
  static ReadTable check(Connection connection, ReadTarget target)
      throws SQLException, RefusedException {
    DatabaseMetaData server = connection.getMetaData();
    StartupChecks.checkVersion(
        target.table(),
        target.describe(),
        server.getDatabaseMajorVersion(),
        server.getDatabaseProductVersion());
    // What it says of the sink's schema is no matter here.
    CatalogReading found =
        CatalogReading.read(
            connection, target.address().tableName(), JdbcOptions.SCHEMA.defaultValue());
    List<String> findings = new ArrayList<>();
    if (found.table() == null) {
      findings.add(
          StartupChecks.missingTable(connection, target.address().tableName(), found.server()));
    } else {
      new ReadTable(target, found.table()).addFindings(found.server().role(), findings);
    }
    if (!findings.isEmpty()) {
      throw new RefusedException(
          StartupChecks.message(
              "Table %s cannot be read from %s by role %s"
                  .formatted(
                      target.table(), target.describe(), SqlNames.quoted(found.server().role())),
              findings));
    }
    return new ReadTable(target, found.table());
  }

  private void addFindings(String role, List<String> findings) {
    if ("rpvmf".indexOf(found.kind()) < 0) {
      findings.add("It is no table and no view; correct option 'table-name'.");
      return;
    }
    ColumnChecks.missing(found, target.columns()).ifPresent(findings::add);
    for (FoundColumn column : needed()) {
      LogicalType type = declared(column.name());
      if (!ReadTypes.readable(type, column.type())) {
        findings.add(
            "Column %s is %s in the DDL and %s in the table, which cannot be read so; declare it"
                    .formatted(
                        SqlNames.quoted(column.name()),
                        type.asSummaryString(),
                        column.type().declared())
                + " with a type that fits, or as STRING.");
      }
    }
    addRights(SqlNames.quoted(role), findings);
  }

  private void addRights(String role, List<String> findings) {
    if (!found.schemaUsable()) {
      String schema = SqlNames.quoted(found.schema());
      findings.add(
          "Role %s lacks USAGE on schema %s. Run GRANT USAGE ON SCHEMA %s TO %s."
              .formatted(role, schema, schema, role));
    }
    List<String> denied =
        needed().stream().filter(column -> !column.selectable()).map(FoundColumn::name).toList();
    boolean nothing =
        needed().isEmpty() && found.columns().values().stream().noneMatch(FoundColumn::selectable);
    if (!denied.isEmpty() || nothing && !found.selectable()) {
      findings.add(
          "Role %s lacks SELECT on %s. Run GRANT SELECT ON %s TO %s."
              .formatted(
                  role,
                  denied.isEmpty() || denied.size() == found.columns().size()
                      ? "the table"
                      : "the columns (" + SqlNames.list(denied) + ")",
                  found.quoted(),
                  role));
    }
  }

  private List<FoundColumn> needed() {
    return found.columns().values().stream()
        .filter(column -> target.columns().contains(column.name()))
        .toList();
  }

  private LogicalType declared(String column) {
    return target.declared().getTypeAt(target.declared().getFieldIndex(column));
  }

  /** A column that is among the needed ones. */
  ReadColumn column(String name) {
    return ReadTypes.column(name, declared(name), found.columns().get(name).type());
  }

  /** The columns of the rows, in their order. */
  List<ReadColumn> columns() {
    return target.rows().getFieldNames().stream().map(this::column).toList();
  }

  /** Decodes its rows. */
  RowDecoder decoder() {
    return new RowDecoder(target.table(), target.rows(), columns());
  }

  /** Whether what is selected depends on settings of the session. */
  boolean dependsOnSettings() {
    return needed().stream()
        .anyMatch(column -> ReadTypes.dependsOnSettings(declared(column.name()), column.type()));
  }

  /** What is selected. */
  String selectList() {
    return columns().stream().map(ReadColumn::expression).collect(Collectors.joining(", "));
  }

  /** The pushed conditions as SQL. */
  List<String> conditions() {
    return target.conditions().stream()
        .map(condition -> condition.sql(name -> column(name).expression()))
        .toList();
  }
}
