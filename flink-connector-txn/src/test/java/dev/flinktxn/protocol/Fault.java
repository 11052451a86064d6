// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

/** What a schedule may do beside rows and checkpoints. Each schedule draws its own set. */
enum Fault {
  /** Processes end without a word. */
  KILL,
  /** Tasks fail and are closed. */
  TASK_FAILURE,
  /** Tasks go on after they were declared dead. */
  ZOMBIE,
  /** Only the failed subtask restarts. */
  REGION_RESTART,
  /** Calls fail, before or after their effect. */
  LOST_REPLY,
  /** Transactions time out, or a database restarts and ends those that are open. */
  TIMEOUT,
  /** A TV1 system becomes a TV2 system. */
  FEATURE_RAISED,
  /** Ended ids are forgotten, a ledger is pruned. */
  EXPIRY,
  /** Somebody aborts our transactions, takes rows from them, or ends our sessions. */
  THIRD_PARTY,
  /** Somebody initialises our ids, whether they are in use or not. */
  STRANGER_INITIALISES,
  /** Aborts of orphans take effect later than they are answered. */
  SLOW_FENCE,
  /** Checkpoints are aborted. */
  ABORTED_CHECKPOINT,
  /** Completion notices arrive after the next checkpoint was triggered. */
  LATE_NOTICE,
  /** Completion notices never arrive. */
  LOST_NOTICE,
  /** Intermediate savepoints, which commit nothing and are not used by automatic restarts. */
  SAVEPOINT,
  /** Stop-with-savepoint, then a new submission. */
  STOP,
  /** The user restores what is not the latest. */
  OLDER_RESTORE,
  /** The user starts without state. */
  FRESH_START,
  /** New submissions change the parallelism. */
  RESCALE,
  /** Another live job uses the same prefix. */
  TWO_JOBS,
  /** Clocks of processes differ by more than the heartbeat timeout. */
  BAD_CLOCK
}
