// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.RefusedException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What is checked before the first row: the server, the table, its columns, keys and rights, and
 * the rights in the sink's schema. Changes nothing in the database. Everything that does not fit is
 * said in one message.
 */
final class StartupChecks {

  private static final int OLDEST_SERVER = 14;

  private StartupChecks() {}

  /**
   * Checks and describes the table. With auto-commit off the transaction is left to the caller.
   *
   * @param parallelism how many subtasks write
   * @throws RefusedException if the configuration can never work with what is found
   */
  static TargetTable read(Connection connection, JdbcTarget target, int parallelism)
      throws SQLException, RefusedException {
    DatabaseMetaData server = connection.getMetaData();
    checkVersion(
        target.table(),
        target.describe(),
        server.getDatabaseMajorVersion(),
        server.getDatabaseProductVersion());
    CatalogReading found = CatalogReading.read(connection, target.tableName(), target.schema());
    List<String> findings = new ArrayList<>();
    if (found.table() == null) {
      findings.add(missingTable(connection, target.tableName(), found.server()));
    } else {
      addTable(target, found, findings);
    }
    if (target.prefix() != null) {
      found.ledger().missing().ifPresent(findings::add);
      addPrepared(target, parallelism, found.server().maxPrepared(), findings);
    }
    if (!findings.isEmpty()) {
      throw new RefusedException(message(target, found.server().role(), findings));
    }
    return describe(target, found);
  }

  /** The catalogs of an older server look different, so that nothing else can be asked of it. */
  static void checkVersion(String table, String described, int major, String version)
      throws RefusedException {
    if (major < OLDEST_SERVER) {
      throw new RefusedException(
          "Table %s: the server of %s is PostgreSQL %s, but %d or later is needed."
              .formatted(table, described, version, OLDEST_SERVER));
    }
  }

  private static void addTable(JdbcTarget target, CatalogReading found, List<String> findings) {
    FoundTable table = found.table();
    String kind =
        switch (table.kind()) {
          case 'r', 'p', 'f' -> null;
          case 'v' ->
              table.insertable()
                  ? null
                  : "a view into which nothing can be inserted; give it an INSTEAD OF INSERT"
                      + " trigger";
          case 'm' -> "a materialized view; write to a table";
          case 'S' -> "a sequence; write to a table";
          default -> "no table; write to a table";
        };
    if (kind != null) {
      findings.add("It is %s, or correct option 'table-name'.".formatted(kind));
      return;
    }
    findings.addAll(new ColumnChecks(table, target.rows(), RowEncoders::writable).findings());
    if (!target.key().isEmpty()) {
      new KeyChecks(table, target.key()).finding().ifPresent(findings::add);
    }
    findings.addAll(new TableRights(table, found.server().role(), target).missing());
  }

  /** What is wrong where there is no such table, and what was probably meant. */
  static String missingTable(Connection connection, TableName name, FoundServer server)
      throws SQLException {
    List<String> namesakes = NamesakeTables.of(connection, name);
    return "There is no such table%s (option 'table-name'; names are taken literally).%s Create it"
            .formatted(
                name.schema() == null
                    ? " on the search path (" + SqlNames.list(server.searchPath()) + ")"
                    : "",
                namesakes.isEmpty() ? "" : " There is " + String.join(" and ", namesakes) + ".")
        + " or correct the option.";
  }

  private static void addPrepared(
      JdbcTarget target, int parallelism, int available, List<String> findings) {
    long needed = (long) parallelism * target.preparedPerSubtask();
    if (target.strategy() == CommitStrategy.PREPARED && available < needed) {
      findings.add(
          "The server's max_prepared_transactions is %d, but 'sink.commit-strategy' = 'prepared'"
                  .formatted(available)
              + " needs at least %d (%d for each of %d subtasks). Raise it and restart the server,"
                  .formatted(needed, target.preparedPerSubtask(), parallelism)
              + " or set 'sink.commit-strategy' to 'ledger', which needs none.");
    }
  }

  private static String message(JdbcTarget target, String role, List<String> findings) {
    return message(
        "Table %s cannot be written to %s by role %s"
            .formatted(target.table(), target.describe(), SqlNames.quoted(role)),
        findings);
  }

  /** All findings in one message. */
  static String message(String what, List<String> findings) {
    return findings.size() == 1
        ? what + ". " + findings.get(0)
        : findings.stream()
            .collect(Collectors.joining("\n- ", what + ", for these reasons:\n- ", ""));
  }

  private static TargetTable describe(JdbcTarget target, CatalogReading found) {
    FoundTable table = found.table();
    List<String> written = target.rows().getFieldNames();
    return new TargetTable(
        table.schema(),
        table.name(),
        written.stream()
            .map(table.columns()::get)
            .map(column -> new TargetColumn(column.name(), column.type(), column.notNull()))
            .toList(),
        target.key(),
        table.uniqueKeys(written),
        table.copyable(),
        table.checked() || !found.server().utf8(),
        table.omittedNotNull(written).stream().map(FoundColumn::name).toList());
  }
}
