// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.data.RowData;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * Reads splits one after the other by COPY TO STDOUT, all in one transaction that sees the scan's
 * snapshot. Used by one thread, except for {@link #stop}.
 */
final class ScanSplitReader implements SplitReader<RowData, ScanSplit> {

  private static final Duration ANSWER = Duration.ofSeconds(60);

  /** Between two splits a transaction is idle for as long as nobody takes the rows of the first. */
  private static final Duration IDLE = Duration.ofHours(1);

  private static final int BATCH_BYTES = 1 << 20;

  private static final String SOCKET_TIMEOUT = "socketTimeout";

  private final ReadTarget target;
  private final int fetchSize;
  private final Database database;
  private final Queue<ScanSplit> splits = new ArrayDeque<>();
  private volatile PGConnection session;
  private ReadTable table;
  private RowDecoder decoder;
  private ScanSplit current;
  private CopyOut copy;
  private boolean first;

  /** How many splits there are that are not finished. */
  private int open;

  private boolean noMoreSplits;
  private volatile Thread thread;
  private volatile boolean busy;
  private volatile boolean stopped;
  private volatile boolean closed;

  /**
   * A reader that is not connected yet.
   *
   * @param fetchSize how many rows are handed over at once
   */
  ScanSplitReader(ReadTarget target, int fetchSize) {
    this.target = target;
    this.fetchSize = fetchSize;
    this.database = new Database(target.table(), target.address(), ANSWER);
  }

  @Override
  public synchronized void handleSplitsChanges(SplitsChange<ScanSplit> change) {
    splits.addAll(change.splits());
    open += change.splits().size();
  }

  /**
   * No split will come beside those that were assigned already. Said by the task's thread: a
   * finished task can wait long for its last checkpoint, and the transaction must not.
   */
  synchronized void expectNoMore() {
    noMoreSplits = true;
    if (open == 0) {
      release();
    }
  }

  private synchronized void finished() {
    current = null;
    open--;
    if (noMoreSplits && open == 0) {
      release();
    }
  }

  /** Should a split be on its way still, it will be read in a new transaction. */
  private void release() {
    session = null;
    database.drop();
  }

  @Override
  public RecordsWithSplitIds<RowData> fetch() throws IOException {
    thread = Thread.currentThread();
    if (stopped) {
      return nothing();
    }
    if (current == null) {
      current = splits.poll();
      if (current == null) {
        return nothing();
      }
    }
    busy = true;
    try {
      return read();
    } catch (RefusedException e) {
      database.drop();
      throw new SuppressRestartsException(e);
    } catch (SQLException e) {
      database.drop();
      if (stopped) {
        return nothing();
      }
      throw failure(e);
    } finally {
      busy = false;
    }
  }

  private static ScanBatch nothing() {
    return new ScanBatch(null, List.of(), false);
  }

  private IOException failure(SQLException e) {
    if (session == null && ReadTrouble.isWithoutSnapshot(e)) {
      return withoutSnapshot(e);
    }
    IOException failure = ReadTrouble.whileReading(target, e);
    if (failure instanceof RefusedException) {
      throw new SuppressRestartsException(failure);
    }
    return failure;
  }

  /** A split that was dealt out just now comes back to its coordinator, which knows what to do. */
  private IOException withoutSnapshot(SQLException e) {
    if (current.restored()) {
      throw new SuppressRestartsException(ScanEnumerator.withoutSnapshot(target, e));
    }
    return new IOException(
        "Table %s: the snapshot of the scan of %s is gone"
            .formatted(target.table(), target.describe()),
        e);
  }

  private ScanBatch read() throws SQLException, IOException {
    if (session == null) {
      connect();
    }
    if (copy == null) {
      if (current.emitted() > 0 && !current.ordered()) {
        throw new RefusedException(
            ("Table %s: the checkpoint holds %d rows of %s, which is read as a whole and in no"
                    + " certain order, so that the rest cannot be told from them. Start the job"
                    + " without this checkpoint.")
                .formatted(target.table(), current.emitted(), current.relation()));
      }
      copy = session.getCopyAPI().copyOut(sql());
      first = true;
    }
    List<RowData> rows = new ArrayList<>();
    for (int bytes = 0; rows.size() < fetchSize && bytes < BATCH_BYTES; ) {
      byte[] message = copy.readFromCopy();
      if (message == null) {
        copy = null;
        break;
      }
      RowData row = decoder.decode(message, first);
      first = false;
      if (row != null) {
        rows.add(row);
        bytes += message.length;
      }
    }
    ScanBatch batch = new ScanBatch(current.splitId(), rows, copy == null);
    if (copy == null) {
      finished();
    }
    return batch;
  }

  private void connect() throws SQLException, IOException {
    Connection connection = database.begin();
    ScanSession.beginImport(connection, current.snapshot(), IDLE);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_current_snapshot()::text")) {
      row.next();
      if (!row.getString(1).equals(current.horizon())) {
        throw withoutSnapshot(null);
      }
    }
    table = ReadTable.check(connection, target);
    decoder = table.decoder();
    if (!target.address().properties().containsKey(SOCKET_TIMEOUT)) {
      // Nobody knows how long a server looks for the first row that fulfils a condition.
      connection.setNetworkTimeout(Runnable::run, 0);
    }
    session = connection.unwrap(PGConnection.class);
  }

  private String sql() {
    List<String> conditions = new ArrayList<>();
    if (current.ordered()) {
      conditions.add("ctid >= '(%d,0)'::tid".formatted(current.fromBlock()));
      if (current.toBlock() >= 0) {
        conditions.add("ctid < '(%d,0)'::tid".formatted(current.toBlock()));
      }
    }
    conditions.addAll(table.conditions());
    StringBuilder sql =
        new StringBuilder("COPY (SELECT ")
            .append(table.selectList())
            .append(" FROM ")
            .append(current.relation());
    if (!conditions.isEmpty()) {
      sql.append(" WHERE ").append(String.join(" AND ", conditions));
    }
    target.enough().ifPresent(rows -> sql.append(" LIMIT ").append(rows - current.emitted()));
    if (current.emitted() > 0) {
      sql.append(" OFFSET ").append(current.emitted());
    }
    return sql.append(") TO STDOUT (FORMAT binary)").toString();
  }

  @Override
  public void wakeUp() {
    // Rows come soon enough; who closes the reader stops it.
  }

  /** Ends the wait for the database, from any thread. */
  void stop() {
    stopped = true;
    Thread waiting = thread;
    if (waiting != null && busy) {
      waiting.interrupt();
    }
  }

  boolean isClosed() {
    return closed;
  }

  /** The transaction changes nothing, so that nothing is lost with it. */
  @Override
  public void close() {
    closed = true;
    database.close();
  }
}
