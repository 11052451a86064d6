// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.Truth.Cause;
import dev.flinktxn.protocol.Truth.Fate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The second reference system: a database with a ledger, reduced to what decides the fate of a
 * unit. Statements see what was committed before them; what a {@link DatabaseTransaction} does is
 * seen when it commits. Writers' own transactions are so short that they count as one step.
 */
final class InMemoryDatabase {

  /** A staging table; {@code rows} is null when somebody dropped it behind the registry's back. */
  private static final class Staged {
    private final Truth truth;
    private List<Long> rows = new ArrayList<>();

    private Staged(Truth truth) {
      this.truth = truth;
    }
  }

  private final BiConsumer<Truth, List<Long>> moved;
  private final Map<Long, Truth> truths = new HashMap<>();
  private final List<Truth> all = new ArrayList<>();

  /** When each unit was committed, by its key. */
  private final Map<Object, Long> ledger = new HashMap<>();

  private final Map<Long, Staged> registry = new LinkedHashMap<>();
  private final List<DatabaseTransaction> transactions = new ArrayList<>();
  private long prunedBefore = Long.MIN_VALUE;
  private long nextId = 1;
  private int steps;

  /**
   * An empty database.
   *
   * @param moved told of each unit whose rows have reached the target, and of the rows
   */
  InMemoryDatabase(BiConsumer<Truth, List<Long>> moved) {
    this.moved = moved;
  }

  int step() {
    return steps;
  }

  /** A unit is written; nothing of it is in the database yet. */
  long mint(String name, SimulatedTask writer, long now) {
    long id = nextId++;
    Truth truth = new Truth(name, writer, now, Long.MAX_VALUE);
    truths.put(id, truth);
    all.add(truth);
    return id;
  }

  Truth truthOf(long id) {
    return truths.get(id);
  }

  List<Truth> units() {
    return all;
  }

  // Staging tables.

  /**
   * Appends to a unit's staging table.
   *
   * @param first whether the table is created with it
   * @return false if the table is gone
   */
  boolean stage(long id, boolean first, List<Long> rows) {
    steps++;
    if (first) {
      registry.put(id, new Staged(truths.get(id)));
    }
    Staged staged = registry.get(id);
    if (staged == null || staged.rows == null) {
      return false;
    }
    staged.rows.addAll(rows);
    return true;
  }

  /** The registry: the units with a staging table. */
  Map<Long, Truth> registered() {
    Map<Long, Truth> registered = new LinkedHashMap<>();
    registry.forEach((id, staged) -> registered.put(id, staged.truth));
    return registered;
  }

  boolean isRegistered(long id) {
    return registry.containsKey(id);
  }

  /** The rows of a staging table; null when there is no such table. */
  List<Long> stagedRows(long id) {
    Staged staged = registry.get(id);
    return staged == null || staged.rows == null ? null : List.copyOf(staged.rows);
  }

  /** Drops a staging table and its registry row; ends whoever is moving its rows. */
  void drop(long id, Cause cause) {
    steps++;
    for (DatabaseTransaction transaction : List.copyOf(transactions)) {
      if (transaction.takes(id)) {
        transaction.rollBack();
      }
    }
    Staged staged = registry.remove(id);
    if (staged != null) {
      staged.truth.fate = Fate.ABORTED;
      staged.truth.cause = cause;
      staged.truth.abortedInStep = steps;
    }
  }

  /** Somebody drops a staging table, but not its registry row. */
  void dropTableOnly(long id) {
    steps++;
    registry.get(id).rows = null;
    registry.get(id).truth.damaged = true;
  }

  /** Somebody deletes a row of a staging table. */
  void deleteStagedRow(long id) {
    steps++;
    Staged staged = registry.get(id);
    if (staged.rows != null && !staged.rows.isEmpty()) {
      staged.rows.remove(0);
      staged.truth.damaged = true;
    }
  }

  // The ledger.

  boolean inLedger(Object key) {
    return ledger.containsKey(key);
  }

  /** Enters a unit in a transaction of its own. */
  void enter(Object key, long now) {
    steps++;
    ledger.put(key, now);
  }

  /** Units minted before this may have been forgotten. */
  long prunedBefore() {
    return prunedBefore;
  }

  boolean holdsOlderThan(long moment) {
    return ledger.values().stream().anyMatch(committedAt -> committedAt < moment);
  }

  /** From here on units minted before {@code moment} may be forgotten. */
  void raiseHorizon(long moment) {
    steps++;
    prunedBefore = Math.max(prunedBefore, moment);
    for (Truth truth : all) {
      truth.evidenceTouched |= truth.startedAt < prunedBefore;
    }
  }

  /** Forgets what was committed before {@code moment}; returns how many. */
  int deleteOlderThan(long moment) {
    steps++;
    int before = ledger.size();
    ledger.values().removeIf(committedAt -> committedAt < moment);
    return before - ledger.size();
  }

  // Transactions.

  DatabaseTransaction begin() {
    DatabaseTransaction transaction = new DatabaseTransaction(this);
    transactions.add(transaction);
    return transaction;
  }

  List<DatabaseTransaction> transactions() {
    return List.copyOf(transactions);
  }

  void ended(DatabaseTransaction transaction) {
    steps++;
    transactions.remove(transaction);
  }

  /** Rows of a unit reach the target. */
  void move(long id, List<Long> rows) {
    Truth truth = truths.get(id);
    moved.accept(truth, rows);
    truth.fate = Fate.COMMITTED;
  }

  /** Takes a staging table away with the transaction that used it up. */
  void deregister(long id) {
    registry.remove(id);
  }
}
