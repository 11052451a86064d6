// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

/** Tells the partitions of a topic. */
interface PartitionLookup {

  /** The partition numbers of {@code topic}, in ascending order. */
  int[] partitions(String topic);
}
