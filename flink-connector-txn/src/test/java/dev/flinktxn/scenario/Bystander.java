// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Somebody else who works on a sink's table, statement after statement, and takes the time of each.
 */
final class Bystander implements AutoCloseable {

  /** Leaves the server some time for others. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /**
   * Without idle sessions: one that hears of an ALTER begins a transaction of its own, which counts
   * as begun with the last statement.
   */
  private static final String OLDEST =
      "SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start) * 1000), 0)::int8"
          + " FROM pg_stat_activity WHERE datname = current_database() AND"
          + " starts_with(application_name, '"
          + PostgresTables.SINK
          + "') AND state <> 'idle'";

  private final Map<String, Long> longestMillis = new TreeMap<>();
  private final CompletableFuture<Void> work;
  private long longestTransactionMillis;
  private int statements;
  private volatile boolean done;

  private Bystander(Connection connection, String table) {
    List<String> all =
        List.of(
            "UPDATE " + table + " SET qty = qty + 1 WHERE id = 0",
            "ALTER TABLE " + table + " ALTER COLUMN name SET DEFAULT 'x'",
            "VACUUM " + table);
    work = CompletableFuture.runAsync(() -> work(connection, all));
  }

  /** Begins to work on a table with a column {@code qty} and a row with {@code id} 0. */
  static Bystander begin(PostgresTables tables, String table) {
    return new Bystander(tables.connect(), table);
  }

  private void work(Connection connection, List<String> all) {
    try (connection;
        Statement statement = connection.createStatement()) {
      while (!done) {
        for (String sql : all) {
          long start = System.nanoTime();
          statement.execute(sql);
          took(sql, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
          try (ResultSet row = statement.executeQuery(OLDEST)) {
            row.next();
            sawTransaction(row.getLong(1));
          }
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private synchronized void took(String sql, long millis) {
    longestMillis.merge(sql.substring(0, sql.indexOf(' ')), millis, Math::max);
    statements++;
  }

  private synchronized void sawTransaction(long millis) {
    longestTransactionMillis = Math.max(longestTransactionMillis, millis);
  }

  /** How long the slowest statement took, which is more than it waited. */
  synchronized long longestMillis() {
    return longestMillis.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** The oldest transaction in which a session of the sink was seen. */
  synchronized long longestTransactionMillis() {
    return longestTransactionMillis;
  }

  synchronized int statements() {
    return statements;
  }

  @Override
  public synchronized String toString() {
    return "longest %s ms of %d statements, longest transaction of the sink %d ms"
        .formatted(longestMillis, statements, longestTransactionMillis);
  }

  /** Ends the work; fails if a statement has failed. */
  @Override
  public void close() throws InterruptedException, ExecutionException {
    done = true;
    work.get();
  }
}
