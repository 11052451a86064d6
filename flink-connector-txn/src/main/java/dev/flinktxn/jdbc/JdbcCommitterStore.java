// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.Outcome;
import dev.flinktxn.protocol.Outcome.Kind;
import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.metrics.Histogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits units, one short transaction each, in the order they were written. The unit's row in the
 * ledger is the first thing a transaction writes, so of two committers of one unit, such as a
 * paused one and its successor, one commits it and the other finds it committed. Used by the task
 * thread.
 */
final class JdbcCommitterStore implements CommitterStore {

  private static final Logger LOG = LoggerFactory.getLogger(JdbcCommitterStore.class);

  private static final Duration PRUNING_PERIOD = Duration.ofMinutes(1);

  private final JdbcTarget target;
  private final Database database;
  private final UnitLock lock = new UnitLock();
  private final boolean prunes;
  private final Histogram mergeMillis;
  private long pruneAtNanos = System.nanoTime();

  /**
   * A store that connects when it is first needed.
   *
   * @param prunes whether this one, of all subtasks' stores, prunes the ledger
   * @param mergeMillis takes how long the target was written to, and locked, for each unit
   */
  JdbcCommitterStore(JdbcTarget target, boolean prunes, Histogram mergeMillis) {
    this.target = target;
    this.database = new Database(target, target.transactionTimeout());
    this.prunes = prunes;
    this.mergeMillis = mergeMillis;
  }

  @Override
  public List<Outcome> commit(List<Committable> committables)
      throws IOException, InterruptedException {
    List<Outcome> outcomes = new ArrayList<>(committables.size());
    String trouble = null;
    for (Committable committable : committables) {
      if (trouble != null) {
        // Behind one that could not be committed: an earlier value must not come last.
        outcomes.add(new Outcome(Kind.RETRY, "waits for one before it: " + trouble));
        continue;
      }
      Outcome outcome = commit(committable);
      outcomes.add(outcome);
      if (outcome.kind() == Kind.RETRY) {
        trouble = outcome.evidence();
      }
    }
    if (trouble == null && prunes && target.prefix() != null) {
      prune();
    }
    return outcomes;
  }

  private Outcome commit(Committable committable) throws IOException, InterruptedException {
    Unit unit = Unit.decode(committable.handle());
    try {
      return unit.kind() == Unit.Kind.PREPARED
          ? commitPrepared(committable, unit)
          : commitUnit(committable, unit);
    } catch (SQLException e) {
      database.drop();
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException("Interrupted in a commit");
      }
      if (Trouble.passes(e)) {
        return new Outcome(Kind.RETRY, Trouble.words(e));
      }
      if (Trouble.denies(e)) {
        throw new IOException(
            String.format(
                "Table %s: %s does not let the committer in: %s. Nothing is lost; check 'username'"
                    + " and 'password' and the role's rights.",
                target.table(), target.describe(), Trouble.words(e)),
            e);
      }
      throw refused(unit, e);
    }
  }

  private Outcome commitUnit(Committable committable, Unit unit) throws SQLException {
    Connection connection = database.begin();
    String busy = lock.tryTake(connection, unit.id(), Database.limits(target.transactionTimeout()));
    if (busy != null) {
      return rolledBack(Kind.RETRY, busy);
    }
    Ledger ledger = new Ledger(unit.schema());
    Ledger.Entry entry = ledger.enter(connection, unit, committable.name());
    if (entry == Ledger.Entry.PRESENT) {
      return rolledBack(Kind.ALREADY_COMMITTED, present(unit));
    }
    boolean pruned = entry == Ledger.Entry.PRUNED;
    if (pruned && unit.kind() != Unit.Kind.STAGED) {
      return rolledBack(Kind.UNKNOWN, pruned(unit));
    }
    String waiting = predecessorUnderWay(connection, unit, committable.name().prefix());
    if (waiting != null) {
      return rolledBack(Kind.RETRY, waiting);
    }
    long start = System.nanoTime();
    try {
      UnitMove.move(connection, unit, target.onExistingKey());
    } catch (UnitMove.IncompleteException e) {
      if (!e.registered()) {
        return pruned
            ? rolledBack(Kind.UNKNOWN, pruned(unit))
            : rolledBack(Kind.LOST, e.getMessage());
      }
      // Deregistered for good, or the units behind it would wait for it for ever.
      ledger.takeBack(connection, unit.id());
      database.commit();
      return new Outcome(Kind.LOST, e.getMessage());
    }
    database.commit();
    mergeMillis.update((System.nanoTime() - start) / 1_000_000);
    return new Outcome(Kind.COMMITTED, "committed");
  }

  private Outcome rolledBack(Kind kind, String evidence) throws SQLException {
    database.rollback();
    return new Outcome(kind, evidence);
  }

  private static String present(Unit unit) {
    return "the ledger holds unit " + unit.id();
  }

  private static String pruned(Unit unit) {
    return "the ledger holds no unit "
        + unit.id()
        + ", but was pruned since it was written (sink.ledger-retention)";
  }

  /**
   * After a rescale, the units of one writer may have come to several committers. One that the
   * ledger may have forgotten is waited for only while somebody is committing it.
   */
  private String predecessorUnderWay(Connection connection, Unit unit, String prefix)
      throws SQLException {
    if (unit.predecessors().isEmpty()) {
      return null;
    }
    List<Standing.Question> questions =
        unit.predecessors().stream()
            .map(p -> new Standing.Question(p.id(), p.mintedAt(), ""))
            .toList();
    Map<UUID, Standing> standings =
        Standing.ask(connection, unit.schema(), prefix, questions).units();
    for (Unit.Predecessor predecessor : unit.predecessors()) {
      Standing standing = standings.get(predecessor.id());
      if (standing.committed()) {
        continue;
      }
      // One that was staged and is not any more is lost.
      boolean comes = standing.staged() || !predecessor.staged() && !standing.pruned();
      if (comes || !UnitLock.taken(connection, predecessor.id())) {
        return "unit " + predecessor.id() + " of the same writer has to be committed first";
      }
    }
    return null;
  }

  private Outcome commitPrepared(Committable committable, Unit unit) throws SQLException {
    Connection connection = database.connection();
    String gid = Prepared.gid(committable.name(), unit.id());
    try {
      Prepared.commit(connection, gid);
      return new Outcome(Kind.COMMITTED, "committed");
    } catch (SQLException e) {
      if (!Trouble.is(e, Trouble.UNDEFINED_OBJECT)) {
        throw e;
      }
    }
    String none = "there is no prepared transaction '" + gid + "'; ";
    return switch (new Ledger(unit.schema()).find(connection, unit, committable.name().prefix())) {
      case PRESENT -> new Outcome(Kind.ALREADY_COMMITTED, none + present(unit));
      case PRUNED -> new Outcome(Kind.UNKNOWN, none + pruned(unit));
      case ABSENT -> new Outcome(Kind.LOST, none + "the ledger holds no unit " + unit.id());
    };
  }

  private RefusedException refused(Unit unit, SQLException e) {
    String kept =
        switch (unit.kind()) {
          case INLINE -> "Its rows are kept in the checkpoint.";
          case STAGED ->
              "Its rows are kept in the checkpoint and in "
                  + new Staging(unit.schema()).table(unit.id())
                  + ".";
          case PREPARED -> "It stays prepared.";
        };
    return new RefusedException(
        String.format(
            "Table %s: %s refused unit %s of a completed checkpoint: %s. %s Remove the cause, or"
                + " for a key that exists set sink.on-existing-key to 'ignore' or 'update', and"
                + " restore the last checkpoint.",
            target.table(), unit.quotedTarget(), unit.id(), Trouble.words(e), kept),
        e);
  }

  /** One small step, now and then; it has time. */
  private void prune() {
    if (System.nanoTime() - pruneAtNanos < 0) {
      return;
    }
    try {
      boolean more =
          new Ledger(target.schema())
              .prune(database.connection(), target.prefix(), target.ledgerRetention());
      pruneAtNanos = System.nanoTime() + (more ? 0 : PRUNING_PERIOD.toNanos());
    } catch (SQLException e) {
      LOG.warn("Table {}: the ledger was not pruned: {}", target.table(), Trouble.words(e));
      database.drop();
      pruneAtNanos = System.nanoTime() + PRUNING_PERIOD.toNanos();
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
