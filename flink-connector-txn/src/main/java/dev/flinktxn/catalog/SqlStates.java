// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import java.sql.SQLException;
import java.util.Set;

/** What PostgreSQL's error codes mean for the catalog. */
final class SqlStates {

  /** A table, a schema, a type or an index of that name; a row of it, when two create at once. */
  private static final Set<String> TAKEN = Set.of("42P07", "42P06", "42710", "23505");

  private SqlStates() {}

  /** The session is gone, and with it what was under way. */
  static boolean isConnectionLost(SQLException e) {
    String state = state(e);
    return state.startsWith("08") || state.startsWith("57P");
  }

  /** Something has that name already. */
  static boolean isTaken(SQLException e) {
    return TAKEN.contains(state(e));
  }

  /** Other objects depend on it. */
  static boolean isNeeded(SQLException e) {
    return state(e).equals("2BP01");
  }

  private static String state(SQLException e) {
    return e.getSQLState() == null ? "" : e.getSQLState();
  }
}
