// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The conditions of one schedule.
 *
 * @param parallelism of the first run
 * @param chained whether writer and committer of the first run share a task
 * @param tv2 whether the system moves the epoch at every end of a transaction
 * @param firstEpoch of new ids; a high one makes producer ids roll over
 * @param describesFirst whether a committer describes before it ends what may have ended already
 * @param bounded whether the source ends
 * @param batch whether the job runs in batch mode
 * @param concurrentCheckpoints how many may be under way
 * @param continueOnLoss what the user has chosen
 * @param steps how long the schedule is before everything calms down
 * @param faults what may happen
 */
record Scenario(
    int parallelism,
    boolean chained,
    boolean tv2,
    int firstEpoch,
    boolean describesFirst,
    boolean bounded,
    boolean batch,
    int concurrentCheckpoints,
    boolean continueOnLoss,
    int steps,
    Set<Fault> faults) {

  static final int SPLITS = 5;

  /** Draws the conditions; each fault is present in about a third of the schedules. */
  static Scenario draw(SplittableRandom random) {
    EnumSet<Fault> faults = EnumSet.noneOf(Fault.class);
    int share = 10 + random.nextInt(45);
    for (Fault fault : Fault.values()) {
      if (random.nextInt(100) < share) {
        faults.add(fault);
      }
    }
    boolean batch = random.nextInt(12) == 0;
    return new Scenario(
        1 + random.nextInt(4),
        random.nextInt(2) == 0,
        random.nextInt(2) == 0,
        random.nextInt(3) == 0 ? InMemorySystem.LAST_EPOCH - random.nextInt(3) : 0,
        random.nextInt(2) == 0,
        batch || random.nextInt(3) == 0,
        batch,
        1 + random.nextInt(2),
        random.nextInt(4) == 0,
        40 + random.nextInt(260),
        faults);
  }

  boolean has(Fault fault) {
    return faults.contains(fault);
  }

  /** Whether checkpoints complete one after the other and are notified in time. */
  boolean orderly() {
    return concurrentCheckpoints == 1
        && !has(Fault.ABORTED_CHECKPOINT)
        && !has(Fault.LATE_NOTICE)
        && !has(Fault.LOST_NOTICE)
        && !has(Fault.SAVEPOINT)
        && !has(Fault.EXPIRY)
        && !has(Fault.REGION_RESTART)
        && !has(Fault.THIRD_PARTY)
        && !has(Fault.STRANGER_INITIALISES);
  }
}
