// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.Truth.Fate;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * One execution of one subtask: its part of the source, the real writer and the real committer,
 * called as Flink's sink operators call them. Unchained, writer and committer are two tasks with a
 * channel between them.
 */
final class SimulatedTask {

  /** Where an execution is in its life. */
  enum Life {
    RUNNING,
    /** Declared dead, but alive. */
    ZOMBIE,
    /** To be closed as soon as it returns from what it does. */
    CANCELLED,
    KILLED,
    FINISHED
  }

  /** Which part of the sink an execution runs. */
  enum Role {
    WRITER_AND_COMMITTER,
    BATCH_WRITER,
    BATCH_COMMITTER
  }

  /** What an execution can do next. */
  private enum Action {
    OPEN_COMMITTER,
    OPEN_WRITER,
    READ,
    BARRIER,
    RECEIVE,
    NOTICE,
    END_INPUT,
    COMMIT_ALL,
    FINISH
  }

  private static final Action[] ACTIONS = Action.values();

  /**
   * On its way from writer to committer: committables, or a barrier when {@code request} is null.
   */
  private record Message(long checkpoint, Request request, PendingCheckpoint barrier) {}

  final SimulatedJob job;
  final SimulatedRun run;
  final int subtask;
  final Role role;
  Life life = Life.RUNNING;
  boolean everZombie;

  /** Whether its writer opened only after it had been given up. */
  boolean openedAsZombie;

  boolean stopping;
  int zombieSteps;

  /** The system's step in which it stopped being a part of its job. */
  int goneSince = Integer.MAX_VALUE;

  private final World world;
  private final SimulatedClock clock;
  private final boolean chained;
  private final long[] positions;
  private final List<Truth> prepared;
  private final SortedMap<Long, List<Request>> collector = new TreeMap<>();
  private final ArrayDeque<PendingCheckpoint> barriers = new ArrayDeque<>();
  private final ArrayDeque<Message> channel = new ArrayDeque<>();
  private final ArrayDeque<SimulatedCheckpoint> notices = new ArrayDeque<>();
  private final boolean restored;
  private final Set<Integer> slots = new HashSet<>();

  private OrphanCleanup cleanup;
  private TransactionalWriter writer;
  private TransactionalCommitter committer;
  private boolean writerBusy;
  private boolean committerBusy;
  private boolean committing;
  private boolean writerDead;
  private boolean committerDead;
  private boolean inputEnded;
  private long firstBarrierAfterEnd = Long.MAX_VALUE;
  private boolean barrierSeen;
  private boolean mayFinish;
  private long lastKnown;
  private long lastCompleted;

  SimulatedTask(
      World world,
      SimulatedRun run,
      int subtask,
      Role role,
      long restoredId,
      long[] positions,
      List<Truth> prepared,
      SortedMap<Long, List<Committable>> committables) {
    this.world = world;
    this.run = run;
    this.job = run.job;
    this.subtask = subtask;
    this.role = role;
    this.chained = run.chained && role == Role.WRITER_AND_COMMITTER;
    this.writerDead = role == Role.BATCH_COMMITTER;
    this.committerDead = role == Role.BATCH_WRITER;
    this.clock = new SimulatedClock(world, this, world.drawSkew());
    this.restored = restoredId > 0;
    this.lastKnown = restoredId;
    this.lastCompleted = restoredId;
    this.positions = positions.clone();
    this.prepared = new ArrayList<>(prepared);
    for (Map.Entry<Long, List<Committable>> checkpoint : committables.entrySet()) {
      List<Request> requests = new ArrayList<>();
      for (Committable committable : checkpoint.getValue()) {
        requests.add(new Request(throughState(committable)));
      }
      collector.put(checkpoint.getKey(), requests);
    }
  }

  private static Committable throughState(Committable committable) {
    CommittableSerializer serializer = new CommittableSerializer();
    try {
      return serializer.deserialize(serializer.getVersion(), serializer.serialize(committable));
    } catch (IOException e) {
      throw new Violation("A committable does not survive its serializer: " + e);
    }
  }

  /** Whether Flink would show this execution as RUNNING. */
  boolean running() {
    return life == Life.RUNNING && writer != null && committer != null;
  }

  /** Whether a completed checkpoint is not committed yet. */
  boolean hasNotices() {
    return !notices.isEmpty() || committing;
  }

  boolean inputEnded() {
    return inputEnded;
  }

  boolean busy() {
    return writerBusy || committerBusy;
  }

  /** Its writer begins a transaction. */
  void begins(TransactionName name) {
    if (!slots.add(name.slot())) {
      world.cover(Cover.SLOT_BEGUN_AGAIN);
    }
  }

  /** How many names its writer has used. */
  int slotsUsed() {
    return slots.size();
  }

  void barrier(PendingCheckpoint pending) {
    barriers.add(pending);
  }

  /** Whether it has not acknowledged {@code pending} and, having finished, never will. */
  boolean owes(PendingCheckpoint pending) {
    return barriers.contains(pending)
        || channel.stream().anyMatch(message -> message.barrier() == pending);
  }

  void notice(SimulatedCheckpoint checkpoint) {
    notices.add(checkpoint);
  }

  /** The checkpoint was aborted: its committables wait for the next one. */
  void aborted(PendingCheckpoint pending) {
    long checkpoint = pending.id;
    stopping &= pending.kind != SimulatedCheckpoint.Kind.STOP;
    if (world.rules().dropsCommittablesOfAbortedCheckpoints()) {
      collector.remove(checkpoint);
      channel.removeIf(message -> message.checkpoint() == checkpoint && message.request() != null);
      return;
    }
    collector
        .getOrDefault(checkpoint, List.of())
        .forEach(request -> request.checkpointAborted = true);
  }

  /** Only one of the two tasks of an unchained zombie may survive. */
  void becomeZombie() {
    life = Life.ZOMBIE;
    everZombie = true;
    zombieSteps = 3 + world.random().nextInt(40);
    if (!chained && role == Role.WRITER_AND_COMMITTER) {
      int half = world.random().nextInt(4);
      writerDead = half == 0;
      committerDead = half == 1;
    }
  }

  /** Does one of the things there are to do; false when there is none. */
  boolean step() {
    Action action = choose();
    if (action == null) {
      return false;
    }
    boolean forWriter =
        switch (action) {
          case OPEN_COMMITTER, RECEIVE, NOTICE, COMMIT_ALL -> false;
          default -> true;
        };
    boolean setWriter = chained || forWriter;
    boolean setCommitter = chained || !forWriter || action == Action.FINISH;
    writerBusy |= setWriter;
    committerBusy |= setCommitter;
    Exception failure = null;
    try {
      act(action);
    } catch (ProcessKilled e) {
      world.cover(Cover.KILLED_INSIDE_A_CALL);
    } catch (IOException | InterruptedException | SuppressRestartsException e) {
      failure = e;
    } catch (Exception e) {
      throw new IllegalStateException("The protocol failed in a way of its own: " + this, e);
    } finally {
      if (setWriter) {
        writerBusy = false;
      }
      if (setCommitter) {
        committerBusy = false;
      }
    }
    if (life == Life.CANCELLED && !busy()) {
      world.cover(Cover.CANCELLED_INSIDE_A_CALL);
      close();
    } else if (failure != null && life != Life.KILLED && life != Life.CANCELLED) {
      failed(failure);
    }
    return true;
  }

  private void failed(Exception failure) {
    if (world.tracing()) {
      world.trace(this + " fails: " + failure);
    }
    world.coverFailure(failure, this);
    boolean mine = life == Life.RUNNING;
    life = Life.CANCELLED;
    goneSince = Math.min(goneSince, world.system().step());
    if (!busy()) {
      close();
    }
    if (mine) {
      job.taskFailed(this, failure);
    }
  }

  /** Ends this execution from outside. */
  void cancel() {
    life = Life.CANCELLED;
    if (!busy()) {
      close();
    }
  }

  private void close() {
    try {
      if (writer != null) {
        writer.close();
      }
      if (committer != null) {
        committer.close();
      }
    } catch (Exception e) {
      if (world.tracing()) {
        world.trace(this + " fails to close: " + e);
      }
    }
  }

  private Action choose() {
    int count = 0;
    Action chosen = null;
    boolean writerFree = !writerBusy && !writerDead && !(chained && committerBusy);
    boolean committerFree = !committerBusy && !committerDead && !(chained && writerBusy);
    for (Action action : ACTIONS) {
      boolean possible =
          switch (action) {
            case OPEN_COMMITTER -> committerFree && committer == null;
            case OPEN_WRITER -> writerFree && writer == null && (!chained || committer != null);
            case READ -> writerFree && writer != null && !stopping && !inputEnded && mayRead();
            case BARRIER -> writerFree && writer != null && !barriers.isEmpty();
            case RECEIVE -> committerFree && committer != null && !channel.isEmpty();
            case NOTICE -> committerFree && committer != null && !notices.isEmpty();
            case END_INPUT ->
                writerFree && writer != null && !stopping && !inputEnded && atTheEnd();
            case COMMIT_ALL ->
                role == Role.BATCH_COMMITTER
                    && committerFree
                    && committer != null
                    && channel.isEmpty()
                    && !mayFinish;
            case FINISH -> !busy() && mayFinish;
          };
      if (possible && world.random().nextInt(++count) == 0) {
        chosen = action;
      }
    }
    return chosen;
  }

  private boolean mayRead() {
    return world.mayRead() && nextSplit(0) >= 0;
  }

  private boolean atTheEnd() {
    return world.scenario().bounded() && nextSplit(0) < 0;
  }

  /** A split of this subtask with rows left, searched from {@code start} on; -1 for none. */
  private int nextSplit(int start) {
    for (int i = 0; i < Scenario.SPLITS; i++) {
      int split = (start + i) % Scenario.SPLITS;
      if (split % run.parallelism == subtask && positions[split] < world.rowsIn(split)) {
        return split;
      }
    }
    return -1;
  }

  private void act(Action action) throws Exception {
    if (world.tracing()) {
      world.trace(this + " " + action);
    }
    switch (action) {
      case OPEN_COMMITTER -> openCommitter();
      case OPEN_WRITER -> openWriter();
      case READ -> read();
      case BARRIER -> takeBarrier(barriers.removeFirst());
      case RECEIVE -> receive(channel.removeFirst());
      case NOTICE -> notified(notices.removeFirst());
      case END_INPUT -> endInput();
      case COMMIT_ALL -> {
        commitUpTo(committer, Long.MAX_VALUE - 1);
        mayFinish = true;
      }
      case FINISH -> finish();
    }
  }

  private void openCommitter() throws IOException, InterruptedException {
    TransactionalCommitter opened =
        new TransactionalCommitter(
            job.settings(),
            "the simulated system",
            world.rules().committerStore(world.system().committerStore(this)),
            clock,
            world.committerMetrics());
    if (restored) {
      world.restoring(true);
      try {
        commitUpTo(opened, lastCompleted);
      } finally {
        world.restoring(false);
      }
    }
    committer = opened;
  }

  private void openWriter() throws IOException, InterruptedException {
    WriterStore store = world.rules().writerStore(world.system().writerStore(this));
    OrphanCleanup cleanup =
        world.rules().cleanup(job.settings(), subtask, run.parallelism, store, clock);
    if (cleanup.earliestOpening() > clock.now()) {
      world.cover(Cover.ATTEMPT_MOVED_PAST_A_PREDECESSOR);
    }
    Random random = world.rules().attemptRandom(new Random(world.random().nextLong()));
    TransactionalWriter created =
        new TransactionalWriter(
            job.settings(), subtask, store, world.rules().slots(), cleanup, clock, random);
    world.rules().opened(cleanup);
    this.cleanup = cleanup;
    this.writer = created;
    if (life == Life.ZOMBIE) {
      openedAsZombie = true;
      world.zombieOpens();
    }
  }

  private void read() throws IOException, InterruptedException {
    int split = nextSplit(world.random().nextInt(Scenario.SPLITS));
    long offset = positions[split];
    writer.write(Row.of(split, offset), null);
    positions[split]++;
    world.rowRead();
    if (life == Life.ZOMBIE) {
      world.cover(Cover.ZOMBIE_WROTE);
    }
  }

  private void takeBarrier(PendingCheckpoint pending) throws IOException, InterruptedException {
    if (pending.aborted) {
      if (life == Life.RUNNING && world.flip()) {
        return;
      }
      world.cover(Cover.BARRIER_OF_AN_ABORTED_CHECKPOINT);
    }
    if (life == Life.ZOMBIE) {
      world.cover(Cover.ZOMBIE_BARRIER);
    }
    long orphans = cleanup.aborted();
    if (!inputEnded) {
      int before = world.system().step();
      writer.flush(false);
      emit(pending.id, writer.prepareCommit(), before);
    } else if (pending.id < firstBarrierAfterEnd) {
      firstBarrierAfterEnd = pending.id;
    }
    int before = world.system().step();
    writer.snapshotState(pending.id);
    if (inputEnded) {
      checkStillThere(before);
    }
    if (cleanup.aborted() > orphans) {
      world.cover(Cover.ORPHAN_ABORTED);
    }
    barrierSeen = true;
    stopping = pending.kind == SimulatedCheckpoint.Kind.STOP && !pending.aborted;
    pending.writerAcknowledges(this, positions, prepared);
    if (chained) {
      pending.committerAcknowledges(this, collectorState());
    } else {
      channel.add(new Message(pending.id, null, pending));
    }
  }

  /** After the end of the input the snapshot is the last chance to notice an abort. */
  private void checkStillThere(int before) {
    for (Truth truth : prepared) {
      boolean gone = truth.fate == Fate.ABORTED && truth.abortedInStep <= before;
      if (gone && !truth.reliedOn && !truth.evidenceTouched) {
        throw new Violation("Takes a snapshot of what was gone before: " + truth);
      }
    }
  }

  private void endInput() throws IOException, InterruptedException {
    world.cover(barrierSeen ? Cover.INPUT_ENDED : Cover.INPUT_ENDED_BEFORE_THE_FIRST_BARRIER);
    if (life == Life.ZOMBIE) {
      world.cover(Cover.ZOMBIE_ENDED_INPUT);
    }
    inputEnded = true;
    world.rules().inputEnds(cleanup);
    int before = world.system().step();
    writer.flush(true);
    emit(lastKnown + 1, writer.prepareCommit(), before);
    mayFinish = role == Role.BATCH_WRITER;
  }

  /** What a finished batch writer has handed over. */
  List<Committable> output() {
    return channel.stream().map(message -> message.request().getCommittable()).toList();
  }

  List<Truth> prepared() {
    return prepared;
  }

  /** What a batch committer has to commit. */
  void input(List<Committable> committables) {
    for (Committable committable : committables) {
      channel.add(new Message(1, new Request(throughState(committable)), null));
    }
  }

  private void emit(long checkpoint, Collection<Committable> committables, int flushedFrom) {
    lastKnown = checkpoint;
    for (Committable committable : committables) {
      Truth truth = world.system().truthOf(committable.handle());
      if (truth == null || (truth.fate == Fate.ABORTED && truth.abortedInStep <= flushedFrom)) {
        throw new Violation("Prepares what was gone before the flush began: " + truth);
      }
      truth.prepared = true;
      prepared.add(truth);
      Request request = new Request(committable);
      if (chained) {
        collector.computeIfAbsent(checkpoint, id -> new ArrayList<>()).add(request);
      } else {
        channel.add(new Message(checkpoint, request, null));
      }
    }
  }

  private void receive(Message message) {
    if (message.request() != null) {
      collector
          .computeIfAbsent(message.checkpoint(), id -> new ArrayList<>())
          .add(message.request());
    } else {
      message.barrier().committerAcknowledges(this, collectorState());
    }
  }

  private SortedMap<Long, List<Committable>> collectorState() {
    SortedMap<Long, List<Committable>> state = new TreeMap<>();
    for (Map.Entry<Long, List<Request>> checkpoint : collector.entrySet()) {
      List<Committable> committables = new ArrayList<>();
      for (Request request : checkpoint.getValue()) {
        if (!request.done()) {
          committables.add(request.getCommittable());
        }
      }
      state.put(checkpoint.getKey(), committables);
    }
    return state;
  }

  private void notified(SimulatedCheckpoint checkpoint) throws IOException, InterruptedException {
    lastCompleted = Math.max(lastCompleted, checkpoint.id);
    if (life == Life.ZOMBIE && !collector.headMap(lastCompleted + 1).isEmpty()) {
      world.cover(Cover.ZOMBIE_COMMITTED);
    }
    committing = true;
    commitUpTo(committer, lastCompleted);
    committing = false;
    if (checkpoint.kind == SimulatedCheckpoint.Kind.STOP
        || (inputEnded && checkpoint.id >= firstBarrierAfterEnd)) {
      mayFinish = true;
    }
  }

  private void commitUpTo(TransactionalCommitter by, long checkpoint)
      throws IOException, InterruptedException {
    List<Long> ids = List.copyOf(collector.headMap(checkpoint + 1).keySet());
    if (world.system().handsOverAtOnce()) {
      commit(by, ids);
      return;
    }
    for (Long id : ids) {
      commit(by, List.of(id));
    }
  }

  private void commit(TransactionalCommitter by, List<Long> ids)
      throws IOException, InterruptedException {
    List<Request> pending = new ArrayList<>();
    for (Long id : ids) {
      collector.get(id).stream().filter(request -> !request.done()).forEach(pending::add);
    }
    if (!pending.isEmpty()) {
      by.commit(Collections.unmodifiableCollection(pending));
      for (Request request : pending) {
        request.committedIfNoError();
        if (request.checkpointAborted) {
          world.cover(Cover.COMMITTABLES_OF_AN_ABORTED_CHECKPOINT_COMMITTED);
        }
      }
    }
    ids.forEach(collector::remove);
  }

  private void finish() {
    life = Life.FINISHED;
    goneSince = Math.min(goneSince, world.system().step());
    close();
    job.taskFinished(this);
  }

  /** What a checkpoint holds of an execution that has finished. */
  void acknowledgeFinished(PendingCheckpoint pending) {
    pending.writerAcknowledges(this, positions, prepared);
    pending.committerAcknowledges(this, collectorState());
  }

  @Override
  public String toString() {
    return job.label + run.number + "/" + subtask + (life == Life.RUNNING ? "" : "(" + life + ")");
  }
}
