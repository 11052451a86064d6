// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;

/**
 * Flink's standard sink metrics, and what went through staging tables. Counted by the task thread,
 * read by reporters.
 */
final class WriteMetrics {

  private final Counter records;
  private final Counter bytes;
  private final Counter errors;
  private final Counter stagedRows;
  private final Counter stagedBytes;
  private volatile long sendMillis;

  WriteMetrics(SinkWriterMetricGroup group) {
    this.records = group.getNumRecordsSendCounter();
    this.bytes = group.getNumBytesSendCounter();
    this.errors = group.getNumRecordsSendErrorsCounter();
    this.stagedRows = group.counter("stagedRows");
    this.stagedBytes = group.counter("stagedBytes");
    group.setCurrentSendTimeGauge(() -> sendMillis);
  }

  void encoded(int rowBytes) {
    records.inc();
    bytes.inc(rowBytes);
  }

  void refused() {
    errors.inc();
  }

  void staged(long rows, int length) {
    stagedRows.inc(rows);
    stagedBytes.inc(length);
  }

  /** Notes how long rows that were sent at {@code startNanos} took. */
  void sentSince(long startNanos) {
    sendMillis = (System.nanoTime() - startNanos) / 1_000_000;
  }
}
