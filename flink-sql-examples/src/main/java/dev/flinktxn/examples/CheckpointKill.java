// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.FlinkRest;
import dev.flinktxn.fixture.Json;
import dev.flinktxn.fixture.TaskManagerProcess;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.IsolationLevel;

/**
 * Kills the TaskManager while a checkpoint is in progress and rows are written which no completed
 * checkpoint covers. To be sure of it, the process is frozen as soon as a checkpoint is seen, and
 * killed only if the JobManager, having dealt with all that was under way, still waits for it.
 */
final class CheckpointKill {

  private static final int HASTY_ATTEMPTS = 10;
  private static final Duration POLL = Duration.ofMillis(5);
  private static final Duration SETTLE = Duration.ofMillis(150);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration PATIENCE_WHEN_FROZEN = Duration.ofSeconds(3);

  private final FlinkRest rest;
  private final String job;
  private final TaskManagerProcess victim;
  private final Topics topics;
  private final boolean exactlyOnce;
  private OptionalLong lastCompleted = OptionalLong.empty();
  private long rowsAtLastCompleted;

  CheckpointKill(
      FlinkRest rest, String job, TaskManagerProcess victim, Topics topics, boolean exactlyOnce) {
    this.rest = rest;
    this.job = job;
    this.victim = victim;
    this.topics = topics;
    this.exactlyOnce = exactlyOnce;
  }

  /** A checkpoint that waits for subtasks. */
  record InProgress(long id, long acknowledged, long subtasks) {}

  /**
   * What the killed process left behind.
   *
   * @param uncovered rows in the output topic that no completed checkpoint covers
   */
  record Killed(InProgress checkpoint, long uncovered) {}

  /**
   * Kills it, which takes a few checkpoints.
   *
   * @param meanwhile called about once per checkpoint
   */
  Killed perform(Runnable meanwhile) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    for (int attempt = 0; System.nanoTime() < deadline; attempt++) {
      meanwhile.run();
      // A machine on which checkpoints are over before they are seen: freeze first, then wait.
      boolean hasty = attempt < HASTY_ATTEMPTS;
      await(deadline, () -> uncovered() > 0 && (!hasty || inProgress().isPresent()));
      victim.pause();
      LockSupport.parkNanos(SETTLE.toNanos());
      if (!hasty) {
        await(System.nanoTime() + PATIENCE_WHEN_FROZEN.toNanos(), () -> inProgress().isPresent());
      }
      Optional<InProgress> checkpoint = inProgress();
      long uncovered = uncovered();
      if (checkpoint.isPresent() && uncovered > 0) {
        victim.kill();
        return new Killed(checkpoint.get(), uncovered);
      }
      victim.resume();
    }
    throw new IllegalStateException(
        "no checkpoint was caught in progress within " + LIMIT.toSeconds() + " s");
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(long deadline, Condition condition) {
    while (!condition.holds() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private Optional<InProgress> inProgress() {
    return rest.get("/jobs/" + job + "/checkpoints").get("history").items().stream()
        .filter(checkpoint -> checkpoint.get("status").text().equals("IN_PROGRESS"))
        .findFirst()
        .map(CheckpointKill::inProgress);
  }

  private static InProgress inProgress(Json checkpoint) {
    return new InProgress(
        checkpoint.get("id").number(),
        checkpoint.get("num_acknowledged_subtasks").number(),
        checkpoint.get("num_subtasks").number());
  }

  private long uncovered() {
    long written = rows(IsolationLevel.READ_UNCOMMITTED);
    if (exactlyOnce) {
      return written - rows(IsolationLevel.READ_COMMITTED);
    }
    OptionalLong completed = rest.checkpoints(job).lastCompleted();
    if (!completed.equals(lastCompleted)) {
      lastCompleted = completed;
      rowsAtLastCompleted = written;
    }
    return written - rowsAtLastCompleted;
  }

  private long rows(IsolationLevel level) {
    return topics.outputEnds(level).values().stream().mapToLong(Long::longValue).sum();
  }
}
