// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.io.Serializable;
import org.apache.flink.table.data.RowData;

/**
 * Chooses the partition of each record; the class name of an implementation with a public
 * constructor without arguments is a value of {@code sink.partitioner}. Created by the planner,
 * serialized, and used by one task thread.
 */
public interface RecordPartitioner extends Serializable {

  /**
   * Called once, before the first record.
   *
   * @param subtask the index of the writing subtask, from 0
   * @param parallelism how many there are
   */
  default void open(int subtask, int parallelism) {}

  /**
   * The partition to write to, one of {@code partitions}.
   *
   * @param row the row; reused after the call
   * @param key the record's key, or null
   * @param value the record's value, or null
   * @param topic the record's topic
   * @param partitions the topic's partitions in ascending order, at least one; not to be changed
   */
  int partition(RowData row, byte[] key, byte[] value, String topic, int[] partitions);
}
