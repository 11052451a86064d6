// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.EvidenceReading.Described;
import dev.flinktxn.protocol.EvidenceReading.State;
import dev.flinktxn.protocol.EvidenceReading.Stored;
import dev.flinktxn.protocol.SimulatedCheckpoint.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * One schedule: jobs, zombies, strangers and the external system, moved step by step by one source
 * of randomness. Every call of the protocol to a store is a point where others may run first.
 */
final class World {

  static final String PREFIX = "p";
  static final long CLEANUP_PERIOD = 60_000;
  static final long PATIENCE = 2_000;
  static final long HEARTBEAT_TIMEOUT = 50_000;
  static final long TRANSACTION_TIMEOUT = 900_000;
  private static final long FOR_EVER = 1_000_000_000_000L;
  private static final int DEEPEST = 3;

  private final SplittableRandom random;
  private final Scenario scenario;
  private final Rules rules;
  private final CoverCounts counts;
  private final Trace trace;
  private final SimulatedSystem system;
  private final Oracle oracle;
  private final CommitterMetrics committerMetrics;
  private final List<SimulatedJob> jobs = new ArrayList<>();
  private final List<SimulatedTask> zombies = new ArrayList<>();
  private final long[] rowsIn = new long[Scenario.SPLITS];
  private long now = 1_800_000_000_000L;
  private int depth;
  private boolean calm;
  private int calmRows;
  private boolean restoring;
  private boolean zombieOpened;
  private boolean secondJob;

  World(
      long seed,
      Function<World, SimulatedSystem> systems,
      Rules rules,
      CoverCounts counts,
      CommitterMetrics metrics,
      Trace trace) {
    this.random = new SplittableRandom(seed);
    this.scenario = Scenario.draw(random);
    this.rules = rules;
    this.counts = counts;
    this.committerMetrics = metrics;
    this.trace = trace;
    this.system = systems.apply(this);
    this.oracle = new Oracle(this);
    for (int split = 0; split < Scenario.SPLITS; split++) {
      rowsIn[split] = scenario.bounded() ? random.nextInt(5) : FOR_EVER;
    }
  }

  /** Runs the schedule to its end and holds the result against the promises. */
  void run() {
    if (tracing()) {
      trace(scenario.toString());
    }
    oracle.foreignOwnersWrite();
    SimulatedJob first = new SimulatedJob(this, "A");
    jobs.add(first);
    first.submit(null, scenario.parallelism(), scenario.chained(), null);
    for (int i = 0; i < scenario.steps(); i++) {
      step();
    }
    new Settlement(this).settle();
  }

  private void step() {
    advance(random.nextInt(10));
    int choice = random.nextInt(100);
    if (choice < 74) {
      stepATask();
    } else if (choice < 90) {
      jobs.get(random.nextInt(jobs.size())).coordinate();
    } else {
      event();
    }
  }

  private void stepATask() {
    int choice = random.nextInt(4);
    if (choice == 0 && !zombies.isEmpty()) {
      stepAZombie(zombies.get(random.nextInt(zombies.size())));
      return;
    }
    SimulatedJob job = jobs.get(random.nextInt(jobs.size()));
    SimulatedTask task = job.run.tasks[random.nextInt(job.run.parallelism)];
    if (task.life == SimulatedTask.Life.RUNNING) {
      task.step();
    }
  }

  private void stepAZombie(SimulatedTask zombie) {
    if (zombie.life == SimulatedTask.Life.ZOMBIE) {
      zombie.step();
      zombie.zombieSteps--;
    }
    if (zombie.life == SimulatedTask.Life.ZOMBIE && zombie.zombieSteps <= 0) {
      if (flip()) {
        zombie.life = SimulatedTask.Life.KILLED;
      } else {
        zombie.cancel();
      }
    }
    if (zombie.life != SimulatedTask.Life.ZOMBIE) {
      zombies.remove(zombie);
    }
  }

  /** Something that no job asked for. */
  private void event() {
    SimulatedJob job = jobs.get(random.nextInt(jobs.size()));
    SimulatedTask task = job.run.tasks[random.nextInt(job.run.parallelism)];
    switch (random.nextInt(15)) {
      case 0 -> strike(job, task, Fault.KILL, SimulatedJob.Exit.KILLED);
      case 1 -> strike(job, task, Fault.TASK_FAILURE, SimulatedJob.Exit.CLOSED);
      case 2 -> strike(job, task, Fault.ZOMBIE, SimulatedJob.Exit.LEFT_ALIVE);
      case 3 -> advance(random.nextInt(70_000));
      case 4 -> system.losesPatience();
      case 5 -> system.forgets();
      case 6 -> system.isMeddledWith();
      case 7 -> system.catchesUp();
      case 8 -> savepoint(job, Fault.SAVEPOINT, Kind.SAVEPOINT);
      case 9 -> savepoint(job, Fault.STOP, Kind.STOP);
      case 10, 11, 12 -> user(job);
      case 13 -> {
        system.changes();
        job.losePartition();
      }
      default -> secondJob();
    }
  }

  private void strike(SimulatedJob job, SimulatedTask task, Fault fault, SimulatedJob.Exit exit) {
    if (may(fault) && job.live()) {
      job.strike(task, exit);
    }
  }

  private void savepoint(SimulatedJob job, Fault fault, Kind kind) {
    if (may(fault)) {
      job.trigger(kind);
    }
  }

  /** The user acts on a job: always when it has come to an end, else when the schedule says so. */
  private void user(SimulatedJob job) {
    if (scenario.batch()) {
      if (job.ended || (!job.finished && may(Fault.FRESH_START))) {
        job.cancel(true);
        job.resubmit(null, job.goesOnAfterLoss() || flip());
      }
    } else if (job.stoppedAt != null) {
      job.resubmit(mayChoose(job, job.stoppedAt), job.goesOnAfterLoss());
    } else if (job.ended) {
      job.resubmit(mayChoose(job, job.latest), flip());
    } else if (job.finished) {
      return;
    } else if (may(Fault.RESCALE) || may(Fault.OLDER_RESTORE) || may(Fault.FRESH_START)) {
      job.cancel(true);
      job.resubmit(mayChoose(job, job.latest), job.goesOnAfterLoss());
    }
  }

  private SimulatedCheckpoint mayChoose(SimulatedJob job, SimulatedCheckpoint newest) {
    if (may(Fault.FRESH_START) && random.nextInt(3) == 0) {
      return null;
    }
    List<SimulatedCheckpoint> retained = job.retained();
    if (may(Fault.OLDER_RESTORE) && flip() && !retained.isEmpty()) {
      return retained.get(random.nextInt(retained.size()));
    }
    return newest;
  }

  private void secondJob() {
    if (!may(Fault.TWO_JOBS) || jobs.size() > 1 || scenario.batch()) {
      return;
    }
    secondJob = true;
    cover(Cover.SECOND_JOB);
    SimulatedJob second = new SimulatedJob(this, "B");
    List<SimulatedCheckpoint> retained = jobs.get(0).retained();
    SimulatedCheckpoint from =
        flip() || retained.isEmpty() ? null : retained.get(random.nextInt(retained.size()));
    second.forked = true;
    jobs.get(0).forked = true;
    jobs.add(second);
    second.submit(from, 1 + random.nextInt(3), flip(), null);
  }

  /** From here on nothing fails any more, and the zombies come to their ends. */
  void calmDown() {
    calm = true;
    trace("--- calm");
    for (SimulatedTask zombie : List.copyOf(zombies)) {
      zombie.zombieSteps = Math.min(zombie.zombieSteps, 6);
      while (zombies.contains(zombie)) {
        stepAZombie(zombie);
      }
    }
    system.catchesUp();
  }

  // What the others ask.

  SplittableRandom random() {
    return random;
  }

  Scenario scenario() {
    return scenario;
  }

  Rules rules() {
    return rules;
  }

  SimulatedSystem system() {
    return system;
  }

  Oracle oracle() {
    return oracle;
  }

  CommitterMetrics committerMetrics() {
    return committerMetrics;
  }

  List<SimulatedJob> jobs() {
    return jobs;
  }

  List<SimulatedTask> zombies() {
    return zombies;
  }

  long now() {
    return now;
  }

  void advance(long millis) {
    now += millis;
  }

  boolean flip() {
    return random.nextInt(2) == 0;
  }

  boolean may(Fault fault) {
    return !calm && scenario.has(fault);
  }

  /** Whether an orphan may be younger than the writer that would clean it up. */
  boolean orphansMayWait() {
    return zombieOpened || secondJob || scenario.has(Fault.BAD_CLOCK);
  }

  void allowRows(int rows) {
    calmRows = rows;
  }

  boolean hadSecondJob() {
    return secondJob;
  }

  boolean mayRead() {
    return !calm || calmRows > 0;
  }

  void rowRead() {
    cover(Cover.ROW);
    calmRows--;
  }

  long rowsIn(int split) {
    return rowsIn[split];
  }

  long drawSkew() {
    if (scenario.has(Fault.BAD_CLOCK)) {
      return random.nextLong(-1_000_000, 1_000_000);
    }
    return random.nextLong(-20_000, 20_000);
  }

  long transactionTimeout() {
    return scenario.has(Fault.TIMEOUT) ? TRANSACTION_TIMEOUT : FOR_EVER;
  }

  boolean slowFence() {
    return may(Fault.SLOW_FENCE) && flip();
  }

  void zombieOpens() {
    zombieOpened = true;
    cover(Cover.ZOMBIE_OPENED);
  }

  void restoring(boolean now) {
    restoring = now;
  }

  /** Whether a committer commits what it was restored with. */
  boolean restoring() {
    return restoring;
  }

  /** A call is about to reach the system: others may come first, and it may never arrive. */
  void before(SimulatedTask task, Cover lost) throws IOException, InterruptedException {
    interleave(task, false);
    if (replyLost(lost)) {
      throw new IOException("Simulated: " + lost);
    }
  }

  boolean replyLost(Cover cover) {
    boolean lost = may(Fault.LOST_REPLY) && random.nextInt(24) == 0;
    if (lost) {
      cover(cover);
    }
    return lost;
  }

  /** Lets others run while {@code task} waits inside a call, which it may not survive. */
  void interleave(SimulatedTask task, boolean longer) throws InterruptedException {
    if (!calm) {
      interleave(task, longer ? 2 : 10, longer ? 6 : 3);
    }
  }

  /**
   * Lets others run while {@code task} stands in the middle of a transaction, now and then for so
   * long that it is given up.
   */
  void standStill(SimulatedTask task) throws InterruptedException {
    if (calm) {
      return;
    }
    boolean givenUp =
        depth < DEEPEST
            && may(Fault.ZOMBIE)
            && task.life == SimulatedTask.Life.RUNNING
            && task.job.live()
            && random.nextInt(20) == 0;
    if (givenUp) {
      cover(Cover.GIVEN_UP_INSIDE_A_COMMIT);
      task.job.strike(task, SimulatedJob.Exit.LEFT_ALIVE);
    }
    interleave(task, givenUp ? 1 : 6, givenUp ? 60 : 6);
  }

  /** Lets others run while {@code task} sleeps, when all is calm those it may wait for. */
  void sleeps(SimulatedTask task) throws InterruptedException {
    if (!calm || !system.dealsApart()) {
      interleave(task, true);
      return;
    }
    for (SimulatedTask other : task.run.tasks.clone()) {
      if (other != task && other.life == SimulatedTask.Life.RUNNING) {
        other.step();
      }
    }
    survive(task);
  }

  private void interleave(SimulatedTask task, int oneIn, int most) throws InterruptedException {
    if (depth < DEEPEST && random.nextInt(oneIn) == 0) {
      depth++;
      boolean wasRestoring = restoring;
      restoring = false;
      for (int i = 1 + random.nextInt(most); i > 0; i--) {
        step();
      }
      restoring = wasRestoring;
      depth--;
    }
    survive(task);
  }

  private static void survive(SimulatedTask task) throws InterruptedException {
    if (task.life == SimulatedTask.Life.KILLED) {
      throw new ProcessKilled();
    }
    if (task.life == SimulatedTask.Life.CANCELLED) {
      throw new InterruptedException("cancelled");
    }
  }

  void cover(Cover cover) {
    cover(cover, 1);
  }

  void cover(Cover cover, int times) {
    counts.add(cover, times);
  }

  void coverEvidence(Outcome.Kind kind, Stored stored, Described described) {
    boolean same = described != null && described.startedAt() == stored.startedAt();
    if (same && described.producerId() != stored.producerId()) {
      cover(Cover.PRODUCER_ID_ROLLED_OVER);
    }
    switch (kind) {
      case ALREADY_COMMITTED -> {
        if (described.state() == State.EMPTY) {
          cover(Cover.READ_AN_EMPTY_ID_AS_COMMITTED);
        } else {
          cover(same ? Cover.READ_AS_COMMITTED : Cover.READ_A_LATER_BEGIN_AS_COMMITTED);
        }
      }
      case RETRY -> {
        if (described.epoch() != stored.epoch()) {
          cover(Cover.READ_A_FENCE_IN_PROGRESS);
        }
      }
      default -> {}
    }
    if (restoring && kind == Outcome.Kind.ALREADY_COMMITTED) {
      cover(Cover.COMMITTED_AT_RESTORE);
    }
  }

  void coverFailure(Exception failure, SimulatedTask task) {
    if (task.life == SimulatedTask.Life.ZOMBIE) {
      cover(Cover.ZOMBIE_FAILED);
    }
    String message = String.valueOf(failure.getMessage());
    if (message.contains("was begun by an older writer")) {
      cover(Cover.OLDER_ATTEMPT_FOUND_ALIVE);
    } else if (message.contains("no commit for")) {
      cover(Cover.PATIENCE_ENDED);
    } else if (message.contains("in the external system")) {
      cover(Cover.OWN_TRANSACTION_FOUND_GONE);
    }
  }

  boolean tracing() {
    return trace != null;
  }

  void trace(String line) {
    if (trace != null) {
      trace.add(now, depth, line);
    }
  }
}
