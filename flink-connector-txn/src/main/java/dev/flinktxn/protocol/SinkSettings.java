// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.Serializable;
import java.time.Duration;

/**
 * What the protocol must know of one INSERT; the rest is the adapter's.
 *
 * @param table the table's name, for messages
 * @param prefix the namespace of everything this INSERT leaves in the external system; null only
 *     when {@code transactional} is false
 * @param transactional whether rows travel in transactions
 * @param flushAtBarrier whether a sink without transactions waits for its rows at each barrier
 *     (at-least-once) or promises nothing
 * @param batch whether the job runs in batch mode, where no barrier ever comes
 * @param continueOnLoss whether a transaction that is lost, or whose outcome cannot be known, is
 *     counted instead of ending the job
 * @param cleanupPeriod how often the clean-up of orphans is repeated
 * @param commitPatience how long one commit is tried before the task fails over
 */
public record SinkSettings(
    String table,
    String prefix,
    boolean transactional,
    boolean flushAtBarrier,
    boolean batch,
    boolean continueOnLoss,
    Duration cleanupPeriod,
    Duration commitPatience)
    implements Serializable {

  /** How often {@link OrphanCleanup} is repeated unless a test says otherwise. */
  public static final Duration CLEANUP_PERIOD = Duration.ofMinutes(1);

  /** How long one commit is tried unless the transaction timeout says otherwise. */
  public static final Duration COMMIT_PATIENCE = Duration.ofMinutes(10);

  /** Checks what the planner has to guarantee. */
  public SinkSettings {
    if (transactional && (prefix == null || !TransactionName.isPrefix(prefix))) {
      throw new IllegalArgumentException("Not a transactional id prefix: " + prefix);
    }
  }
}
