// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.EvidenceReading.Described;
import dev.flinktxn.protocol.EvidenceReading.State;
import dev.flinktxn.protocol.EvidenceReading.Stored;
import dev.flinktxn.protocol.InMemorySystem.Producer;
import dev.flinktxn.protocol.Truth.Cause;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.data.RowData;

/**
 * A writer's way to the {@link InMemorySystem}: every call can fail, before or after its effect.
 */
final class SimulatedWriterStore implements WriterStore {

  private final World world;
  private final SimulatedTask task;
  private final InMemorySystem system;

  /** Where a name seen committed can be resumed; TV2 only. */
  private final Map<TransactionName, Producer> resumable = new HashMap<>();

  /** Start times learned by looking. */
  private final Map<Producer, Long> startTimes = new HashMap<>();

  SimulatedWriterStore(World world, InMemorySystem system, SimulatedTask task) {
    this.world = world;
    this.task = task;
    this.system = system;
  }

  @Override
  public Transaction begin(TransactionName name) throws IOException, InterruptedException {
    task.begins(name);
    Producer resumed = resumable.remove(name);
    if (resumed != null) {
      return new SimulatedTransaction(name, resumed);
    }
    return new SimulatedTransaction(name, initialise(name));
  }

  private Producer initialise(TransactionName name) throws IOException, InterruptedException {
    world.before(task, Cover.INIT_LOST_BEFORE);
    Producer producer = system.initialise(name.toString(), world.now());
    if (world.replyLost(Cover.INIT_LOST_AFTER)) {
      if (world.flip()) {
        throw new IOException("No answer to InitProducerId");
      }
      producer = system.initialise(name.toString(), world.now());
    }
    world.interleave(task, true);
    return producer;
  }

  @Override
  public List<Sighting> look(List<Look> looks) throws IOException, InterruptedException {
    world.before(task, Cover.LOOK_LOST);
    List<Sighting> sightings = new ArrayList<>(looks.size());
    for (Look look : looks) {
      sightings.add(see(look));
      world.interleave(task, false);
    }
    return sightings;
  }

  private Sighting see(Look look) {
    Described seen = system.describe(look.name().toString());
    Stored stored = SimulatedHandle.decode(look.handle());
    if (seen == null || seen.state() == State.EMPTY) {
      world.cover(Cover.SIGHTING_UNKNOWN);
      return Sighting.UNKNOWN;
    }
    boolean open = seen.state() == State.ONGOING && seen.epoch() == stored.epoch();
    if (open) {
      startTimes.put(SimulatedHandle.producer(stored), seen.startedAt());
      return Sighting.OPEN;
    }
    if (seen.state() == State.ONGOING && world.flip()) {
      // A fence that has not got through yet: an adapter may see it either way.
      startTimes.put(SimulatedHandle.producer(stored), seen.startedAt());
      return Sighting.OPEN;
    }
    if (seen.state() != State.COMPLETE_COMMIT) {
      if (stored.startedAt() >= 0) {
        world.cover(Cover.PREPARED_TRANSACTION_FOUND_ABORTED);
      }
      return Sighting.ABORTED;
    }
    if (stored.tv2()) {
      resumable.put(look.name(), new Producer(seen.producerId(), seen.epoch()));
    }
    return Sighting.COMMITTED;
  }

  @Override
  public List<OpenTransaction> open(String prefix) throws IOException, InterruptedException {
    world.before(task, Cover.LIST_LOST);
    List<OpenTransaction> open = new ArrayList<>();
    for (Truth truth : system.open()) {
      if (truth.parsed == null) {
        truth.parsed = world.rules().parse(prefix, truth.id);
      }
      truth.parsed.ifPresent(
          name -> open.add(new OpenTransaction(name, Long.toString(truth.startedAt))));
    }
    world.interleave(task, false);
    return open;
  }

  @Override
  public void abort(OpenTransaction orphan) throws IOException, InterruptedException {
    world.before(task, Cover.ABORT_LOST_BEFORE);
    String id = orphan.name().toString();
    long startedAt = Long.parseLong(orphan.incarnation());
    Truth truth = system.lastOf(id);
    if (truth != null && truth.startedAt == startedAt && truth.cause == null) {
      world.oracle().cleansUp(task, truth);
    }
    system.fence(id, startedAt, Cause.CLEANUP, world.now(), world.slowFence());
    if (world.replyLost(Cover.ABORT_LOST_AFTER)) {
      throw new IOException("No answer to the abort of " + id);
    }
    world.interleave(task, false);
  }

  @Override
  public Optional<Duration> transactionTimeout() {
    return Optional.of(Duration.ofMillis(world.transactionTimeout()));
  }

  @Override
  public void close() {}

  /** Rows reach the system one by one or at the flush, as a producer's batches do. */
  private final class SimulatedTransaction implements Transaction {

    private final TransactionName name;
    private final boolean tv2 = system.tv2();
    private Producer producer;
    private final List<Long> buffer = new ArrayList<>(4);
    private boolean begun;
    private boolean prepared;
    private boolean closed;

    private SimulatedTransaction(TransactionName name, Producer producer) {
      this.name = name;
      this.producer = producer;
    }

    @Override
    public void write(RowData row) throws IOException, InterruptedException {
      buffer.add(Row.code(row.getInt(0), row.getLong(1)));
      if (world.flip()) {
        send();
      }
    }

    @Override
    public void flush() throws IOException, InterruptedException {
      world.before(task, Cover.FLUSH_FAILED);
      if (!buffer.isEmpty()) {
        send();
      }
    }

    private void send() throws IOException, InterruptedException {
      String id = name.toString();
      if (!begun && !system.knows(id)) {
        world.cover(Cover.BEGUN_ON_A_FORGOTTEN_ID);
        producer = initialise(name);
      }
      long timeout = world.transactionTimeout();
      if (!system.write(id, producer, task, buffer, world.now(), timeout)) {
        world.cover(Cover.WRITER_FENCED);
        throw new IOException("The producer of " + name + " is fenced");
      }
      begun = true;
      buffer.clear();
      world.advance(1);
      world.interleave(task, false);
    }

    @Override
    public byte[] handle() {
      return SimulatedHandle.encode(producer, tv2, -1);
    }

    @Override
    public byte[] prepare() {
      prepared = true;
      return SimulatedHandle.encode(producer, tv2, startTimes.getOrDefault(producer, -1L));
    }

    @Override
    public void close() throws IOException {
      if (closed || prepared || !begun) {
        return;
      }
      closed = true;
      if (world.replyLost(Cover.CLOSE_LOST)) {
        throw new IOException("No answer to the abort of " + name);
      }
      system.end(name.toString(), producer, tv2, false, world.now());
    }
  }
}
