// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/**
 * What a committer counts, beside Flink's own {@code numCommittables*}. Used by the task thread.
 */
final class CommitterMetrics {

  private static final int WINDOW = 1_000;

  private final Counter alreadyCommitted;
  private final Counter lost;
  private final Counter retried;
  private final Histogram commitMillis;
  private final Histogram firstRowToVisibleMillis;

  CommitterMetrics(MetricGroup group) {
    alreadyCommitted = group.counter("alreadyCommitted");
    lost = group.counter("lostTransactions");
    retried = group.counter("commitRetries");
    commitMillis = group.histogram("commitMillis", new DescriptiveStatisticsHistogram(WINDOW));
    firstRowToVisibleMillis =
        group.histogram("firstRowToVisibleMillis", new DescriptiveStatisticsHistogram(WINDOW));
  }

  void committed(Committable committable, long startedAt, long now) {
    commitMillis.update(now - startedAt);
    firstRowToVisibleMillis.update(now - committable.begunAt());
  }

  void alreadyCommitted() {
    alreadyCommitted.inc();
  }

  void lost() {
    lost.inc();
  }

  void retried(int transactions) {
    retried.inc(transactions);
  }
}
