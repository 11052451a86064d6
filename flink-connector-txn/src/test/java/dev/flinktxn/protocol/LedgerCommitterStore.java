// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A committer's way to the {@link InMemoryDatabase}, which it prunes now and then. */
final class LedgerCommitterStore implements CommitterStore {

  private static final long PRUNING_PERIOD = 100;

  private final World world;
  private final LedgerScenario scenario;
  private final InMemoryDatabase database;
  private final SimulatedTask task;
  private final Rules rules;
  private final Map<Long, Long> busySince = new HashMap<>();
  private long pruneAt;

  LedgerCommitterStore(
      World world, LedgerScenario scenario, InMemoryDatabase database, SimulatedTask task) {
    this.world = world;
    this.scenario = scenario;
    this.database = database;
    this.task = task;
    this.rules = world.rules();
  }

  @Override
  public List<Outcome> commit(List<Committable> committables)
      throws IOException, InterruptedException {
    world.before(task, Cover.COMMITTER_REFUSED);
    List<Outcome> outcomes = new ArrayList<>(committables.size());
    Set<Long> inCall = new HashSet<>();
    committables.forEach(one -> inCall.add(LedgerUnit.decode(one.handle()).id()));
    boolean waits = false;
    for (Committable committable : committables) {
      if (waits && !rules.lacks(LedgerRule.UNITS_BEHIND_A_RETRY_WAIT)) {
        world.cover(Cover.WAITED_BEHIND_A_RETRY);
        outcomes.add(new Outcome(Outcome.Kind.RETRY, "waits for one before it"));
        continue;
      }
      Outcome.Kind kind =
          commit(committable, scenario.asksOutsideOfTheCallOnly() ? inCall : Set.of());
      waits |= kind == Outcome.Kind.RETRY;
      outcomes.add(new Outcome(kind, "simulated evidence"));
    }
    if (!waits && task.subtask == 0) {
      prune();
    }
    return outcomes;
  }

  private Outcome.Kind commit(Committable committable, Set<Long> notAsked)
      throws InterruptedException {
    world.interleave(task, false);
    LedgerUnit unit = LedgerUnit.decode(committable.handle());
    Outcome.Kind kind =
        new UnitCommit(world, database, task, unit, key(committable, unit), notAsked)
            .run(busySince);
    if (kind == Outcome.Kind.ALREADY_COMMITTED) {
      world.cover(world.restoring() ? Cover.COMMITTED_AT_RESTORE : Cover.COMMITTED_TWICE);
      if (task.life == SimulatedTask.Life.ZOMBIE) {
        world.cover(Cover.ZOMBIE_FOUND_ITS_UNIT_COMMITTED);
      }
    }
    if (kind != Outcome.Kind.RETRY) {
      world.oracle().judged(task, database.truthOf(unit.id()), kind);
    }
    return kind;
  }

  private Object key(Committable committable, LedgerUnit unit) {
    return rules.lacks(LedgerRule.A_RANDOM_ID_IS_THE_KEY)
        ? committable.name().subtask() + "/" + committable.checkpoint()
        : Long.valueOf(unit.id());
  }

  /** The horizon first: who finds no row because it was pruned also finds the horizon. */
  private void prune() throws InterruptedException {
    if (!world.may(Fault.EXPIRY) || world.now() < pruneAt) {
      return;
    }
    pruneAt = world.now() + PRUNING_PERIOD;
    long moment = world.now() - scenario.retention();
    if (!database.holdsOlderThan(moment)) {
      return;
    }
    boolean late = rules.lacks(LedgerRule.THE_HORIZON_IS_RAISED_FIRST);
    if (!late) {
      database.raiseHorizon(moment);
      world.standStill(task);
    }
    world.cover(Cover.PRUNED, database.deleteOlderThan(moment));
    if (late) {
      world.standStill(task);
      database.raiseHorizon(moment);
    }
  }

  @Override
  public void close() {}
}
