// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.SimulatedCheckpoint.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * A Flink job with one source and one sink: its checkpoint coordinator, its restarts, and the user
 * who submits it again.
 */
final class SimulatedJob {

  /** How an execution leaves its job. */
  enum Exit {
    CLOSED,
    KILLED,
    LEFT_ALIVE
  }

  final String label;
  SimulatedRun run;

  /** What an automatic restart restores; null for nothing. */
  SimulatedCheckpoint latest;

  /** Whether the user ever restored something else than the latest. */
  boolean forked;

  int failures;
  boolean ended;
  boolean finished;
  SimulatedCheckpoint stoppedAt;

  private final World world;
  private final List<SimulatedCheckpoint> retained = new ArrayList<>();
  private SimulatedCheckpoint stopping;
  private boolean continueOnLoss;
  private int runs;
  private long nextId = 1;

  SimulatedJob(World world, String label) {
    this.world = world;
    this.label = label;
    this.continueOnLoss = world.scenario().continueOnLoss();
  }

  SinkSettings settings() {
    return new SinkSettings(
        "t",
        World.PREFIX,
        true,
        true,
        world.scenario().batch(),
        continueOnLoss,
        Duration.ofMillis(World.CLEANUP_PERIOD),
        Duration.ofMillis(World.PATIENCE));
  }

  List<SimulatedCheckpoint> retained() {
    return retained;
  }

  boolean goesOnAfterLoss() {
    return continueOnLoss;
  }

  boolean live() {
    return !ended && !finished && stoppedAt == null;
  }

  /** Starts all subtasks from {@code from}, null for nothing. */
  void submit(
      SimulatedCheckpoint from, int parallelism, boolean chained, SimulatedRun predecessor) {
    if (run != null && parallelism != run.parallelism) {
      world.cover(parallelism > run.parallelism ? Cover.SCALED_UP : Cover.SCALED_DOWN);
    }
    ended = false;
    finished = false;
    stoppedAt = null;
    latest = from;
    nextId = from == null ? 1 : from.id + 1;
    start(from, parallelism, chained, predecessor);
  }

  private void start(
      SimulatedCheckpoint from, int parallelism, boolean chained, SimulatedRun predecessor) {
    run = new SimulatedRun(this, ++runs, parallelism, chained, from, predecessor);
    if (world.tracing()) {
      world.trace(label + run.number + " x" + parallelism + " starts from " + from);
    }
    if (from != null && from.restores++ > 0) {
      world.cover(Cover.RESTORED_TWICE);
    }
    List<SortedMap<Long, List<Committable>>> dealt = deal(from, parallelism);
    long[] positions = from == null ? new long[Scenario.SPLITS] : from.positions;
    long id = from == null ? 0 : from.id;
    for (int i = 0; i < parallelism; i++) {
      run.tasks[i] =
          new SimulatedTask(world, run, i, firstRole(), id, positions, List.of(), dealt.get(i));
    }
  }

  private SimulatedTask.Role firstRole() {
    return world.scenario().batch()
        ? SimulatedTask.Role.BATCH_WRITER
        : SimulatedTask.Role.WRITER_AND_COMMITTER;
  }

  /** Deals operator state as Flink does: in consecutive chunks. */
  private List<SortedMap<Long, List<Committable>>> deal(SimulatedCheckpoint from, int parallelism) {
    List<SortedMap<Long, List<Committable>>> dealt = new ArrayList<>();
    List<SortedMap<Long, List<Committable>>> elements =
        from == null ? List.of() : from.committables;
    if (world.system().dealsApart()) {
      elements = apart(elements);
    }
    int states = elements.size();
    int next = 0;
    for (int i = 0; i < parallelism; i++) {
      int share = states / parallelism + (i < states % parallelism ? 1 : 0);
      SortedMap<Long, List<Committable>> merged = new TreeMap<>();
      for (int end = next + share; next < end; next++) {
        elements
            .get(next)
            .forEach(
                (id, committables) ->
                    merged.computeIfAbsent(id, key -> new ArrayList<>()).addAll(committables));
      }
      dealt.add(merged);
    }
    return dealt;
  }

  /** One element for each checkpoint, harder than Flink, which keeps a subtask's together. */
  private static List<SortedMap<Long, List<Committable>>> apart(
      List<SortedMap<Long, List<Committable>>> states) {
    List<SortedMap<Long, List<Committable>>> elements = new ArrayList<>();
    for (SortedMap<Long, List<Committable>> state : states) {
      state.forEach((id, committables) -> elements.add(new TreeMap<>(Map.of(id, committables))));
    }
    return elements;
  }

  /** One step of the checkpoint coordinator. */
  void coordinate() {
    if (!live() || world.scenario().batch()) {
      return;
    }
    List<PendingCheckpoint> complete = new ArrayList<>();
    for (PendingCheckpoint pending : run.pending) {
      if (pending.missing == 0) {
        complete.add(pending);
      }
    }
    int choice = world.random().nextInt(10);
    if (!complete.isEmpty() && choice < 6) {
      complete(complete.get(world.random().nextInt(complete.size())));
    } else if (choice == 9 && world.may(Fault.ABORTED_CHECKPOINT) && !run.pending.isEmpty()) {
      world.cover(Cover.CHECKPOINT_ABORTED);
      abort(run.pending.get(world.random().nextInt(run.pending.size())));
    } else {
      trigger(Kind.CHECKPOINT);
    }
  }

  /** Completes what can complete, or triggers the next. */
  void coordinateCalmly() {
    for (PendingCheckpoint pending : List.copyOf(run.pending)) {
      if (pending.missing == 0 && run.pending.contains(pending)) {
        complete(pending);
        return;
      }
    }
    if (run.pending.isEmpty()) {
      trigger(Kind.CHECKPOINT);
    }
  }

  /** Triggers when all tasks run and the coordinator's limits allow it. */
  boolean trigger(Kind kind) {
    if (!live()
        || world.scenario().batch()
        || (stopping != null && stopping.run == run)
        || run.pending.size() >= world.scenario().concurrentCheckpoints()) {
      return false;
    }
    boolean late = false;
    for (SimulatedTask task : run.tasks) {
      if (!task.running() && task.life != SimulatedTask.Life.FINISHED) {
        return false;
      }
      late |= task.life != SimulatedTask.Life.FINISHED && task.hasNotices();
      if (task.stopping) {
        return false;
      }
    }
    if (late && !world.may(Fault.LATE_NOTICE)) {
      return false;
    }
    for (PendingCheckpoint pending : run.pending) {
      if (pending.kind == Kind.STOP) {
        return false;
      }
    }
    if (late) {
      world.cover(Cover.NOTICE_LATE);
    }
    if (!run.pending.isEmpty()) {
      world.cover(Cover.TWO_CHECKPOINTS_UNDER_WAY);
    }
    PendingCheckpoint pending =
        new PendingCheckpoint(run, nextId++, kind, world.system().step(), world.now());
    if (world.tracing()) {
      world.trace(label + run.number + " triggers " + kind + " " + pending.id);
    }
    run.pending.add(pending);
    for (SimulatedTask task : run.tasks) {
      if (task.life == SimulatedTask.Life.FINISHED) {
        task.acknowledgeFinished(pending);
      } else {
        task.barrier(pending);
      }
    }
    return true;
  }

  private void abort(PendingCheckpoint pending) {
    if (world.tracing()) {
      world.trace(label + run.number + " aborts " + pending.id);
    }
    pending.aborted = true;
    run.hadAborts = true;
    run.pending.remove(pending);
    for (SimulatedTask task : run.tasks) {
      task.aborted(pending);
    }
  }

  private void complete(PendingCheckpoint pending) {
    SimulatedCheckpoint checkpoint = new SimulatedCheckpoint(pending);
    if (world.tracing()) {
      world.trace(label + run.number + " completes " + checkpoint);
    }
    run.pending.remove(pending);
    if (pending.kind != Kind.SAVEPOINT) {
      for (PendingCheckpoint older : List.copyOf(run.pending)) {
        if (older.id < pending.id) {
          world.cover(Cover.CHECKPOINT_SUBSUMED);
          abort(older);
        }
      }
    }
    retained.add(checkpoint);
    for (List<Truth> transactions : checkpoint.prepared) {
      transactions.forEach(truth -> truth.reliedOn = true);
    }
    if (pending.kind == Kind.CHECKPOINT) {
      latest = checkpoint;
      world.cover(Cover.CHECKPOINT_COMPLETED);
    } else {
      world.cover(Cover.SAVEPOINT_COMPLETED);
    }
    world.oracle().completed(this, pending.triggeredInStep);
    if (pending.kind == Kind.SAVEPOINT) {
      return;
    }
    for (SimulatedTask task : run.tasks) {
      if (task.life == SimulatedTask.Life.FINISHED) {
        continue;
      }
      boolean mayBeLost = pending.kind == Kind.CHECKPOINT && world.may(Fault.LOST_NOTICE);
      if (mayBeLost && world.random().nextInt(3) == 0) {
        world.cover(Cover.NOTICE_LOST);
      } else {
        task.notice(checkpoint);
      }
    }
    if (pending.kind == Kind.STOP) {
      stopping = checkpoint;
    }
  }

  void taskFinished(SimulatedTask finishedTask) {
    if (finishedTask.run != run || run.tasks[finishedTask.subtask] != finishedTask) {
      return;
    }
    if (world.scenario().batch()) {
      batchTaskFinished(finishedTask);
      return;
    }
    for (PendingCheckpoint pending : List.copyOf(run.pending)) {
      if (finishedTask.owes(pending)) {
        abort(pending);
      }
    }
    for (SimulatedTask task : run.tasks) {
      if (task.life != SimulatedTask.Life.FINISHED) {
        return;
      }
    }
    abortAll();
    if (stopping != null && stopping.run == run) {
      world.cover(Cover.STOPPED_WITH_SAVEPOINT);
      stoppedAt = stopping;
    } else {
      world.cover(Cover.JOB_FINISHED);
      finished = true;
    }
  }

  private void batchTaskFinished(SimulatedTask task) {
    if (task.role == SimulatedTask.Role.BATCH_WRITER) {
      run.partitions[task.subtask] = task;
      task.prepared().forEach(truth -> truth.reliedOn = true);
      if (!Arrays.asList(run.partitions).contains(null)) {
        for (SimulatedTask at : run.tasks.clone()) {
          if (at.role == SimulatedTask.Role.BATCH_WRITER) {
            restartBatch(at.subtask, SimulatedTask.Role.BATCH_COMMITTER);
          }
        }
      }
    }
    finished = true;
    for (SimulatedTask at : run.tasks) {
      finished &=
          at.role == SimulatedTask.Role.BATCH_COMMITTER && at.life == SimulatedTask.Life.FINISHED;
    }
    if (finished) {
      world.cover(Cover.BATCH_FINISHED);
    }
  }

  private void restartBatch(int subtask, SimulatedTask.Role role) {
    run.tasks[subtask] =
        new SimulatedTask(
            world, run, subtask, role, 0, new long[Scenario.SPLITS], List.of(), new TreeMap<>());
    if (role == SimulatedTask.Role.BATCH_COMMITTER) {
      run.tasks[subtask].input(run.partitions[subtask].output());
    }
  }

  /**
   * Batch: what a writer handed over is gone before any of it was committed, and nobody is left who
   * still would. (Otherwise the writer that runs again doubles its rows: a known limit.)
   */
  void losePartition() {
    int subtask = world.random().nextInt(run.parallelism);
    SimulatedTask writer = run.partitions[subtask];
    if (!world.may(Fault.KILL)
        || !live()
        || writer == null
        || run.tasks[subtask].busy()
        || !world.system().atRest()
        || world.zombies().stream()
            .anyMatch(zombie -> zombie.role == SimulatedTask.Role.BATCH_COMMITTER)
        || writer.prepared().stream().anyMatch(truth -> truth.fate != Truth.Fate.OPEN)) {
      return;
    }
    world.cover(Cover.BATCH_PARTITION_LOST);
    if (run.tasks[subtask].life == SimulatedTask.Life.RUNNING) {
      exit(run.tasks[subtask], Exit.CLOSED);
    }
    run.partitions[subtask] = null;
    writer.prepared().forEach(truth -> truth.reliedOn = false);
    restartBatch(subtask, SimulatedTask.Role.BATCH_WRITER);
  }

  /** Whether the job, as it is now, counts on a transaction. */
  boolean reliesOn(Truth truth) {
    if (world.scenario().batch()) {
      return reliedOn().contains(truth);
    }
    return latest != null && latest.reliesOn(truth);
  }

  /** Whether the present run goes on from what {@code earlier} has done. */
  boolean continues(SimulatedRun earlier) {
    for (SimulatedRun at = run; at != null; at = at.predecessor) {
      if (at == earlier) {
        return true;
      }
    }
    return false;
  }

  /** Everything the job, as it is now, counts on. */
  List<Truth> reliedOn() {
    if (!world.scenario().batch()) {
      return latest == null ? List.of() : latest.reliedOn();
    }
    List<Truth> result = new ArrayList<>();
    for (SimulatedTask writer : run.partitions) {
      if (writer != null) {
        result.addAll(writer.prepared());
      }
    }
    return result;
  }

  /** How far the source is, as far as the job counts on it. */
  long[] committedPositions() {
    if (!world.scenario().batch()) {
      return latest == null ? new long[Scenario.SPLITS] : latest.positions;
    }
    long[] ends = new long[Scenario.SPLITS];
    Arrays.setAll(ends, world::rowsIn);
    return ends;
  }

  private void abortAll() {
    for (PendingCheckpoint pending : List.copyOf(run.pending)) {
      abort(pending);
    }
  }

  /** A running execution has failed by itself and is closed. */
  void taskFailed(SimulatedTask task, Exception failure) {
    failures++;
    if (failure instanceof SuppressRestartsException) {
      world.cover(Cover.JOB_ENDED_BY_LOSS);
      world.oracle().jobEnded(task, failure);
      abortAll();
      leave(task, false);
      ended = true;
      return;
    }
    world.cover(Cover.TASK_FAILED);
    restart(task);
  }

  /** Something happens to one execution from outside. */
  void strike(SimulatedTask task, Exit exit) {
    if (task.life != SimulatedTask.Life.RUNNING) {
      return;
    }
    failures++;
    exit(task, exit);
    restart(task);
  }

  private void restart(SimulatedTask culprit) {
    if (world.scenario().batch()) {
      world.cover(
          culprit.role == SimulatedTask.Role.BATCH_WRITER
              ? Cover.BATCH_WRITER_RETRIED
              : Cover.BATCH_COMMITTER_RETRIED);
      waitForTheUnreachable();
      restartBatch(culprit.subtask, culprit.role);
      return;
    }
    abortAll();
    boolean stops = stopping != null && stopping.run == run;
    boolean alone =
        !stops && run.parallelism > 1 && world.may(Fault.REGION_RESTART) && world.flip();
    if (!alone) {
      leave(culprit, true);
    }
    waitForTheUnreachable();
    // Flink itself goes on from the checkpoint before the savepoint then: a fork.
    forked |= stops;
    if (stops && world.flip()) {
      // The savepoint is there, but the job did not stop cleanly: the user takes over.
      world.cover(Cover.STOP_FAILED);
      stoppedAt = stopping;
    } else if (alone) {
      world.cover(Cover.REGION_RESTARTED);
      restartAlone(culprit.subtask);
    } else {
      world.cover(latest == null ? Cover.RESTARTED_WITHOUT_CHECKPOINT : Cover.RESTORED_LATEST);
      start(latest, run.parallelism, run.chained, run);
    }
  }

  /** Who is left alive was given up only after the heartbeat timeout. */
  private void waitForTheUnreachable() {
    boolean zombies = false;
    for (SimulatedTask task : run.tasks) {
      zombies |= task.life == SimulatedTask.Life.ZOMBIE;
    }
    world.advance(zombies ? World.HEARTBEAT_TIMEOUT : world.random().nextInt(3_000));
  }

  private void restartAlone(int subtask) {
    boolean ofThisRun = latest != null && latest.run == run;
    SimulatedCheckpoint from = ofThisRun ? latest : run.restoredFrom;
    run.tasks[subtask] =
        new SimulatedTask(
            world,
            run,
            subtask,
            SimulatedTask.Role.WRITER_AND_COMMITTER,
            from == null ? 0 : from.id,
            from == null ? new long[Scenario.SPLITS] : from.positions,
            ofThisRun ? latest.prepared.get(subtask) : List.of(),
            ofThisRun
                ? latest.committables.get(subtask)
                : deal(from, run.parallelism).get(subtask));
  }

  /** All executions but {@code culprit} leave, most of them closed. */
  private void leave(SimulatedTask culprit, boolean inAnyWay) {
    for (SimulatedTask task : run.tasks) {
      if (task != culprit && task.life == SimulatedTask.Life.RUNNING) {
        Exit exit = Exit.CLOSED;
        if (inAnyWay && world.may(Fault.KILL) && world.random().nextInt(3) == 0) {
          exit = Exit.KILLED;
        } else if (inAnyWay && world.may(Fault.ZOMBIE) && world.random().nextInt(4) == 0) {
          exit = Exit.LEFT_ALIVE;
        }
        exit(task, exit);
      }
    }
  }

  private void exit(SimulatedTask task, Exit exit) {
    if (world.tracing()) {
      world.trace(task + " is " + exit);
    }
    task.goneSince = world.system().step();
    switch (exit) {
      case CLOSED -> task.cancel();
      case KILLED -> {
        world.cover(Cover.KILLED);
        task.life = SimulatedTask.Life.KILLED;
      }
      case LEFT_ALIVE -> {
        world.cover(Cover.ZOMBIE_MADE);
        task.becomeZombie();
        world.zombies().add(task);
      }
    }
  }

  /** Ends the run without a savepoint. */
  void cancel(boolean inAnyWay) {
    abortAll();
    leave(null, inAnyWay);
    waitForTheUnreachable();
    ended = true;
  }

  /** The user goes on from {@code from}, whatever state the job is in. */
  void resubmit(SimulatedCheckpoint from, boolean continueOnLoss) {
    this.continueOnLoss = continueOnLoss;
    int parallelism = run.parallelism;
    boolean chained = run.chained;
    if (world.may(Fault.RESCALE)) {
      parallelism = 1 + world.random().nextInt(Scenario.SPLITS);
      chained = world.flip();
    }
    SimulatedCheckpoint newest = stoppedAt == null ? latest : stoppedAt;
    if (from == null) {
      world.cover(Cover.STARTED_FRESH);
    } else if (from == newest) {
      world.cover(Cover.RESTORED_LATEST);
    } else {
      world.cover(Cover.RESTORED_OLDER);
    }
    if (from != null && from.kind != Kind.CHECKPOINT) {
      world.cover(Cover.RESTORED_SAVEPOINT);
    }
    boolean leavesASavepoint = stopping != null && stopping.run == run && from != stopping;
    forked |= from != newest || leavesASavepoint;
    submit(from, parallelism, chained, from == newest ? run : null);
  }

  /** Forgets a stop that did not come to its end. */
  boolean settled() {
    return Arrays.stream(run.tasks)
        .allMatch(
            task ->
                task.life == SimulatedTask.Life.FINISHED || (task.running() && !task.hasNotices()));
  }
}
