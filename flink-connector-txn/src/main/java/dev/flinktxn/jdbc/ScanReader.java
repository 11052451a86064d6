// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.base.source.reader.SingleThreadMultiplexSourceReaderBase;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.table.data.RowData;

/** A subtask's reader: a thread of its own takes rows from the database, the task emits them. */
final class ScanReader
    extends SingleThreadMultiplexSourceReaderBase<RowData, RowData, ScanSplit, ScanReader.Place> {

  /** One being read and one waiting, so that the connection is never without work. */
  private static final int SPLITS = 2;

  private final Set<ScanSplitReader> sessions;

  /** How far a split has been emitted. */
  static final class Place {
    private final ScanSplit split;
    private long emitted;

    private Place(ScanSplit split) {
      this.split = split;
      this.emitted = split.emitted();
    }
  }

  private ScanReader(
      Set<ScanSplitReader> sessions,
      Supplier<SplitReader<RowData, ScanSplit>> opening,
      SourceReaderContext context) {
    super(
        opening,
        (row, output, place) -> {
          output.collect(row);
          place.emitted++;
        },
        context.getConfiguration(),
        context);
    this.sessions = sessions;
  }

  static ScanReader of(ReadTarget target, int fetchSize, SourceReaderContext context) {
    Set<ScanSplitReader> sessions = ConcurrentHashMap.newKeySet();
    return new ScanReader(
        sessions,
        () -> {
          sessions.removeIf(ScanSplitReader::isClosed);
          ScanSplitReader session = new ScanSplitReader(target, fetchSize);
          sessions.add(session);
          return session;
        },
        context);
  }

  @Override
  public void start() {
    Set<String> restored = ConcurrentHashMap.newKeySet();
    snapshotState(-1).forEach(split -> restored.add(split.splitId()));
    context.sendSourceEventToCoordinator(new ScanReport(true, Set.copyOf(restored)));
    for (int split = restored.size(); split < SPLITS; split++) {
      context.sendSplitRequest();
    }
  }

  @Override
  protected void onSplitFinished(Map<String, Place> finished) {
    context.sendSourceEventToCoordinator(new ScanReport(false, Set.copyOf(finished.keySet())));
    if (getNumberOfCurrentlyAssignedSplits() < SPLITS) {
      context.sendSplitRequest();
    }
  }

  @Override
  public void notifyNoMoreSplits() {
    super.notifyNoMoreSplits();
    sessions.forEach(ScanSplitReader::expectNoMore);
  }

  @Override
  protected Place initializedState(ScanSplit split) {
    return new Place(split);
  }

  @Override
  protected ScanSplit toSplitType(String splitId, Place place) {
    return place.split.after(place.emitted);
  }

  /** A thread that waits for the database has to be told. */
  @Override
  public void close() throws Exception {
    sessions.forEach(ScanSplitReader::stop);
    super.close();
  }
}
