// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.util.SplittableRandom;

/**
 * What a schedule on a ledger database has beside its {@link Scenario}.
 *
 * @param keyed whether rows are upserts, so that the order of commits decides
 * @param inlineRows how many rows may travel in the committables of one writer
 * @param dealsApart whether a restore may deal the units of one writer to several committers
 * @param handsOverAtOnce whether a committer gets the units of all completed checkpoints in one
 *     call, as its contract allows, or one checkpoint's in each, as Flink does
 * @param asksOutsideOfTheCallOnly whether a committer leaves the order of what it was handed in one
 *     call to the order of the call
 * @param retention how long the ledger remembers, in milliseconds
 */
record LedgerScenario(
    boolean keyed,
    int inlineRows,
    boolean dealsApart,
    boolean handsOverAtOnce,
    boolean asksOutsideOfTheCallOnly,
    long retention) {

  private static final int MANY = 1_000;

  /** Whether a writer has both inline and staged units. */
  boolean mixes() {
    return inlineRows > 0 && inlineRows < MANY;
  }

  /** Draws the conditions. */
  static LedgerScenario draw(SplittableRandom random) {
    return new LedgerScenario(
        random.nextInt(2) == 0,
        switch (random.nextInt(3)) {
          case 0 -> 0;
          case 1 -> 1 + random.nextInt(4);
          default -> MANY;
        },
        random.nextInt(2) == 0,
        random.nextInt(3) == 0,
        random.nextInt(2) == 0,
        random.nextInt(3) == 0 ? 20 + random.nextInt(300) : 100 + random.nextInt(5_000));
  }
}
