// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.FlushTimer;
import dev.flinktxn.protocol.RefusedException;
import dev.flinktxn.protocol.RowTarget;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;

/**
 * Rows into a table without the two-phase commit: visible with each flush, which is one short
 * transaction. Rows of a table with a key are upserted, so that a replay overwrites what it wrote
 * before. Used by the task thread, timers included.
 */
final class JdbcRowTarget implements RowTarget {

  private static final int FULL = 8 << 20;

  /** Nobody asks what became of these rows. */
  private static final UUID NO_UNIT = new UUID(0, 0);

  private final JdbcTarget target;
  private final TargetTable table;
  private final RowEncoder encoder;
  private final WriteMetrics metrics;
  private final Database database;
  private final FlushTimer timer;
  private final CopyBuffer buffer = new CopyBuffer(1 << 16);
  private long rows;
  private boolean deletes;

  JdbcRowTarget(
      JdbcTarget target,
      TargetTable table,
      RowEncoder encoder,
      WriteMetrics metrics,
      Database database,
      ProcessingTimeService timers) {
    this.target = target;
    this.table = table;
    this.encoder = encoder;
    this.metrics = metrics;
    this.database = database;
    this.timer = new FlushTimer(timers, target.flushInterval(), this::flush);
  }

  @Override
  public void write(RowData row) throws IOException, InterruptedException {
    if (rows == 0) {
      timer.start();
    }
    int before = buffer.size();
    try {
      encoder.encode(row, rows, buffer);
    } catch (RefusedException e) {
      metrics.refused();
      throw e;
    }
    rows++;
    deletes |= row.getRowKind() == RowKind.DELETE;
    metrics.encoded(buffer.size() - before);
    if (rows >= target.flushMaxRows() || buffer.size() >= FULL) {
      flush();
    }
  }

  @Override
  public void flush() throws IOException, InterruptedException {
    if (rows == 0) {
      return;
    }
    long start = System.nanoTime();
    try {
      Connection connection = database.begin();
      try (Statement limits = connection.createStatement()) {
        limits.execute(Database.limits(target.transactionTimeout()));
      }
      UnitMove.move(connection, unit(), target.onExistingKey());
      database.commit();
    } catch (SQLException e) {
      database.drop();
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException("Interrupted while writing to PostgreSQL");
      }
      metrics.refused();
      throw failure(e);
    } catch (UnitMove.IncompleteException e) {
      throw new IllegalStateException("Inline rows are complete", e);
    }
    metrics.sentSince(start);
    timer.stop();
    rows = 0;
    deletes = false;
    buffer.truncate(0);
  }

  private Unit unit() {
    return new Unit(
        NO_UNIT,
        Unit.Kind.INLINE,
        0,
        rows,
        deletes,
        encoder.format(),
        table.copyable(),
        target.schema(),
        table.schema(),
        table.name(),
        table.columnNames(),
        table.key(),
        List.of(),
        new Unit.Rows(buffer.bytes(), 0, buffer.size()));
  }

  private IOException failure(SQLException e) {
    if (Trouble.passes(e)) {
      return new IOException(
          String.format(
              "Table %s: rows could not be written to %s: %s. The job restarts and writes them"
                  + " again.",
              target.table(), target.describe(), Trouble.words(e)),
          e);
    }
    long line = Trouble.copyLine(e);
    String row =
        line > 0
            ? encoder.nameOf(buffer.bytes(), 0, buffer.size(), line)
            : "one of " + rows + " rows";
    return new RefusedException(
        String.format(
            "Table %s: %s refused %s: %s. None of these %d rows was written.",
            target.table(), table.quoted(), row, Trouble.words(e), rows),
        e);
  }

  @Override
  public void close() {
    database.close();
  }
}
