// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.Truth.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The {@link InMemoryDatabase} as the external system of a schedule.
 *
 * <p>Limits of the model: one prefix, one target table, no prepared transactions; a delete is a
 * value like any other, and folding within a unit is right; no constraint of the target refuses
 * rows; nobody touches the ledger itself or goes back to a backup; the database's clock does not go
 * back; each chunk of staged rows arrives or not at once, never after its writer is gone.
 */
final class SimulatedDatabase implements SimulatedSystem {

  private final World world;
  private final LedgerScenario scenario;
  private final LedgerOracle oracle;
  private final InMemoryDatabase database;

  SimulatedDatabase(World world) {
    this.world = world;
    this.scenario = LedgerScenario.draw(world.random());
    this.oracle = new LedgerOracle(world, scenario);
    this.database = new InMemoryDatabase(oracle::moved);
    if (world.tracing()) {
      world.trace(scenario.toString());
    }
  }

  @Override
  public WriterStore writerStore(SimulatedTask task) {
    return new LedgerWriterStore(world, scenario, database, oracle, task);
  }

  @Override
  public CommitterStore committerStore(SimulatedTask task) {
    return new LedgerCommitterStore(world, scenario, database, task);
  }

  @Override
  public int step() {
    return database.step();
  }

  @Override
  public List<Truth> open() {
    return List.copyOf(database.registered().values());
  }

  @Override
  public Truth truthOf(byte[] handle) {
    return database.truthOf(LedgerUnit.decode(handle).id());
  }

  @Override
  public Truth foreignerWrites(String id) {
    long unit = database.mint(id, null, world.now());
    database.stage(unit, true, List.of());
    return database.truthOf(unit);
  }

  /** A restart of the database, or its timeouts, end every open transaction. */
  @Override
  public void losesPatience() {
    if (world.may(Fault.TIMEOUT)) {
      world.cover(Cover.DATABASE_RESTARTED);
      world.trace("the database restarts");
      database.transactions().forEach(DatabaseTransaction::rollBack);
    }
  }

  /** Committers prune; here time passes until there is something to prune. */
  @Override
  public void forgets() {
    if (world.may(Fault.EXPIRY)) {
      world.advance(world.random().nextLong(2 * scenario.retention()));
    }
  }

  @Override
  public void isMeddledWith() {
    if (!world.may(Fault.THIRD_PARTY)) {
      return;
    }
    List<DatabaseTransaction> transactions = database.transactions();
    if (!transactions.isEmpty() && world.flip()) {
      world.cover(Cover.TRANSACTION_ENDED_BY_THIRD_PARTY);
      transactions.get(world.random().nextInt(transactions.size())).rollBack();
      return;
    }
    List<Long> ours = new ArrayList<>();
    for (Map.Entry<Long, Truth> unit : database.registered().entrySet()) {
      boolean locked = transactions.stream().anyMatch(other -> other.locksTable(unit.getKey()));
      if (!world.oracle().isForeign(unit.getValue()) && !locked) {
        ours.add(unit.getKey());
      }
    }
    if (!ours.isEmpty()) {
      damage(ours.get(world.random().nextInt(ours.size())));
    }
  }

  private void damage(long unit) {
    int choice = world.random().nextInt(3);
    if (world.tracing()) {
      world.trace("a third party damages " + database.truthOf(unit) + " in way " + choice);
    }
    switch (choice) {
      case 0 -> {
        world.cover(Cover.STAGING_TABLE_DROPPED);
        database.drop(unit, Cause.THIRD_PARTY);
      }
      case 1 -> {
        world.cover(Cover.STAGING_TABLE_DROPPED_UNREGISTERED);
        database.dropTableOnly(unit);
      }
      default -> {
        world.cover(Cover.STAGED_ROW_DELETED);
        database.deleteStagedRow(unit);
      }
    }
  }

  /** The database notices whose clients are gone; a COMMIT that was sent may still arrive. */
  @Override
  public void catchesUp() {
    for (DatabaseTransaction transaction : database.transactions()) {
      if (transaction.abandoned && transaction.isOpen()) {
        if (transaction.commitSent) {
          world.cover(Cover.COMMITTED_LATE);
          world.trace("a COMMIT arrives late");
          transaction.commit();
        } else {
          transaction.rollBack();
        }
      }
    }
  }

  @Override
  public void changes() {}

  @Override
  public boolean atRest() {
    return database.transactions().isEmpty();
  }

  @Override
  public boolean dealsApart() {
    return scenario.dealsApart();
  }

  @Override
  public boolean handsOverAtOnce() {
    return scenario.handsOverAtOnce();
  }

  @Override
  public void check(SimulatedJob job) {
    oracle.check(job);
  }
}
