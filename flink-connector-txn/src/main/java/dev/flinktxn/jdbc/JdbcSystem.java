// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.ExternalSystem;
import dev.flinktxn.protocol.RefusedException;
import dev.flinktxn.protocol.RowTarget;
import dev.flinktxn.protocol.WriterStore;
import java.io.IOException;
import java.sql.SQLException;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/** One table in PostgreSQL, as the protocol sees it. */
final class JdbcSystem implements ExternalSystem {
  private static final long serialVersionUID = 1L;

  private static final int MERGES_REMEMBERED = 1_000;

  private final JdbcTarget target;

  JdbcSystem(JdbcTarget target) {
    this.target = target;
  }

  private interface Opening<T> {
    T with(Database database, TargetTable table, RowEncoder encoder)
        throws SQLException, IOException;
  }

  @Override
  public WriterStore openWriterStore(WriterInitContext context)
      throws IOException, InterruptedException {
    return open(
        context,
        target,
        (database, table, encoder) -> {
          LedgerSchema.create(database.connection(), target.schema());
          return new JdbcWriterStore(
              target, table, encoder, new WriteMetrics(context.metricGroup()), database);
        });
  }

  @Override
  public CommitterStore openCommitterStore(CommitterInitContext context) {
    return new JdbcCommitterStore(
        target,
        context.getTaskInfo().getIndexOfThisSubtask() == 0,
        context
            .metricGroup()
            .histogram("mergeMillis", new DescriptiveStatisticsHistogram(MERGES_REMEMBERED)));
  }

  @Override
  public RowTarget openRowTarget(WriterInitContext context)
      throws IOException, InterruptedException {
    return open(
        context,
        target.withoutTransactions(),
        (database, table, encoder) ->
            new JdbcRowTarget(
                target,
                table,
                encoder,
                new WriteMetrics(context.metricGroup()),
                database,
                context.getProcessingTimeService()));
  }

  private <T> T open(WriterInitContext context, JdbcTarget checked, Opening<T> opening)
      throws IOException, InterruptedException {
    Database database = new Database(target, target.transactionTimeout());
    try {
      int parallelism = context.getTaskInfo().getNumberOfParallelSubtasks();
      TargetTable table = StartupChecks.read(database.connection(), checked, parallelism);
      RowEncoder encoder = RowEncoders.of(target.table(), target.rows(), table);
      return opening.with(database, table, encoder);
    } catch (SQLException e) {
      database.close();
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException("Interrupted while connecting to PostgreSQL");
      }
      throw unreachable(e);
    } catch (IOException | RuntimeException e) {
      database.close();
      throw e;
    }
  }

  private IOException unreachable(SQLException e) {
    String advice =
        Trouble.isRefusedParameter(e)
            ? "A proxy that pools transactions cannot keep such a parameter: remove it from option"
                + " 'url' or 'properties.*'; instead of currentSchema write 'schema.table' in"
                + " 'table-name'."
            : "Check the options 'url', 'username' and 'password', and whether the server answers.";
    String message =
        String.format(
            "Table %s: the start-up checks of %s failed: %s. %s",
            target.table(), target.describe(), Trouble.words(e), advice);
    return Trouble.passes(e) ? new IOException(message, e) : new RefusedException(message, e);
  }

  @Override
  public String describe() {
    return target.describe();
  }
}
