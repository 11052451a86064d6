// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.Truth.Fate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/** Knows the truth and holds every claim and the end of each schedule against it. */
final class Oracle {

  private static final List<String> FOREIGN_IDS =
      List.of(
          "p-x~kaaaaaaaabcdefgh-0-0",
          "p2~kaaaaaaaabcdefgh-0-0",
          "pp~0kq2c0v5-0-0",
          "p~service-a",
          "p~kaaaaaaaabcdefgh-0-0-1",
          "p~kaaaaaaaabcdefgh-00-0",
          "p",
          "p-0-0",
          "P~kaaaaaaaabcdefgh-0-0",
          "x~p~kaaaaaaaabcdefgh-0-0");

  private final World world;
  private final List<Truth> foreign = new ArrayList<>();

  /** Judged LOST or UNKNOWN by a task, not yet named by its failed job. */
  private final Map<SimulatedTask, List<Truth>> awaitingAName = new HashMap<>();

  Oracle(World world) {
    this.world = world;
  }

  /** Foreign owners with similar names open transactions and leave them open. */
  void foreignOwnersWrite() {
    for (String id : FOREIGN_IDS) {
      if (world.random().nextInt(3) == 0) {
        foreign.add(world.system().foreignerWrites(id));
      }
    }
  }

  boolean isForeign(Truth truth) {
    return truth.writer == null;
  }

  /** A commit took effect. */
  void committed(Truth truth) {
    if (!truth.reliedOn) {
      throw new Violation("Committed before a checkpoint relied on it: " + truth);
    }
  }

  /** A clean-up is about to abort a transaction that nobody has aborted yet. */
  void cleansUp(SimulatedTask task, Truth truth) {
    if (isForeign(truth)) {
      throw new Violation("Aborts a foreign transaction: " + truth);
    }
    SimulatedJob job = task.job;
    if (world.scenario().batch() && task.openedAsZombie) {
      // A known limit: without barriers nothing tells it that it has a successor. Ends LOST.
      return;
    }
    SimulatedCheckpoint own = task.run.restoredFrom;
    boolean ofThisBranch = job.continues(task.run) || (own != null && own.reliesOn(truth));
    if (truth.fate == Fate.OPEN && ofThisBranch && job.reliesOn(truth)) {
      throw new Violation(task + " aborts what the job's own checkpoint relies on: " + truth);
    }
    if (truth.writer.job == job
        && truth.writer.life == SimulatedTask.Life.RUNNING
        && truth.writer.run == job.run) {
      throw new Violation(task + " aborts what a living sibling writes: " + truth);
    }
  }

  /** A committer has drawn a conclusion. */
  void judged(SimulatedTask task, Truth truth, Outcome.Kind kind) {
    switch (kind) {
      case COMMITTED, ALREADY_COMMITTED -> {
        if (truth.fate != Fate.COMMITTED) {
          throw new Violation("Taken for committed: " + truth);
        }
      }
      case LOST -> {
        if (truth.damaged) {
          world.cover(Cover.LOST_BY_DAMAGE);
          named(task, truth);
          return;
        }
        if (truth.fate != Fate.ABORTED) {
          throw new Violation("Taken for lost: " + truth);
        }
        switch (truth.cause) {
          case TIMEOUT -> world.cover(Cover.LOST_BY_TIMEOUT);
          case THIRD_PARTY -> world.cover(Cover.LOST_BY_THIRD_PARTY);
          case CLEANUP -> {
            if (!task.job.forked && !world.scenario().batch()) {
              throw new Violation("Lost though the job always went on from the newest: " + truth);
            }
            world.cover(Cover.LOST_BY_A_FORK);
          }
          default -> throw new Violation("Lost by the sink itself: " + truth);
        }
        named(task, truth);
      }
      case UNKNOWN -> {
        world.cover(Cover.UNKNOWN_OUTCOME);
        if (!truth.evidenceTouched && !task.job.forked) {
          throw new Violation("Unknown although nobody touched the evidence: " + truth);
        }
        if (world.system().open().contains(truth)) {
          throw new Violation("Unknown although it is there: " + truth);
        }
        named(task, truth);
      }
      case RETRY -> {
        if (truth.fate == Fate.COMMITTED) {
          throw new Violation("Would be tried for ever: " + truth);
        }
      }
    }
  }

  private void named(SimulatedTask task, Truth truth) {
    if (task.job.goesOnAfterLoss()) {
      world.cover(Cover.WENT_ON_AFTER_LOSS);
      truth.claimed = true;
    } else {
      awaitingAName.computeIfAbsent(task, key -> new ArrayList<>()).add(truth);
    }
  }

  /** A job has ended for good; its message names what it ended for. */
  void jobEnded(SimulatedTask task, Exception failure) {
    StringBuilder messages = new StringBuilder(String.valueOf(failure.getCause().getMessage()));
    for (Throwable suppressed : failure.getSuppressed()) {
      if (suppressed instanceof SuppressRestartsException) {
        messages.append(suppressed.getCause().getMessage());
      }
    }
    String all = messages.toString();
    boolean justified = false;
    for (Truth truth : awaitingAName.getOrDefault(task, List.of())) {
      if (all.contains("transaction " + truth.id + " of ")) {
        truth.claimed = true;
        justified = true;
      }
    }
    if (!justified) {
      throw new Violation("Ends the job for a transaction that is not lost: " + all);
    }
  }

  /** A checkpoint of {@code job} has completed: nothing that died before its trigger is open. */
  void completed(SimulatedJob job, int triggeredInStep) {
    Scenario scenario = world.scenario();
    if (scenario.has(Fault.ZOMBIE) || scenario.has(Fault.BAD_CLOCK) || world.hadSecondJob()) {
      return;
    }
    for (Truth truth : world.system().open()) {
      if (!isForeign(truth) && truth.cause == null && truth.writer.goneSince < triggeredInStep) {
        throw new Violation("An orphan outlives a completed checkpoint: " + truth);
      }
    }
    world.cover(Cover.ORPHANS_COUNTED);
  }

  /** Everything has come to rest. */
  void check(SimulatedJob job, boolean zombies) {
    SimulatedSystem system = world.system();
    for (Truth truth : foreign) {
      if (truth.fate != Fate.OPEN) {
        throw new Violation("A foreign transaction was touched: " + truth);
      }
    }
    if (!job.finished || !(zombies || world.scenario().has(Fault.BAD_CLOCK))) {
      for (Truth truth : system.open()) {
        boolean current =
            !isForeign(truth)
                && truth.writer.run == job.run
                && truth.writer.life == SimulatedTask.Life.RUNNING;
        if (!isForeign(truth) && !current) {
          throw new Violation("An orphan remains: " + truth + " of " + truth.writer);
        }
      }
    }
    checkRows(job);
    checkNames();
    system.check(job);
  }

  private void checkRows(SimulatedJob job) {
    long[] next = job.committedPositions();
    Map<Long, Integer> copies = new HashMap<>();
    for (Truth truth : job.reliedOn()) {
      if (truth.fate != Fate.COMMITTED && !truth.claimed) {
        throw new Violation("Lost without a word: " + truth);
      }
      truth.rows.forEach(row -> copies.merge(row, 1, Integer::sum));
    }
    for (int split = 0; split < Scenario.SPLITS; split++) {
      for (long offset = 0; offset < next[split]; offset++) {
        Integer times = copies.remove(Row.code(split, offset));
        if (times == null || times != 1) {
          throw new Violation(
              "Row " + offset + " of split " + split + " was written " + times + " times");
        }
      }
    }
    if (!copies.isEmpty()) {
      throw new Violation("Rows beyond the position: " + copies);
    }
  }

  private void checkNames() {
    if (!world.scenario().orderly()) {
      return;
    }
    for (SimulatedJob job : world.jobs()) {
      if (job.run.hadAborts) {
        continue;
      }
      for (SimulatedTask task : job.run.tasks) {
        world.cover(Cover.NAMES_COUNTED);
        if (task.slotsUsed() > 3) {
          throw new Violation(task + " used " + task.slotsUsed() + " names");
        }
      }
    }
  }
}
