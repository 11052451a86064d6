// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.data.RowData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the rows of one checkpoint interval into one transaction and hands it over, prepared, at
 * the barrier. Begins nothing for an interval without rows. Follows the rules of the package
 * documentation; used by the task thread.
 */
final class TransactionalWriter
    implements StatefulSinkWriter<RowData, WriterState>,
        CommittingSinkWriter<RowData, Committable> {

  private static final Logger LOG = LoggerFactory.getLogger(TransactionalWriter.class);

  private final SinkSettings settings;
  private final int subtask;
  private final WriterStore store;
  private final Attempt attempt;
  private final Slots slots;
  private final OrphanCleanup cleanup;
  private final ProtocolClock clock;
  private final long timeout;

  private Transaction current;
  private TransactionName currentName;
  private long currentBegunAt;
  private long lastCheckpoint = -1;
  private boolean inputEnded;
  private boolean warnedOfAge;

  /** What the gauges show: written by the task thread, read by reporters. */
  private record InFlight(int open, int prepared, long oldestBegunAt, long orphansAborted) {}

  private volatile InFlight inFlight = new InFlight(0, 0, -1, 0);

  TransactionalWriter(
      SinkSettings settings,
      int subtask,
      WriterStore store,
      Slots slots,
      OrphanCleanup cleanup,
      ProtocolClock clock,
      Random random) {
    this.settings = settings;
    this.subtask = subtask;
    this.store = store;
    this.slots = slots;
    this.cleanup = cleanup;
    this.clock = clock;
    this.timeout = store.transactionTimeout().map(Duration::toMillis).orElse(-1L);
    this.attempt = Attempt.open(cleanup.earliestOpening(), random);
    cleanup.cleanFor(attempt);
  }

  @Override
  public void write(RowData row, Context context) throws IOException, InterruptedException {
    try {
      if (current == null) {
        currentName = new TransactionName(settings.prefix(), attempt, subtask, slots.take());
        currentBegunAt = clock.now();
        current = store.begin(currentName);
        publish();
      }
      current.write(row);
    } catch (RefusedException e) {
      throw new SuppressRestartsException(e);
    }
  }

  @Override
  public void flush(boolean endOfInput) throws IOException, InterruptedException {
    inputEnded |= endOfInput;
    // The flush of endInput comes without a barrier: other subtasks may not have re-committed
    // their restored transactions yet. In batch mode it is the only moment there is.
    boolean cleaned = (!endOfInput || settings.batch()) && cleanUpIfDue();
    if (current != null) {
      flushCurrent();
    }
    if (current != null || cleaned) {
      look();
    }
    publish();
    warnOfAge();
  }

  @Override
  public Collection<Committable> prepareCommit() throws IOException, InterruptedException {
    if (current == null) {
      return List.of();
    }
    byte[] handle = current.prepare();
    Committable committable =
        new Committable(currentName, handle, lastCheckpoint, currentBegunAt, clock.now(), timeout);
    slots.prepared(committable);
    current = null;
    publish();
    return List.of(committable);
  }

  @Override
  public List<WriterState> snapshotState(long checkpointId) throws IOException {
    lastCheckpoint = checkpointId;
    if (inputEnded && !settings.batch()) {
      try {
        cleanUpIfDue();
        // No flush precedes this barrier, so this is the last look before the checkpoint counts on
        // what was prepared when the input ended.
        look();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("Interrupted in the snapshot after the end of the input", e);
      }
    }
    return List.of(new WriterState(settings.prefix()));
  }

  @Override
  public void close() throws Exception {
    try (store) {
      if (current != null) {
        current.close();
      }
    }
  }

  void registerGauges(MetricGroup group) {
    group.gauge("openTransactions", () -> inFlight.open());
    group.gauge("preparedTransactions", () -> inFlight.prepared());
    group.gauge(
        "oldestTransactionAgeMillis",
        () -> inFlight.oldestBegunAt() < 0 ? 0 : clock.now() - inFlight.oldestBegunAt());
    group.gauge("transactionTimeoutMillis", () -> timeout);
    group.gauge("orphansAborted", () -> inFlight.orphansAborted());
  }

  private void publish() {
    List<Committable> waiting = slots.unsettled();
    long oldest = current == null ? -1 : currentBegunAt;
    if (!waiting.isEmpty()) {
      oldest = waiting.get(0).begunAt();
    }
    inFlight = new InFlight(current == null ? 0 : 1, waiting.size(), oldest, cleanup.aborted());
  }

  private void flushCurrent() throws IOException, InterruptedException {
    try {
      current.flush();
    } catch (RefusedException e) {
      throw new SuppressRestartsException(e);
    }
  }

  private boolean cleanUpIfDue() throws IOException, InterruptedException {
    if (!cleanup.isDue()) {
      return false;
    }
    cleanup.run();
    return true;
  }

  /**
   * Looks at everything this writer has in flight; asks nothing when that is nothing. A transaction
   * found aborted fails the attempt here, before the checkpoint that relies on it can complete.
   */
  private void look() throws IOException, InterruptedException {
    List<Committable> waiting = slots.unsettled();
    List<WriterStore.Look> looks = new ArrayList<>(waiting.size() + 1);
    for (Committable committable : waiting) {
      looks.add(new WriterStore.Look(committable.name(), committable.handle()));
    }
    if (current != null) {
      looks.add(new WriterStore.Look(currentName, current.handle()));
    }
    if (looks.isEmpty()) {
      return;
    }
    List<Sighting> sightings = store.look(looks);
    if (current != null && sightings.get(waiting.size()) != Sighting.OPEN) {
      throw gone(currentName, sightings.get(waiting.size()), currentBegunAt);
    }
    List<Committable> committed = new ArrayList<>();
    List<Committable> forgotten = new ArrayList<>();
    for (int i = 0; i < waiting.size(); i++) {
      switch (sightings.get(i)) {
        case OPEN -> {}
        case COMMITTED -> committed.add(waiting.get(i));
        // Only an ended transaction is ever forgotten; its committer has judged it or will.
        case UNKNOWN -> forgotten.add(waiting.get(i));
        case ABORTED ->
            throw gone(waiting.get(i).name(), Sighting.ABORTED, waiting.get(i).begunAt());
      }
    }
    slots.looked(committed, forgotten);
  }

  private IOException gone(TransactionName name, Sighting sighting, long begunAt) {
    return new IOException(
        String.format(
            "Table %s: transaction %s, begun %,d ms ago, is %s in the external system%s. The job"
                + " goes back to its last completed checkpoint and writes these rows again.",
            settings.table(),
            name,
            clock.now() - begunAt,
            sighting,
            timeout < 0 ? "" : String.format(" (its timeout is %,d ms)", timeout)));
  }

  private void warnOfAge() {
    long begunAt = inFlight.oldestBegunAt();
    long age = begunAt < 0 ? 0 : clock.now() - begunAt;
    boolean old = timeout > 0 && age > timeout / 2;
    if (old && !warnedOfAge) {
      LOG.warn(
          "Table {}: the oldest transaction of subtask {} was begun {} ms ago, its timeout is {}"
              + " ms. Past the timeout the external system aborts it and the job fails; shorten"
              + " the checkpoint interval or raise sink.transaction-timeout.",
          settings.table(),
          subtask,
          age,
          timeout);
    }
    warnedOfAge = old;
  }
}
