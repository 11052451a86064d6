// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.TransactionName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Prepared transactions (PostgreSQL, PREPARE TRANSACTION). A gid is the transaction's name, which a
 * person can read, and the unit's id, which is never used twice.
 */
final class Prepared {

  private static final char SEPARATOR = '/';

  private Prepared() {}

  static String gid(TransactionName name, UUID id) {
    return name.toString() + SEPARATOR + id;
  }

  /** The unit's id in a gid. */
  static UUID idIn(String gid) {
    return UUID.fromString(gid.substring(gid.lastIndexOf(SEPARATOR) + 1));
  }

  /** The name in a gid. */
  static String nameIn(String gid) {
    int separator = gid.lastIndexOf(SEPARATOR);
    return separator < 0 ? gid : gid.substring(0, separator);
  }

  static void prepare(Connection connection, String gid) throws SQLException {
    execute(connection, "PREPARE TRANSACTION " + literal(gid));
  }

  static void commit(Connection connection, String gid) throws SQLException {
    finish(connection, "COMMIT PREPARED " + literal(gid));
  }

  /** Rolls back; does nothing when there is no such transaction any more. */
  static void rollback(Connection connection, String gid) throws SQLException {
    try {
      finish(connection, "ROLLBACK PREPARED " + literal(gid));
    } catch (SQLException e) {
      if (!Trouble.is(e, Trouble.UNDEFINED_OBJECT)) {
        throw e;
      }
    }
  }

  /** The gids in this database that begin with exactly {@code beginning}. */
  static List<String> beginningWith(Connection connection, String beginning) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT gid FROM pg_prepared_xacts WHERE database = current_database() AND"
                + " starts_with(gid, ?)")) {
      select.setString(1, beginning);
      List<String> gids = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          gids.add(rows.getString(1));
        }
      }
      return gids;
    }
  }

  /** Of one that another session is finishing, the server says what it says of final errors. */
  private static void finish(Connection connection, String sql) throws SQLException {
    try {
      execute(connection, sql);
    } catch (SQLException e) {
      if (Trouble.is(e, Trouble.NOT_IN_PREREQUISITE_STATE)) {
        throw new SQLTransientException(e.getMessage(), Trouble.OBJECT_IN_USE, e);
      }
      throw e;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The commands take no parameters; names and ids hold no quote. */
  private static String literal(String gid) {
    return "'" + gid.replace("'", "''") + "'";
  }
}
