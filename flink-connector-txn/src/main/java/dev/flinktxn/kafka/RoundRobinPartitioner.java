// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.table.data.RowData;

/** Each subtask writes to all partitions of a topic in turn, beginning with one of its own. */
final class RoundRobinPartitioner implements RecordPartitioner {
  private static final long serialVersionUID = 1L;

  private final Map<String, int[]> next = new HashMap<>();
  private int subtask;

  @Override
  public void open(int subtask, int parallelism) {
    this.subtask = subtask;
  }

  @Override
  public int partition(RowData row, byte[] key, byte[] value, String topic, int[] partitions) {
    int[] turn = next.computeIfAbsent(topic, unused -> new int[] {subtask});
    int partition = partitions[turn[0] % partitions.length];
    turn[0] = (turn[0] + 1) % partitions.length;
    return partition;
  }
}
