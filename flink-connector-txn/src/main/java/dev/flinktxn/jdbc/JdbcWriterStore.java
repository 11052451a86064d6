// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.OpenTransaction;
import dev.flinktxn.protocol.RefusedException;
import dev.flinktxn.protocol.Sighting;
import dev.flinktxn.protocol.Transaction;
import dev.flinktxn.protocol.TransactionName;
import dev.flinktxn.protocol.WriterStore;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Units of one writer. A name says who wrote a unit; what tells units apart is their random id, so
 * any name may be used at any time. Used by the task thread.
 */
final class JdbcWriterStore implements WriterStore {

  private static final Logger LOG = LoggerFactory.getLogger(JdbcWriterStore.class);

  /** A unit counts as older than it is, so that two clocks that run apart change nothing. */
  private static final long CLOCK_MARGIN_MICROS = 60_000_000;

  private static final int FIRST_BUFFER = 1 << 16;

  private final JdbcTarget target;
  private final TargetTable table;
  private final RowEncoder encoder;
  private final WriteMetrics metrics;
  private final Database database;
  private final UnitWrites writes;
  private final Leftovers leftovers;
  private final CopyBuffer buffer = new CopyBuffer(FIRST_BUFFER);

  /** Units that are prepared and not seen committed, oldest first, with their inline bytes. */
  private final Map<UUID, Pending> pending = new LinkedHashMap<>();

  private long databaseClock;
  private long databaseClockNanos;

  private record Pending(long mintedAt, boolean staged, long inlineBytes) {}

  JdbcWriterStore(
      JdbcTarget target,
      TargetTable table,
      RowEncoder encoder,
      WriteMetrics metrics,
      Database database)
      throws SQLException {
    this.target = target;
    this.table = table;
    this.encoder = encoder;
    this.metrics = metrics;
    this.database = database;
    this.writes = new UnitWrites(target, table, encoder, database, metrics);
    this.leftovers = new Leftovers(target, database);
    clockIs(Standing.clock(database.connection()));
  }

  private void clockIs(long micros) {
    databaseClock = micros;
    databaseClockNanos = System.nanoTime();
  }

  @Override
  public Transaction begin(TransactionName name) {
    long passed = (System.nanoTime() - databaseClockNanos) / 1_000;
    long inline = pending.values().stream().mapToLong(Pending::inlineBytes).sum();
    long room = Math.max(0, target.inlineMaxBytes() - inline);
    return new UnitTransaction(
        this,
        name,
        UUID.randomUUID(),
        databaseClock + passed - CLOCK_MARGIN_MICROS,
        (int) Math.min(room, Integer.MAX_VALUE / 2));
  }

  /** What the next unit of a keyed table has to come after. */
  List<Unit.Predecessor> predecessors() {
    List<Unit.Predecessor> predecessors = new ArrayList<>();
    if (table.keyed()) {
      pending.forEach(
          (id, unit) -> predecessors.add(new Unit.Predecessor(id, unit.mintedAt(), unit.staged())));
    }
    return predecessors;
  }

  RowEncoder encoder() {
    return encoder;
  }

  CopyBuffer buffer() {
    return buffer;
  }

  WriteMetrics metrics() {
    return metrics;
  }

  UnitWrites writes() {
    return writes;
  }

  TargetTable table() {
    return table;
  }

  String schema() {
    return target.schema();
  }

  /** Whether transactions are prepared in the database. */
  boolean prepares() {
    return target.strategy() == CommitStrategy.PREPARED;
  }

  /** Whether rows reach the target by a statement instead of straight by COPY. */
  boolean movesByMerge() {
    return table.keyed() || !table.copyable() || target.onExistingKey() != OnExistingKey.FAIL;
  }

  /** Notes that a transaction waits for its commit from now on. */
  void prepared(UnitTransaction transaction) {
    boolean inline = transaction.kind() == Unit.Kind.INLINE;
    pending.put(
        transaction.id(),
        new Pending(
            transaction.mintedAt(),
            transaction.kind() == Unit.Kind.STAGED,
            inline ? buffer.size() : 0));
  }

  @Override
  public List<Sighting> look(List<Look> looks) throws IOException, InterruptedException {
    List<Unit> units = new ArrayList<>();
    boolean ask = false;
    for (Look look : looks) {
      Unit unit = Unit.decode(look.handle());
      units.add(unit);
      // The handle of an inline unit holds its rows from the moment when it is prepared.
      ask |=
          unit.kind() != Unit.Kind.INLINE
              || pending.containsKey(unit.id())
              || unit.rows().length() > 0;
    }
    if (!ask) {
      // Rows that only this writer has cannot be gone.
      return looks.stream().map(look -> Sighting.OPEN).toList();
    }
    List<Sighting> sightings = ask(looks, units);
    if (sightings.contains(Sighting.ABORTED)) {
      // A prepared transaction may end between the two tables that tell of it.
      sightings = ask(looks, units);
    }
    for (int i = 0; i < units.size(); i++) {
      if (sightings.get(i) == Sighting.COMMITTED || sightings.get(i) == Sighting.UNKNOWN) {
        pending.remove(units.get(i).id());
      }
    }
    return sightings;
  }

  private List<Sighting> ask(List<Look> looks, List<Unit> units)
      throws IOException, InterruptedException {
    List<Standing.Question> questions = new ArrayList<>();
    for (int i = 0; i < units.size(); i++) {
      Unit unit = units.get(i);
      questions.add(
          new Standing.Question(
              unit.id(), unit.mintedAt(), Prepared.gid(looks.get(i).name(), unit.id())));
    }
    Standing.Answer answer;
    try {
      answer = Standing.ask(database.connection(), target.schema(), target.prefix(), questions);
    } catch (SQLException e) {
      throw failed("ask what became of earlier rows", e);
    }
    clockIs(answer.clock());
    List<Sighting> sightings = new ArrayList<>();
    for (Unit unit : units) {
      sightings.add(sight(unit, answer.units().get(unit.id())));
    }
    return sightings;
  }

  private Sighting sight(Unit unit, Standing standing) {
    if (standing.committed()) {
      return Sighting.COMMITTED;
    }
    boolean left =
        switch (unit.kind()) {
          case INLINE -> false;
          case STAGED -> standing.staged();
          case PREPARED -> standing.prepared();
        };
    if (left) {
      return Sighting.OPEN;
    }
    if (standing.pruned() && pending.containsKey(unit.id())) {
      // It has ended, for its checkpoint is that old; how, the ledger has forgotten.
      return Sighting.UNKNOWN;
    }
    return unit.kind() == Unit.Kind.INLINE ? Sighting.OPEN : Sighting.ABORTED;
  }

  @Override
  public List<OpenTransaction> open(String prefix) throws IOException, InterruptedException {
    try {
      return leftovers.of(prefix);
    } catch (SQLException e) {
      throw failed("list what earlier attempts left", e);
    }
  }

  @Override
  public void abort(OpenTransaction orphan) throws IOException, InterruptedException {
    try {
      leftovers.remove(orphan);
    } catch (SQLException e) {
      throw failed("remove " + orphan.name() + ", which an earlier attempt left", e);
    }
  }

  /** Removes a transaction that nobody will commit, if that works at once. */
  void abandon(UnitTransaction transaction) {
    if (transaction.kind() == Unit.Kind.INLINE || Thread.currentThread().isInterrupted()) {
      return;
    }
    try {
      leftovers.remove(leftovers.own(transaction));
    } catch (SQLException | IOException e) {
      LOG.info("Table {}: {} stays for now", target.table(), transaction.name(), e);
      database.drop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What the caller throws when the database refused something or did not answer. */
  private IOException failed(String what, SQLException e) throws InterruptedException {
    database.drop();
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedException("Interrupted while asking PostgreSQL");
    }
    String message =
        String.format("Table %s: cannot %s: %s", target.table(), what, Trouble.words(e));
    return Trouble.passes(e) ? new IOException(message, e) : new RefusedException(message, e);
  }

  /** Never: nothing is open in the database between barriers, and what is prepared has no limit. */
  @Override
  public Optional<Duration> transactionTimeout() {
    return Optional.empty();
  }

  @Override
  public void close() {
    database.close();
  }
}
