// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.LedgerUnit.Predecessor;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One try to commit one unit, in one transaction, with its row in the ledger. It may stand still
 * between any two statements, and lose its connection at each.
 */
final class UnitCommit {

  /** How long a lock is waited for before its holder is ended. */
  private static final long GRACE = 200;

  private final World world;
  private final InMemoryDatabase database;
  private final SimulatedTask task;
  private final Rules rules;
  private final LedgerUnit unit;
  private final Object key;
  private final Set<Long> notAsked;
  private final DatabaseTransaction transaction;

  /**
   * A try.
   *
   * @param key the unit's key in the ledger
   * @param notAsked units that are not waited for, because they were handed over with this one
   */
  UnitCommit(
      World world,
      InMemoryDatabase database,
      SimulatedTask task,
      LedgerUnit unit,
      Object key,
      Set<Long> notAsked) {
    this.world = world;
    this.database = database;
    this.task = task;
    this.rules = world.rules();
    this.unit = unit;
    this.key = key;
    this.notAsked = notAsked;
    this.transaction = database.begin();
  }

  /** The connection broke, on this side or the other. */
  private static final class DisconnectedException extends Exception {
    private static final long serialVersionUID = 1L;

    private DisconnectedException() {
      super(null, null, false, false);
    }
  }

  /**
   * Runs it to its end.
   *
   * @param busySince since when each unit has been seen locked
   */
  Outcome.Kind run(Map<Long, Long> busySince) throws InterruptedException {
    try {
      statement();
      if (!transaction.tryLock(unit.id())) {
        return locked(busySince);
      }
      busySince.remove(unit.id());
      Outcome.Kind kind = enter();
      if (kind != null) {
        transaction.rollBack();
        return kind;
      }
      return unit.staged() ? moveStaged() : moveInline();
    } catch (DisconnectedException e) {
      return Outcome.Kind.RETRY;
    } finally {
      // The server notices later that nobody is there any more.
      transaction.abandoned = transaction.isOpen();
    }
  }

  private Outcome.Kind locked(Map<Long, Long> busySince) {
    world.cover(Cover.UNIT_LOCKED_BY_ANOTHER);
    long since = busySince.computeIfAbsent(unit.id(), id -> world.now());
    if (world.now() - since > GRACE) {
      world.cover(Cover.HOLDER_ENDED);
      transaction.holderOf(unit.id()).rollBack();
    }
    transaction.rollBack();
    return Outcome.Kind.RETRY;
  }

  /** Null when the unit is to be moved now. */
  private Outcome.Kind enter() throws InterruptedException, DisconnectedException {
    boolean readsBefore = rules.lacks(LedgerRule.THE_HORIZON_IS_READ_AFTER_THE_ENTRY);
    statement();
    long before = database.prunedBefore();
    if (readsBefore) {
      statement();
    }
    if (!transaction.enter(key, world.now())) {
      return Outcome.Kind.ALREADY_COMMITTED;
    }
    if (rules.lacks(LedgerRule.THE_ENTRY_IS_IN_THE_SAME_TRANSACTION)) {
      database.enter(key, world.now());
    }
    world.interleave(task, false);
    long horizon = readsBefore ? before : database.prunedBefore();
    if (unit.mintedAt() < horizon
        && !rules.lacks(LedgerRule.THE_HORIZON_IS_ASKED)
        && !provesItself()) {
      return Outcome.Kind.UNKNOWN;
    }
    statement();
    if (mustWait()) {
      world.cover(Cover.WAITED_FOR_A_PREDECESSOR);
      return Outcome.Kind.RETRY;
    }
    return null;
  }

  /** A commit takes the staging table away, so one that is there was not committed. */
  private boolean provesItself() {
    return unit.staged()
        && database.isRegistered(unit.id())
        && !rules.lacks(LedgerRule.A_STAGING_TABLE_PROVES_ITS_UNIT_UNCOMMITTED);
  }

  /** Whether an earlier unit of the same writer may still be committed. */
  private boolean mustWait() {
    if (rules.lacks(LedgerRule.PREDECESSORS_ARE_WAITED_FOR)) {
      return false;
    }
    for (Predecessor predecessor : unit.predecessors()) {
      if (!notAsked.contains(predecessor.id())
          && !database.inLedger(predecessor.id())
          && !isGone(predecessor)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a unit that is not committed never will be. */
  private boolean isGone(Predecessor earlier) {
    if (earlier.staged()) {
      return !database.isRegistered(earlier.id());
    }
    if (earlier.mintedAt() >= database.prunedBefore()
        || rules.lacks(LedgerRule.A_PRUNED_PREDECESSOR_IS_NOT_WAITED_FOR)) {
      return false;
    }
    // Somebody may have entered it before the horizon was raised, and commit it yet.
    return transaction.tryLock(earlier.id())
        || rules.lacks(LedgerRule.THE_LOCK_OF_A_PRUNED_PREDECESSOR_IS_TAKEN);
  }

  private Outcome.Kind moveInline() throws InterruptedException, DisconnectedException {
    statement();
    transaction.move(unit.id(), unit.rows());
    return commit(Outcome.Kind.COMMITTED);
  }

  private Outcome.Kind moveStaged() throws InterruptedException, DisconnectedException {
    statement();
    if (!database.isRegistered(unit.id())) {
      transaction.rollBack();
      return Outcome.Kind.LOST;
    }
    transaction.take(unit.id());
    if (!rules.lacks(LedgerRule.THE_STAGING_TABLE_IS_LOCKED_BEFORE_IT_IS_COUNTED)) {
      transaction.lockTable(unit.id());
    }
    if (!isComplete()) {
      return incomplete();
    }
    statement();
    List<Long> staged = database.stagedRows(unit.id());
    if (staged == null) {
      throw new DisconnectedException();
    }
    transaction.move(unit.id(), staged);
    return commit(Outcome.Kind.COMMITTED);
  }

  private boolean isComplete() {
    List<Long> staged = database.stagedRows(unit.id());
    return staged != null
        && (staged.size() == unit.rowCount() || rules.lacks(LedgerRule.STAGED_ROWS_ARE_COUNTED));
  }

  /** What can never be committed is taken away, so that nobody waits for it. */
  private Outcome.Kind incomplete() throws InterruptedException, DisconnectedException {
    if (rules.lacks(LedgerRule.WHAT_IS_LOST_IS_TAKEN_AWAY)) {
      transaction.rollBack();
      return Outcome.Kind.LOST;
    }
    transaction.undoEntry();
    return commit(Outcome.Kind.LOST);
  }

  private Outcome.Kind commit(Outcome.Kind kind)
      throws InterruptedException, DisconnectedException {
    boolean after =
        kind == Outcome.Kind.COMMITTED && rules.lacks(LedgerRule.THE_ENTRY_COMES_BEFORE_THE_COMMIT);
    if (after) {
      transaction.undoEntry();
    }
    transaction.commitSent = world.flip();
    statement();
    transaction.commit();
    if (after) {
      world.interleave(task, true);
      database.enter(key, world.now());
    }
    if (world.replyLost(Cover.COMMIT_LOST_AFTER)) {
      throw new DisconnectedException();
    }
    world.interleave(task, false);
    if (kind == Outcome.Kind.COMMITTED) {
      world.cover(Cover.COMMITTED);
    }
    return kind;
  }

  /** Others may come first, and the connection may be gone then. */
  private void statement() throws InterruptedException, DisconnectedException {
    world.standStill(task);
    if (world.replyLost(Cover.COMMIT_LOST_BEFORE)) {
      throw new DisconnectedException();
    }
    if (!transaction.isOpen()) {
      world.cover(Cover.ENDED_INSIDE_A_COMMIT);
      if (task.life == SimulatedTask.Life.ZOMBIE) {
        world.cover(Cover.ZOMBIE_ENDED_INSIDE_A_COMMIT);
      }
      throw new DisconnectedException();
    }
  }
}
