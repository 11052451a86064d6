// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.data.RowData;

/**
 * Writes without transactions: rows are visible as they arrive. With {@code flushAtBarrier} every
 * row before a completed checkpoint has arrived (at-least-once), without it none is promised. It
 * hands nothing to the committer, which stays in the job all the same to commit what an earlier,
 * transactional run of it had prepared.
 */
final class FlushingWriter
    implements StatefulSinkWriter<RowData, WriterState>,
        CommittingSinkWriter<RowData, Committable> {

  private final RowTarget target;
  private final boolean flushAtBarrier;

  FlushingWriter(RowTarget target, boolean flushAtBarrier) {
    this.target = target;
    this.flushAtBarrier = flushAtBarrier;
  }

  @Override
  public void write(RowData row, Context context) throws IOException, InterruptedException {
    try {
      target.write(row);
    } catch (RefusedException e) {
      throw new SuppressRestartsException(e);
    }
  }

  @Override
  public void flush(boolean endOfInput) throws IOException, InterruptedException {
    if (flushAtBarrier || endOfInput) {
      try {
        target.flush();
      } catch (RefusedException e) {
        throw new SuppressRestartsException(e);
      }
    }
  }

  @Override
  public Collection<Committable> prepareCommit() {
    return List.of();
  }

  @Override
  public List<WriterState> snapshotState(long checkpointId) {
    return List.of();
  }

  @Override
  public void close() throws Exception {
    target.close();
  }
}
