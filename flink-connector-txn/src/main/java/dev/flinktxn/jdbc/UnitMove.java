// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Moves the rows of a unit into the target, in the caller's transaction. */
final class UnitMove {

  private UnitMove() {}

  /** The rows are not all there, or not there at all. */
  static final class IncompleteException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean registered;

    IncompleteException(String message, boolean registered) {
      super(message);
      this.registered = registered;
    }

    /**
     * Whether the staging table was registered until this transaction: proof that the unit was not
     * committed before.
     */
    boolean registered() {
      return registered;
    }
  }

  /**
   * Moves the rows; what the unit left beside the target goes with the same transaction.
   *
   * @throws IncompleteException if rows are missing; nothing was written to the target, and the
   *     unit is not registered any more
   */
  static void move(Connection connection, Unit unit, OnExistingKey onExistingKey)
      throws SQLException, IncompleteException {
    switch (unit.kind()) {
      case INLINE -> moveInline(connection, unit, onExistingKey);
      case STAGED -> moveStaged(connection, unit, onExistingKey);
      case PREPARED -> throw new IllegalArgumentException("the rows are in the target already");
    }
  }

  private static void moveInline(Connection connection, Unit unit, OnExistingKey onExistingKey)
      throws SQLException {
    boolean straight = unit.copyable() && !unit.keyed() && onExistingKey == OnExistingKey.FAIL;
    if (straight) {
      copy(connection, unit, unit.quotedTarget());
      return;
    }
    Staging.createPlain(connection, unit.quotedTarget(), unit.columns(), unit.keyed());
    copy(connection, unit, Staging.TEMPORARY);
    execute(connection, Merge.of(unit, onExistingKey).from(Staging.TEMPORARY));
    // Not left to ON COMMIT: the caller may move several units in one transaction.
    execute(connection, List.of("DROP TABLE " + Staging.TEMPORARY));
  }

  private static void copy(Connection connection, Unit unit, String table) throws SQLException {
    Copy.send(
        connection,
        Copy.into(table, unit.encodedColumns(), unit.format()),
        unit.format(),
        unit.rows().bytes(),
        unit.rows().offset(),
        unit.rows().length());
  }

  private static void moveStaged(Connection connection, Unit unit, OnExistingKey onExistingKey)
      throws SQLException, IncompleteException {
    Staging staging = new Staging(unit.schema());
    String table = staging.table(unit.id());
    switch (staging.deregister(connection, unit.id())) {
      case NOTHING ->
          throw new IncompleteException(
              "its staging table "
                  + table
                  + " is not registered any more and the ledger has no row of it",
              false);
      case NO_TABLE ->
          throw new IncompleteException("its staging table " + table + " is gone", true);
      case TABLE -> {}
    }
    long found = Staging.lockAndCount(connection, table);
    if (found != unit.rowCount()) {
      throw new IncompleteException(
          "its staging table "
              + table
              + ", which stays, holds "
              + found
              + " rows instead of "
              + unit.rowCount(),
          true);
    }
    execute(connection, Merge.of(unit, onExistingKey).from(table));
    staging.drop(connection, unit.id());
  }

  private static void execute(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
