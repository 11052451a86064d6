// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.data.RowData;

/**
 * The sink both connectors are: the two-phase commit of this package over one external system.
 *
 * <p>The committer is part of the job in every mode, so that a job restored with a weaker guarantee
 * still commits what it had prepared under the stronger one. Flink must call it {@code
 * uid(prefix)}: only a stable operator uid brings prepared transactions back to a job whose query
 * has changed.
 */
public final class TransactionalSink
    implements Sink<RowData>,
        SupportsCommitter<Committable>,
        SupportsWriterState<RowData, WriterState> {

  private static final long serialVersionUID = 1L;

  private final SinkSettings settings;
  private final ExternalSystem system;

  /** A sink of one INSERT into {@code system}. */
  public TransactionalSink(SinkSettings settings, ExternalSystem system) {
    this.settings = settings;
    this.system = system;
  }

  @Override
  public SinkWriter<RowData> createWriter(WriterInitContext context) throws IOException {
    return restoreWriter(context, List.of());
  }

  @Override
  public StatefulSinkWriter<RowData, WriterState> restoreWriter(
      WriterInitContext context, Collection<WriterState> restored) throws IOException {
    // What is in force, where a table falls back.
    context.metricGroup().gauge("transactional", () -> settings.transactional() ? 1 : 0);
    try {
      if (!settings.transactional()) {
        return new FlushingWriter(system.openRowTarget(context), settings.flushAtBarrier());
      }
      refuseOtherPrefix(restored);
      return openTransactional(context);
    } catch (RefusedException e) {
      throw new SuppressRestartsException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while opening the writer of " + system.describe(), e);
    }
  }

  private TransactionalWriter openTransactional(WriterInitContext context)
      throws IOException, InterruptedException {
    int subtask = context.getTaskInfo().getIndexOfThisSubtask();
    int parallelism = context.getTaskInfo().getNumberOfParallelSubtasks();
    WriterStore store = system.openWriterStore(context);
    try {
      OrphanCleanup cleanup =
          OrphanCleanup.open(settings, subtask, parallelism, store, ProtocolClock.SYSTEM);
      TransactionalWriter writer =
          new TransactionalWriter(
              settings,
              subtask,
              store,
              new Slots(),
              cleanup,
              ProtocolClock.SYSTEM,
              new SecureRandom());
      writer.registerGauges(context.metricGroup());
      return writer;
    } catch (IOException | InterruptedException | RuntimeException e) {
      try {
        store.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private void refuseOtherPrefix(Collection<WriterState> restored) throws RefusedException {
    for (WriterState state : restored) {
      if (!state.prefix().equals(settings.prefix())) {
        throw new RefusedException(
            String.format(
                "Table %s: the restored state was written with sink.transactional-id-prefix '%s',"
                    + " the statement says '%s'. Transactions of the old prefix would be lost or"
                    + " left open: restore with '%s'.",
                settings.table(), state.prefix(), settings.prefix(), state.prefix()));
      }
    }
  }

  @Override
  public Committer<Committable> createCommitter(CommitterInitContext context) throws IOException {
    return new TransactionalCommitter(
        settings,
        system.describe(),
        system.openCommitterStore(context),
        ProtocolClock.SYSTEM,
        new CommitterMetrics(context.metricGroup()));
  }

  @Override
  public SimpleVersionedSerializer<Committable> getCommittableSerializer() {
    return new CommittableSerializer();
  }

  @Override
  public SimpleVersionedSerializer<WriterState> getWriterStateSerializer() {
    return new WriterStateSerializer();
  }
}
