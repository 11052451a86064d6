// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.TransactionName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/**
 * The memory of committed units: a row for each, written in the transaction that moves its rows. A
 * unit with a row is committed; one without is not, unless the ledger was pruned since the unit was
 * minted.
 *
 * @param schema the schema of its tables
 */
record Ledger(String schema) {

  private static final int PRUNED_AT_ONCE = 1_000;

  private String ledger() {
    return SqlNames.quoted(schema, "ledger");
  }

  private String horizon() {
    return SqlNames.quoted(schema, "horizon");
  }

  /** What the ledger says of a unit that is to be entered. */
  enum Entry {
    /** It was not there, and nothing of its time was pruned: it is not committed. */
    ABSENT,
    /** It was entered before: it is committed. */
    PRESENT,
    /** It is not there, but may have been. */
    PRUNED
  }

  /**
   * Enters a unit, in the caller's transaction, in one round trip. The horizon is read by a
   * statement of its own, after the insertion: who finds no row because it was pruned also finds
   * the horizon, which is committed before anything is deleted.
   */
  Entry enter(Connection connection, Unit unit, TransactionName name) throws SQLException {
    try (PreparedStatement enter =
        connection.prepareStatement(
            "INSERT INTO "
                + ledger()
                + " (id, prefix, transaction, rows) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING;"
                + " SELECT (extract(epoch FROM pruned_before) * 1000000)::int8 > ? FROM "
                + horizon()
                + " WHERE prefix = ?")) {
      enter.setObject(1, unit.id());
      enter.setString(2, name.prefix());
      enter.setString(3, name.toString());
      enter.setLong(4, unit.rowCount());
      enter.setLong(5, unit.mintedAt());
      enter.setString(6, name.prefix());
      enter.execute();
      if (enter.getUpdateCount() == 0) {
        return Entry.PRESENT;
      }
      enter.getMoreResults();
      try (ResultSet pruned = enter.getResultSet()) {
        return pruned.next() && pruned.getBoolean(1) ? Entry.PRUNED : Entry.ABSENT;
      }
    }
  }

  /** Takes an entry back, in the transaction that made it. */
  void takeBack(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM " + ledger() + " WHERE id = ?")) {
      delete.setObject(1, id);
      delete.executeUpdate();
    }
  }

  /** What the ledger says of a unit that cannot be entered any more. */
  Entry find(Connection connection, Unit unit, String prefix) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT EXISTS (SELECT FROM "
                + ledger()
                + " WHERE id = ?), EXISTS (SELECT FROM "
                + horizon()
                + " WHERE prefix = ? AND (extract(epoch FROM pruned_before) * 1000000)::int8 > ?)")) {
      select.setObject(1, unit.id());
      select.setString(2, prefix);
      select.setLong(3, unit.mintedAt());
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getBoolean(1) ? Entry.PRESENT : row.getBoolean(2) ? Entry.PRUNED : Entry.ABSENT;
      }
    }
  }

  /**
   * Forgets a small step of the units committed longer ago than {@code retention}; the connection
   * is in auto-commit mode.
   *
   * @return whether there may be more
   */
  boolean prune(Connection connection, String prefix, Duration retention) throws SQLException {
    try (PreparedStatement raise =
            connection.prepareStatement(
                "INSERT INTO "
                    + horizon()
                    + " AS h (prefix, pruned_before)"
                    + " SELECT ?, now() - ? * interval '1 millisecond' WHERE EXISTS (SELECT FROM "
                    + ledger()
                    + " WHERE prefix = ? AND committed_at < now() - ? * interval '1 millisecond')"
                    + " ON CONFLICT (prefix) DO UPDATE SET pruned_before ="
                    + " greatest(h.pruned_before, EXCLUDED.pruned_before)");
        PreparedStatement delete =
            connection.prepareStatement(
                "DELETE FROM "
                    + ledger()
                    + " WHERE id IN (SELECT l.id FROM "
                    + ledger()
                    + " l JOIN "
                    + horizon()
                    + " h ON h.prefix = l.prefix WHERE l.prefix = ? AND l.committed_at <"
                    + " h.pruned_before ORDER BY l.committed_at LIMIT "
                    + PRUNED_AT_ONCE
                    + ")")) {
      raise.setString(1, prefix);
      raise.setLong(2, retention.toMillis());
      raise.setString(3, prefix);
      raise.setLong(4, retention.toMillis());
      if (raise.executeUpdate() == 0) {
        return false;
      }
      delete.setString(1, prefix);
      return delete.executeUpdate() == PRUNED_AT_ONCE;
    }
  }
}
