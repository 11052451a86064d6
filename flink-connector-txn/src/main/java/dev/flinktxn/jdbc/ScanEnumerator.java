// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Coordinates a scan: holds its snapshot, deals its splits out, takes back those of a reader that
 * failed. The snapshot is given up when all splits are finished and no failover can bring one back;
 * after that, or when the database has ended it, a split that comes back fails the job, which then
 * restarts as a whole: from nothing with a new snapshot, or from a checkpoint. A checkpoint that
 * holds half a scan is worth nothing without the snapshot: such a job ends. Used by the
 * coordinator's thread.
 */
final class ScanEnumerator implements SplitEnumerator<ScanSplit, ScanProgress> {

  private final ReadTarget target;
  private final SplitEnumeratorContext<ScanSplit> context;
  private final SharedSnapshot snapshot;

  private final Deque<ScanSplit> pending = new ArrayDeque<>();
  private final Deque<Integer> requests = new ArrayDeque<>();
  private final Map<Integer, Set<String>> dealt = new HashMap<>();
  private final Set<String> finished = new HashSet<>();

  /** Whether splits can be dealt: they are known, and the snapshot was there when last asked. */
  private boolean ready;

  private boolean begun;
  private boolean over;
  private Throwable lost;
  private boolean checkpointed;
  private long lastNeeded = Long.MAX_VALUE;

  /** A scan that has not begun. */
  ScanEnumerator(ReadTarget target, SplitEnumeratorContext<ScanSplit> context) {
    this.target = target;
    this.context = context;
    this.snapshot = new SharedSnapshot(target);
  }

  /** A scan from a checkpoint, whose snapshot is gone with the coordinator that held it. */
  ScanEnumerator(
      ReadTarget target, SplitEnumeratorContext<ScanSplit> context, ScanProgress progress) {
    this(target, context);
    if (progress.begun()) {
      begun = true;
      pending.addAll(progress.pending());
    }
  }

  @Override
  public void start() {
    if (!begun) {
      int readers = context.currentParallelism();
      context.callAsync(() -> snapshot.open(readers), this::opened);
      long pulse = SharedSnapshot.PULSE.toMillis();
      context.callAsync(this::confirm, this::confirmed, pulse, pulse);
    } else if (pending.isEmpty()) {
      // All were dealt out: readers go on with what they have, if they can.
      over = true;
      ready = true;
    } else {
      throw new SuppressRestartsException(withoutSnapshot(target, null));
    }
  }

  /** Why a scan cannot go on from a checkpoint. */
  static IllegalStateException withoutSnapshot(ReadTarget target, Throwable cause) {
    return new IllegalStateException(
        ("Table %s: the checkpoint was taken in the middle of a scan of %s, whose snapshot is gone:"
                + " rows read from a new one would not fit those that were emitted already. Start"
                + " the job without this checkpoint, or from one before or after the scan.")
            .formatted(target.table(), target.describe()),
        cause);
  }

  private void opened(List<ScanSplit> splits, Throwable error) {
    if (error != null) {
      throw rethrown(error);
    }
    pending.addAll(splits);
    ready = true;
    deal();
  }

  private static RuntimeException rethrown(Throwable error) {
    return error instanceof RuntimeException known
        ? known
        : new IllegalStateException(error.getMessage(), error);
  }

  private Void confirm() throws Exception {
    snapshot.confirm();
    return null;
  }

  /** A snapshot that is gone harms nobody until it is needed again. */
  private void confirmed(Void nothing, Throwable error) {
    if (error != null && !over) {
      lost = error;
    }
  }

  @Override
  public void handleSplitRequest(int subtask, String host) {
    requests.add(subtask);
    deal();
  }

  @Override
  public void addReader(int subtask) {
    // Readers ask for splits when they start.
  }

  @Override
  public void addSplitsBack(List<ScanSplit> splits, int subtask) {
    requests.removeIf(request -> request == subtask);
    Set<String> before = dealt.computeIfAbsent(subtask, reader -> new HashSet<>());
    for (ScanSplit split : splits) {
      before.remove(split.splitId());
    }
    // What of the rest is finished the reader will say when it starts.
    finished.removeAll(before);
    splits.forEach(split -> finished.remove(split.splitId()));
    lastNeeded = Long.MAX_VALUE;
    if (splits.isEmpty()) {
      return;
    }
    pending.addAll(splits);
    ready = false;
    // The reader may have failed because the database did.
    context.callAsync(
        this::confirm,
        (nothing, error) -> {
          confirmed(nothing, error);
          checkThere();
          ready = true;
          deal();
        });
  }

  @Override
  public void handleSourceEvent(int subtask, SourceEvent event) {
    ScanReport report = (ScanReport) event;
    if (report.starting()) {
      for (String split : dealt.getOrDefault(subtask, Set.of())) {
        if (!report.splits().contains(split)) {
          finished.add(split);
        }
      }
    } else {
      finished.addAll(report.splits());
    }
    if (allFinished() && !checkpointed) {
      giveUp();
    }
  }

  private void deal() {
    while (ready && !requests.isEmpty()) {
      int subtask = requests.poll();
      if (!context.registeredReaders().containsKey(subtask)) {
        continue;
      }
      if (pending.isEmpty()) {
        context.signalNoMoreSplits(subtask);
        continue;
      }
      checkThere();
      ScanSplit split = pending.poll();
      begun = true;
      dealt.computeIfAbsent(subtask, reader -> new HashSet<>()).add(split.splitId());
      context.assignSplit(split, subtask);
    }
  }

  /** The job starts over when a split has to be read and cannot be. */
  private void checkThere() {
    if (over || lost != null) {
      throw new IllegalStateException(
          ("Table %s: the snapshot of the scan of %s is gone%s, but a part of the table has to be"
                  + " read (again); the job has to start over.")
              .formatted(
                  target.table(),
                  target.describe(),
                  over ? ", for all splits were finished" : ", the database has ended it"),
          lost);
    }
  }

  private boolean allFinished() {
    return ready
        && begun
        && pending.isEmpty()
        && dealt.values().stream().allMatch(finished::containsAll);
  }

  @Override
  public ScanProgress snapshotState(long checkpointId) {
    checkpointed = true;
    if (lastNeeded == Long.MAX_VALUE && allFinished()) {
      lastNeeded = checkpointId;
    }
    return new ScanProgress(begun, begun ? List.copyOf(pending) : List.of());
  }

  /** From a checkpoint that was taken after all splits were finished none can come back. */
  @Override
  public void notifyCheckpointComplete(long checkpointId) {
    if (checkpointId >= lastNeeded && allFinished()) {
      giveUp();
    }
  }

  private void giveUp() {
    over = true;
    snapshot.close();
  }

  @Override
  public void close() {
    over = true;
    snapshot.close();
  }
}
