// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.SimulatedCheckpoint.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/** A checkpoint under way. */
final class PendingCheckpoint {
  final SimulatedRun run;
  final long id;
  final Kind kind;
  final int triggeredInStep;
  final long triggeredAt;
  final long[] positions = new long[Scenario.SPLITS];
  final List<SortedMap<Long, List<Committable>>> committables;
  final List<List<Truth>> prepared;
  boolean aborted;
  int missing;

  PendingCheckpoint(SimulatedRun run, long id, Kind kind, int triggeredInStep, long triggeredAt) {
    this.triggeredAt = triggeredAt;
    this.run = run;
    this.id = id;
    this.kind = kind;
    this.triggeredInStep = triggeredInStep;
    this.committables = new ArrayList<>(Collections.nCopies(run.parallelism, null));
    this.prepared = new ArrayList<>(Collections.nCopies(run.parallelism, null));
    this.missing = 2 * run.parallelism;
  }

  void writerAcknowledges(SimulatedTask task, long[] taken, List<Truth> transactions) {
    if (aborted) {
      return;
    }
    for (int split = task.subtask; split < Scenario.SPLITS; split += run.parallelism) {
      positions[split] = taken[split];
    }
    prepared.set(task.subtask, new ArrayList<>(transactions));
    missing--;
  }

  void committerAcknowledges(SimulatedTask task, SortedMap<Long, List<Committable>> state) {
    if (aborted) {
      return;
    }
    committables.set(task.subtask, state);
    missing--;
  }
}
