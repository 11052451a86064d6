// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.Truth.Cause;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A transaction of a committer: what it does is seen by others when it commits, or never. */
final class DatabaseTransaction {

  private final InMemoryDatabase database;
  private final Set<Long> locked = new HashSet<>(2);
  private Object entered;
  private long enteredAt;
  private long moves = -1;
  private List<Long> rows;
  private long takes = -1;
  private long tableLocked = -1;
  private boolean open = true;

  /** Whether its client is gone. */
  boolean abandoned;

  /** Whether its client has sent the COMMIT: it is on its way. */
  boolean commitSent;

  DatabaseTransaction(InMemoryDatabase database) {
    this.database = database;
  }

  boolean isOpen() {
    return open;
  }

  /** Takes the lock of a unit; false if another transaction has it. */
  boolean tryLock(long id) {
    if (holderOf(id) != null) {
      return false;
    }
    locked.add(id);
    return true;
  }

  /** Who has the lock of a unit; null for nobody. */
  DatabaseTransaction holderOf(long id) {
    for (DatabaseTransaction other : database.transactions()) {
      if (other != this && other.locked.contains(id)) {
        return other;
      }
    }
    return null;
  }

  /** Enters a unit into the ledger; false if it is there. */
  boolean enter(Object key, long now) {
    if (database.inLedger(key)) {
      return false;
    }
    entered = key;
    enteredAt = now;
    return true;
  }

  /** Takes the entry back. */
  void undoEntry() {
    entered = null;
  }

  /** Shuts everybody out of the staging table of a unit. */
  void lockTable(long id) {
    tableLocked = id;
  }

  boolean locksTable(long id) {
    return tableLocked == id;
  }

  /** Moves rows of a unit into the target. */
  void move(long id, List<Long> moved) {
    moves = id;
    rows = moved;
  }

  /** Takes a staging table away. */
  void take(long id) {
    takes = id;
  }

  boolean takes(long id) {
    return takes == id;
  }

  void commit() {
    end();
    if (entered != null) {
      database.enter(entered, enteredAt);
    }
    if (moves >= 0) {
      database.move(moves, rows);
    }
    if (takes < 0) {
      return;
    }
    if (takes == moves) {
      database.deregister(takes);
    } else {
      database.drop(takes, Cause.THIRD_PARTY);
    }
  }

  void rollBack() {
    if (open) {
      end();
    }
  }

  private void end() {
    open = false;
    database.ended(this);
  }
}
