// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.table.data.RowData;

/**
 * A bounded scan of one table, by all readers in one snapshot. It is no wrapper around Flink's own
 * JDBC source: that reads its splits in transactions of their own, each seeing another state, and
 * has no jar that runs on every Flink from 1.20 to 2.3.
 */
final class JdbcScan implements Source<RowData, ScanSplit, ScanProgress> {
  private static final long serialVersionUID = 1L;

  private final ReadTarget target;
  private final int fetchSize;

  JdbcScan(ReadTarget target, int fetchSize) {
    this.target = target;
    this.fetchSize = fetchSize;
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.BOUNDED;
  }

  @Override
  public SplitEnumerator<ScanSplit, ScanProgress> createEnumerator(
      SplitEnumeratorContext<ScanSplit> context) {
    return new ScanEnumerator(target, context);
  }

  @Override
  public SplitEnumerator<ScanSplit, ScanProgress> restoreEnumerator(
      SplitEnumeratorContext<ScanSplit> context, ScanProgress progress) {
    return new ScanEnumerator(target, context, progress);
  }

  @Override
  public SourceReader<RowData, ScanSplit> createReader(SourceReaderContext context) {
    return ScanReader.of(target, fetchSize, context);
  }

  @Override
  public SimpleVersionedSerializer<ScanSplit> getSplitSerializer() {
    return new ScanSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<ScanProgress> getEnumeratorCheckpointSerializer() {
    return new ScanProgressSerializer();
  }
}
