// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** A completed checkpoint or savepoint. */
final class SimulatedCheckpoint {

  /** What a checkpoint is taken for. */
  enum Kind {
    CHECKPOINT,
    SAVEPOINT,
    STOP
  }

  final SimulatedRun run;
  final long id;
  final Kind kind;
  final long triggeredAt;

  /** What its run was restored from; null for nothing. */
  final SimulatedCheckpoint base;

  final long[] positions;

  /** One committer state for each subtask. */
  final List<SortedMap<Long, List<Committable>>> committables;

  /** For each subtask what its writers have prepared in this run, as far as it is relied on. */
  final List<List<Truth>> prepared;

  int restores;

  SimulatedCheckpoint(PendingCheckpoint pending) {
    this.run = pending.run;
    this.id = pending.id;
    this.kind = pending.kind;
    this.triggeredAt = pending.triggeredAt;
    this.base = pending.run.restoredFrom;
    this.positions = pending.positions;
    this.committables = pending.committables;
    this.prepared = pending.prepared;
  }

  /** Whether a job at this checkpoint relies on {@code truth}. */
  boolean reliesOn(Truth truth) {
    for (SimulatedCheckpoint at = this; at != null; at = at.base) {
      for (List<Truth> transactions : at.prepared) {
        if (transactions.contains(truth)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Everything a job at this checkpoint relies on. */
  List<Truth> reliedOn() {
    List<Truth> result = new ArrayList<>();
    for (SimulatedCheckpoint at = this; at != null; at = at.base) {
      at.prepared.forEach(result::addAll);
    }
    return result;
  }

  @Override
  public String toString() {
    return kind + " " + id + " of run " + run.number;
  }
}
