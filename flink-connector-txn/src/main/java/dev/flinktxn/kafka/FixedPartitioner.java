// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import org.apache.flink.table.data.RowData;

/** Each subtask writes to one partition; with fewer subtasks than partitions some stay empty. */
final class FixedPartitioner implements RecordPartitioner {
  private static final long serialVersionUID = 1L;

  private int subtask;

  @Override
  public void open(int subtask, int parallelism) {
    this.subtask = subtask;
  }

  @Override
  public int partition(RowData row, byte[] key, byte[] value, String topic, int[] partitions) {
    return partitions[subtask % partitions.length];
  }
}
