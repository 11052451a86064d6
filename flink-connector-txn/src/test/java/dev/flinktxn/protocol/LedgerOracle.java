// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.Truth.Fate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the {@link Oracle} knows of a target table: that each unit is moved once and whole, and, for
 * upserts, that the last value of each key in the order of the input is there in the end.
 */
final class LedgerOracle {

  private static final int KEYS_OF_A_SPLIT = 2;

  private final World world;
  private final LedgerScenario scenario;
  private final List<Truth> moved = new ArrayList<>();

  LedgerOracle(World world, LedgerScenario scenario) {
    this.world = world;
    this.scenario = scenario;
  }

  /** Rows of a unit have reached the target. */
  void moved(Truth truth, List<Long> rows) {
    if (truth.fate != Fate.OPEN) {
      throw new Violation("Committed though it had ended: " + truth);
    }
    world.oracle().committed(truth);
    if (!rows.equals(truth.rows)) {
      throw new Violation("Committed " + rows + " of " + truth);
    }
    if (scenario.keyed()) {
      checkOrder(truth);
    }
    moved.add(truth);
  }

  private static void checkOrder(Truth truth) {
    List<Truth> prepared = truth.writer.prepared();
    for (Truth later : prepared.subList(prepared.indexOf(truth) + 1, prepared.size())) {
      if (later.fate == Fate.COMMITTED) {
        throw new Violation("Committed after " + later + ", which is newer: " + truth);
      }
    }
  }

  /** A writer, which fails for it, has seen that a unit will never be committed. */
  void seenAborted(Truth truth) {
    if (truth.fate != Fate.ABORTED) {
      throw new Violation("Seen aborted: " + truth);
    }
    if (truth.prepared) {
      world.cover(Cover.PREPARED_TRANSACTION_FOUND_ABORTED);
    }
  }

  /** Everything has come to rest. */
  void check(SimulatedJob job) {
    if (!scenario.keyed()) {
      return;
    }
    Set<Truth> reliedOn = new HashSet<>(job.reliedOn());
    // What other branches of a fork have written may lie over it.
    boolean alone = !job.forked && !world.hadSecondJob() && !world.scenario().batch();
    Map<Integer, Long> newest = new HashMap<>();
    Map<Integer, Long> last = new HashMap<>();
    for (Truth truth : moved) {
      if (!alone && !reliedOn.contains(truth)) {
        continue;
      }
      for (long row : truth.rows) {
        last.put(key(row), row);
        if (reliedOn.contains(truth)) {
          newest.merge(key(row), row, Math::max);
        }
      }
    }
    if (!last.equals(newest)) {
      throw new Violation("Holds " + last + " instead of " + newest);
    }
    world.cover(Cover.KEYS_COMPARED, last.size());
  }

  private static int key(long row) {
    return KEYS_OF_A_SPLIT * Row.split(row) + (int) (Row.offset(row) % KEYS_OF_A_SPLIT);
  }
}
