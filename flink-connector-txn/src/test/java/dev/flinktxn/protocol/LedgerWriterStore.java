// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.LedgerUnit.Predecessor;
import dev.flinktxn.protocol.Truth.Cause;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.data.RowData;

/** A writer's way to the {@link InMemoryDatabase}: units, inline or staged. */
final class LedgerWriterStore implements WriterStore {

  /** By how much a unit may count as older than it is. */
  private static final int CLOCK_MARGIN = 5;

  private static final int CHUNK = 2;

  private final World world;
  private final LedgerScenario scenario;
  private final InMemoryDatabase database;
  private final SimulatedTask task;
  private final LedgerOracle oracle;

  /** Units that are prepared and not seen committed, oldest first. */
  private final Map<Long, LedgerUnit> pending = new LinkedHashMap<>();

  LedgerWriterStore(
      World world,
      LedgerScenario scenario,
      InMemoryDatabase database,
      LedgerOracle oracle,
      SimulatedTask task) {
    this.oracle = oracle;
    this.world = world;
    this.scenario = scenario;
    this.database = database;
    this.task = task;
  }

  @Override
  public Transaction begin(TransactionName name) {
    task.begins(name);
    List<Predecessor> predecessors = new ArrayList<>();
    int inline = 0;
    for (LedgerUnit unit : pending.values()) {
      inline += unit.rows().size();
      if (scenario.keyed()) {
        predecessors.add(new Predecessor(unit.id(), unit.staged(), unit.mintedAt()));
      }
    }
    long mintedAt = world.now() - world.random().nextInt(CLOCK_MARGIN);
    long id = database.mint(name.toString(), task, mintedAt);
    int room = Math.max(0, scenario.inlineRows() - inline);
    return new UnitTransaction(id, mintedAt, room, predecessors);
  }

  @Override
  public List<Sighting> look(List<Look> looks) throws IOException, InterruptedException {
    List<LedgerUnit> units = looks.stream().map(look -> LedgerUnit.decode(look.handle())).toList();
    if (units.stream().noneMatch(unit -> unit.staged() || pending.containsKey(unit.id()))) {
      return looks.stream().map(look -> Sighting.OPEN).toList();
    }
    world.before(task, Cover.LOOK_LOST);
    // One statement, which sees one moment.
    List<Sighting> sightings = units.stream().map(this::see).toList();
    for (int i = 0; i < units.size(); i++) {
      long id = units.get(i).id();
      switch (sightings.get(i)) {
        case COMMITTED, UNKNOWN -> pending.remove(id);
        case ABORTED -> oracle.seenAborted(database.truthOf(id));
        case OPEN -> {}
      }
    }
    world.interleave(task, false);
    return sightings;
  }

  private Sighting see(LedgerUnit unit) {
    if (database.inLedger(unit.id())) {
      return Sighting.COMMITTED;
    }
    boolean mayBePruned =
        unit.mintedAt() < database.prunedBefore()
            && !world.rules().lacks(LedgerRule.A_LOOK_ASKS_THE_HORIZON);
    if (unit.staged() ? database.isRegistered(unit.id()) : !mayBePruned || isOwn(unit)) {
      return Sighting.OPEN;
    }
    if (!mayBePruned) {
      return Sighting.ABORTED;
    }
    world.cover(Cover.SIGHTING_UNKNOWN);
    return Sighting.UNKNOWN;
  }

  /** Whether nobody else can have it yet. */
  private boolean isOwn(LedgerUnit unit) {
    return !pending.containsKey(unit.id());
  }

  @Override
  public List<OpenTransaction> open(String prefix) throws IOException, InterruptedException {
    world.before(task, Cover.LIST_LOST);
    List<OpenTransaction> open = new ArrayList<>();
    database
        .registered()
        .forEach(
            (id, truth) -> {
              if (truth.parsed == null) {
                truth.parsed = world.rules().parse(prefix, truth.id);
              }
              truth.parsed.ifPresent(
                  name -> open.add(new OpenTransaction(name, Long.toString(id))));
            });
    world.interleave(task, false);
    return open;
  }

  @Override
  public void abort(OpenTransaction orphan) throws IOException, InterruptedException {
    world.before(task, Cover.ABORT_LOST_BEFORE);
    long id = Long.parseLong(orphan.incarnation());
    if (database.isRegistered(id)) {
      world.oracle().cleansUp(task, database.truthOf(id));
      database.drop(id, Cause.CLEANUP);
    }
    if (world.replyLost(Cover.ABORT_LOST_AFTER)) {
      throw new IOException("No answer to the removal of " + orphan);
    }
    world.interleave(task, false);
  }

  @Override
  public Optional<Duration> transactionTimeout() {
    return Optional.empty();
  }

  @Override
  public void close() {}

  /** Rows stay here as long as they fit; then they go, chunk by chunk, to a staging table. */
  private final class UnitTransaction implements Transaction {

    private final long id;
    private final long mintedAt;
    private final List<Predecessor> predecessors;
    private final List<Long> buffer = new ArrayList<>(4);
    private int limit;
    private int rows;
    private boolean staged;
    private boolean prepared;
    private boolean closed;

    private UnitTransaction(long id, long mintedAt, int limit, List<Predecessor> predecessors) {
      this.id = id;
      this.mintedAt = mintedAt;
      this.limit = limit;
      this.predecessors = predecessors;
    }

    @Override
    public void write(RowData row) throws IOException, InterruptedException {
      long code = Row.code(row.getInt(0), row.getLong(1));
      buffer.add(code);
      database.truthOf(id).rows.add(code);
      rows++;
      if (buffer.size() > limit) {
        stage();
      }
      world.advance(1);
    }

    @Override
    public void flush() throws IOException, InterruptedException {
      world.before(task, Cover.FLUSH_FAILED);
      if (staged && !buffer.isEmpty()) {
        stage();
      }
    }

    private void stage() throws IOException, InterruptedException {
      world.before(task, Cover.STAGING_LOST_BEFORE);
      boolean first = !staged;
      staged = true;
      limit = CHUNK;
      if (!database.stage(id, first, buffer)) {
        world.cover(Cover.STAGING_TABLE_GONE);
        throw new IOException("The staging table of unit " + id + " is gone");
      }
      buffer.clear();
      if (task.life == SimulatedTask.Life.ZOMBIE) {
        world.cover(Cover.ZOMBIE_STAGED);
      }
      if (world.replyLost(Cover.STAGING_LOST_AFTER)) {
        throw new IOException("No answer to the rows of unit " + id);
      }
      world.interleave(task, false);
    }

    @Override
    public byte[] handle() {
      return new LedgerUnit(id, staged, mintedAt, rows, List.of(), List.of()).encode();
    }

    @Override
    public byte[] prepare() {
      prepared = true;
      List<Long> inline = staged ? List.of() : List.copyOf(buffer);
      LedgerUnit unit = new LedgerUnit(id, staged, mintedAt, rows, predecessors, inline);
      pending.put(id, unit);
      world.cover(staged ? Cover.PREPARED_STAGED : Cover.PREPARED_INLINE);
      return unit.encode();
    }

    @Override
    public void close() throws IOException {
      if (closed || prepared || !staged) {
        return;
      }
      closed = true;
      if (world.replyLost(Cover.CLOSE_LOST)) {
        throw new IOException("No answer to the removal of unit " + id);
      }
      database.drop(id, Cause.OWNER);
    }
  }
}
