// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Keeps two transactions from committing one unit at the same time, without waiting for each other:
 * an advisory lock of the transaction (PostgreSQL, "Explicit Locking"). Who holds it can be asked
 * at any time, so a committer that was stopped in the middle of a COPY, which no timeout of the
 * server ends, does not hold up its successor for ever.
 */
final class UnitLock {

  /** An earlier try whose connection broke is over sooner. */
  private static final Duration GRACE = Duration.ofSeconds(3);

  private final Map<UUID, Long> busySince = new HashMap<>();

  /**
   * Begins a transaction with the lock of a unit, in one round trip.
   *
   * @param limits the statements that bound the transaction in time
   * @return null, or in words who has it; the transaction must be rolled back then, and a holder
   *     that had it for long is ended
   */
  String tryTake(Connection connection, UUID id, String limits) throws SQLException {
    long key = id.getMostSignificantBits();
    if (taken(connection, limits + "; ", key)) {
      busySince.remove(id);
      return null;
    }
    long now = System.nanoTime();
    long since = busySince.computeIfAbsent(id, absent -> now);
    boolean tooLong = now - since > GRACE.toNanos();
    String holder = holder(connection, key, tooLong);
    return "another session is committing it: " + holder;
  }

  /** Takes the lock of a unit in the transaction under way; false when another has it. */
  static boolean taken(Connection connection, UUID id) throws SQLException {
    return taken(connection, "", id.getMostSignificantBits());
  }

  private static boolean taken(Connection connection, String before, long key) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(before + "SELECT pg_try_advisory_xact_lock(?)")) {
      select.setLong(1, key);
      select.execute();
      boolean taken = false;
      // The answer to the last statement.
      do {
        ResultSet row = select.getResultSet();
        if (row != null && row.next()) {
          taken = "t".equals(row.getString(1));
        }
      } while (select.getMoreResults() || select.getUpdateCount() != -1);
      return taken;
    }
  }

  /** The session that has the lock, ended if {@code end} and if it is of our own role. */
  private static String holder(Connection connection, long key, boolean end) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT a.pid, a.usename, CASE WHEN ? AND a.usename = current_user THEN"
                + " pg_terminate_backend(a.pid) ELSE false END FROM pg_locks l JOIN"
                + " pg_stat_activity a ON a.pid = l.pid WHERE l.locktype = 'advisory' AND l.granted"
                + " AND l.database = (SELECT oid FROM pg_database WHERE datname ="
                + " current_database()) AND l.classid = ?::int8::oid AND l.objid = ?::int8::oid AND"
                + " l.objsubid = 1")) {
      select.setBoolean(1, end);
      select.setLong(2, key >>> 32);
      select.setLong(3, key & 0xffff_ffffL);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          return "just ended";
        }
        return "process "
            + row.getInt(1)
            + " of role "
            + row.getString(2)
            + (row.getBoolean(3) ? ", ended now" : "");
      }
    }
  }
}
