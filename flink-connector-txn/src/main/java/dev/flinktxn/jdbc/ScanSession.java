// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * How transactions of a scan begin: they see one snapshot, change nothing, and give text that does
 * not depend on the defaults of role and server.
 */
final class ScanSession {

  /** What text looks like. */
  static final String TEXT_FORM =
      "SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle ="
          + " 'postgres'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;"
          + " SET LOCAL lc_monetary = 'C'";

  /** How long somebody may keep a table to himself, as for an ALTER TABLE. */
  private static final Duration LOCKS = Duration.ofMinutes(1);

  private static final String READ_ONLY =
      "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";

  private ScanSession() {}

  /**
   * Begins the transaction that exports the snapshot.
   *
   * @param idle how long it lasts when nothing is heard of its client any more
   */
  static void beginExport(Connection connection, Duration idle) throws SQLException {
    execute(connection, READ_ONLY + "; " + limits(idle));
  }

  /**
   * Begins a transaction that sees the snapshot. A statement lasts as long as those who take its
   * rows let it, so that no limit of time fits it; and rows have to come in the order in which they
   * are stored, so that no workers share a table and no scan begins in its middle.
   */
  static void beginImport(Connection connection, String snapshot, Duration idle)
      throws SQLException {
    execute(
        connection,
        READ_ONLY
            + "; SET TRANSACTION SNAPSHOT "
            + SqlLiterals.quoted(snapshot)
            + "; "
            + limits(idle)
            + "; SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL synchronize_seqscans ="
            + " off; "
            + TEXT_FORM);
  }

  private static String limits(Duration idle) {
    return "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = "
        + LOCKS.toMillis()
        + "; SET LOCAL idle_in_transaction_session_timeout = "
        + idle.toMillis();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
