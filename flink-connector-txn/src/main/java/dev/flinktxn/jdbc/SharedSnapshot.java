// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * The one transaction whose snapshot all readers of a scan see. It also holds a lock (ACCESS SHARE,
 * that of any SELECT) which keeps the table from being rewritten meanwhile. The snapshot is there
 * as long as this transaction is; the server ends it when nothing has been heard for a while.
 * Opened and asked by one thread, closed by any.
 */
final class SharedSnapshot implements AutoCloseable {

  /** How often it has to be asked to stay. */
  static final Duration PULSE = Duration.ofSeconds(20);

  private static final Duration IDLE = Duration.ofMinutes(3);
  private static final Duration ANSWER = Duration.ofSeconds(60);

  private static final String EXPORT = "SELECT pg_export_snapshot(), pg_current_snapshot()::text";

  private final ReadTarget target;
  private final Database database;
  private volatile Connection held;
  private volatile boolean closed;

  SharedSnapshot(ReadTarget target) {
    this.target = target;
    this.database = new Database(target.table(), target.address(), ANSWER);
  }

  /** Takes the snapshot and divides the table. */
  List<ScanSplit> open(int readers) throws IOException {
    try {
      held = database.connection();
      if (closed) {
        close();
      }
      ReadTable table = ReadTable.check(held, target);
      database.begin();
      ScanSession.beginExport(held, IDLE);
      try (Statement statement = held.createStatement()) {
        FoundTable found = table.found();
        // Before the snapshot where that is allowed: a rewritten table looks empty to older ones.
        if ("rp".indexOf(found.kind()) >= 0 && found.selectable()) {
          statement.execute("LOCK TABLE " + found.quoted() + " IN ACCESS SHARE MODE");
        }
        statement.execute("SELECT FROM " + found.quoted() + " LIMIT 0");
        try (ResultSet row = statement.executeQuery(EXPORT)) {
          row.next();
          return new ScanPlan(table, row.getString(1), row.getString(2)).splits(held, readers);
        }
      }
    } catch (RefusedException e) {
      close();
      throw new SuppressRestartsException(e);
    } catch (SQLException e) {
      close();
      throw unreachable(e);
    }
  }

  private IOException unreachable(SQLException e) {
    IOException refused = ReadTrouble.atStart(target, e);
    if (refused instanceof RefusedException) {
      throw new SuppressRestartsException(refused);
    }
    return refused;
  }

  /** Throws if the snapshot is gone. */
  void confirm() throws SQLException {
    Connection connection = held;
    if (connection == null) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT");
    } catch (SQLException e) {
      close();
      throw e;
    }
  }

  /** Gives the snapshot up. */
  @Override
  public void close() {
    closed = true;
    Connection connection = held;
    if (connection != null) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        // It is gone either way.
      }
    }
  }
}
