// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.util.ArrayList;
import java.util.List;

/** The executions between two submissions or global restarts. */
final class SimulatedRun {
  final SimulatedJob job;
  final int number;
  final int parallelism;
  final boolean chained;
  final SimulatedCheckpoint restoredFrom;

  /** The run this one goes on from; null when the user chose another state than the newest. */
  final SimulatedRun predecessor;

  final SimulatedTask[] tasks;
  final List<PendingCheckpoint> pending = new ArrayList<>();

  /** Batch: the finished writers, whose output waits for its committer. */
  final SimulatedTask[] partitions;

  /** Whether a checkpoint of this run was aborted. */
  boolean hadAborts;

  SimulatedRun(
      SimulatedJob job,
      int number,
      int parallelism,
      boolean chained,
      SimulatedCheckpoint from,
      SimulatedRun predecessor) {
    this.predecessor = predecessor;
    this.job = job;
    this.number = number;
    this.parallelism = parallelism;
    this.chained = chained;
    this.restoredFrom = from;
    this.tasks = new SimulatedTask[parallelism];
    this.partitions = new SimulatedTask[parallelism];
  }
}
