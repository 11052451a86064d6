// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.util.SplittableRandom;

/** The rules of the ledger protocol. The simulation must notice each that is left out. */
enum LedgerRule {
  /** Never subtask and checkpoint, which come again. */
  A_RANDOM_ID_IS_THE_KEY,
  /** A unit in the ledger is committed, whatever happens to who entered it. */
  THE_ENTRY_IS_IN_THE_SAME_TRANSACTION,
  /** A committed unit is in the ledger, whatever happens to who committed it. */
  THE_ENTRY_COMES_BEFORE_THE_COMMIT,
  /** A unit that is not in the ledger may have been there before it was pruned. */
  THE_HORIZON_IS_ASKED,
  /** Who finds no entry because it was pruned finds the horizon that says so. */
  THE_HORIZON_IS_RAISED_FIRST,
  /** The other half of the same. */
  THE_HORIZON_IS_READ_AFTER_THE_ENTRY,
  /** The horizon does not matter to a unit that is registered: a commit takes it away. */
  A_STAGING_TABLE_PROVES_ITS_UNIT_UNCOMMITTED,
  /** A unit that was committed and forgotten is not gone: its writer need not fail. */
  A_LOOK_ASKS_THE_HORIZON,
  /** Keyed: an earlier value does not come last, whoever commits it. */
  PREDECESSORS_ARE_WAITED_FOR,
  /** Keyed: nor within one call, where a committer need not ask for predecessors. */
  UNITS_BEHIND_A_RETRY_WAIT,
  /** An inline predecessor that the ledger may have forgotten is never committed any more. */
  A_PRUNED_PREDECESSOR_IS_NOT_WAITED_FOR,
  /** Unless somebody who entered it before it was pruned is committing it still. */
  THE_LOCK_OF_A_PRUNED_PREDECESSOR_IS_TAKEN {
    @Override
    boolean mayShowIn(Scenario scenario, LedgerScenario ledger) {
      return scenario.has(Fault.EXPIRY)
          && scenario.has(Fault.ZOMBIE)
          && !scenario.batch()
          && ledger.keyed()
          && ledger.dealsApart()
          && ledger.mixes();
    }
  },
  /** A unit that is lost leaves the registry, or its successors wait for it for ever. */
  WHAT_IS_LOST_IS_TAKEN_AWAY,
  /** A staging table may have lost rows. */
  STAGED_ROWS_ARE_COUNTED,
  /** What was counted is what is moved. */
  THE_STAGING_TABLE_IS_LOCKED_BEFORE_IT_IS_COUNTED;

  /** Narrows the schedules to those in which a rare consequence can show at all. */
  boolean mayShowIn(Scenario scenario, LedgerScenario ledger) {
    return true;
  }

  boolean mayShowIn(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return mayShowIn(Scenario.draw(random), LedgerScenario.draw(random));
  }

  /** The protocol without this rule. */
  Rules without() {
    LedgerRule left = this;
    return new Rules() {
      @Override
      boolean lacks(LedgerRule rule) {
        return rule == left;
      }
    };
  }
}
