// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.List;
import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.table.data.RowData;

/** Some rows of one split, in their order. Filled by one thread, then emptied by another. */
final class ScanBatch implements RecordsWithSplitIds<RowData> {

  private final List<RowData> rows;
  private final Set<String> finished;
  private String split;
  private int next;

  /**
   * A batch.
   *
   * @param split the rows' split; null for none
   * @param last whether they are its last ones
   */
  ScanBatch(String split, List<RowData> rows, boolean last) {
    this.split = split;
    this.rows = rows;
    this.finished = last ? Set.of(split) : Set.of();
  }

  @Override
  public String nextSplit() {
    String next = split;
    split = null;
    return next;
  }

  @Override
  public RowData nextRecordFromSplit() {
    return next < rows.size() ? rows.get(next++) : null;
  }

  @Override
  public Set<String> finishedSplits() {
    return finished;
  }
}
