// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.examples.CheckpointKill.Killed;
import dev.flinktxn.fixture.FlinkCluster;
import dev.flinktxn.fixture.FlinkRest;
import dev.flinktxn.fixture.FlinkRest.Checkpoints;
import dev.flinktxn.fixture.TaskManagerProcess;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * The running job: feeds it, kills its TaskManager half-way, waits for the recovery and the whole
 * results, stops it, and has them compared. For one thread.
 */
final class JobRun {

  private static final int LEAST_CHECKPOINTS = 10;
  private static final Duration PHASE_LIMIT = Duration.ofSeconds(120);
  private static final Duration SILENCE_LIMIT = Duration.ofSeconds(30);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
  private static final Duration END_LIMIT = Duration.ofSeconds(10);
  private static final Duration STEP = Duration.ofMillis(200);
  private static final long REPORT_PERIOD = Duration.ofSeconds(2).toNanos();
  private static final Set<String> ENDED = Set.of("FAILED", "FINISHED", "CANCELED");

  private final FlinkCluster flink;
  private final FlinkRest rest;
  private final String job;
  private final Feeder feeder;
  private final Results results;
  private final Topics topics;
  private final boolean exactlyOnce;
  private final Progress progress;
  private long nextReport = System.nanoTime();

  JobRun(
      FlinkCluster flink,
      String job,
      Feeder feeder,
      Results results,
      Topics topics,
      boolean exactlyOnce,
      Progress progress) {
    this.flink = flink;
    this.rest = flink.rest();
    this.job = job;
    this.feeder = feeder;
    this.results = results;
    this.topics = topics;
    this.exactlyOnce = exactlyOnce;
    this.progress = progress;
  }

  /** Runs the job until it has written everything, or nothing any more, and stops it. */
  Verdict untilComplete() {
    long checkpointsBefore = rest.checkpoints(job).completed();
    feeder.start();
    stepUntil("half of the flights are sent", PHASE_LIMIT, feeder::halfSent);
    killAndRecover();
    stepUntil(
        LEAST_CHECKPOINTS + " checkpoints have completed during the feed",
        PHASE_LIMIT,
        () -> rest.checkpoints(job).completed() >= checkpointsBefore + LEAST_CHECKPOINTS);
    feeder.sendTheRest();
    stepUntil("all flights are sent", PHASE_LIMIT, feeder::finished);
    progress.say(
        "All flights sent, over %d checkpoints",
        rest.checkpoints(job).completed() - checkpointsBefore);
    awaitResults();
    rest.stopWithSavepoint(job, false, STOP_LIMIT);
    readToTheEnd();
    progress.say("Job stopped");
    Verdict verdict = results.verdict();
    say("hourly delays in Kafka", results.counts().topic(), verdict.windows());
    say("delayed flights in PostgreSQL", results.counts().delayedFlights(), verdict.rows());
    say("hourly statistics in PostgreSQL", results.counts().statistics(), verdict.statistics());
    return verdict;
  }

  private void say(String name, int found, Comparison<?> comparison) {
    progress.say(
        "%-31s %,7d rows, %,7d expected, %d lost, %d duplicated",
        name,
        found,
        comparison.expected(),
        comparison.lost().size(),
        comparison.duplicated().size());
  }

  private void killAndRecover() {
    TaskManagerProcess victim = flink.taskManager();
    Killed killed = new CheckpointKill(rest, job, victim, topics, exactlyOnce).perform(this::step);
    progress.say(
        "KILL: SIGKILL to TaskManager %d in the middle of checkpoint %d (%d of %d subtasks had"
            + " acknowledged it); %,d rows written since the last completed one are in the topic",
        victim.pid(),
        killed.checkpoint().id(),
        killed.checkpoint().acknowledged(),
        killed.checkpoint().subtasks(),
        killed.uncovered());
    long restoredBefore = rest.checkpoints(job).restored();
    TaskManagerProcess successor = flink.startTaskManager();
    progress.say("Started another TaskManager, process %d", successor.pid());
    stepUntil(
        "the job has recovered",
        PHASE_LIMIT,
        () -> rest.checkpoints(job).restored() > restoredBefore && rest.allTasksRun(job));
    progress.say(
        "RECOVERED from checkpoint %s",
        rest.get("/jobs/" + job + "/checkpoints").get("latest").get("restored").get("id").text());
  }

  /** Returns when no row is missing, or when rows are and none has come for a while. */
  private void awaitResults() {
    Results.Counts seen = null;
    long deadline = 0;
    while (true) {
      Results.Counts now = results.counts();
      if (results.complete(now)) {
        return;
      }
      if (!now.equals(seen)) {
        seen = now;
        deadline = System.nanoTime() + SILENCE_LIMIT.toNanos();
      } else if (System.nanoTime() > deadline) {
        progress.say("No more rows for %d s, giving up waiting", SILENCE_LIMIT.toSeconds());
        return;
      }
      step();
    }
  }

  private void readToTheEnd() {
    Map<TopicPartition, Long> ends = topics.outputEnds(IsolationLevel.READ_UNCOMMITTED);
    long deadline = System.nanoTime() + END_LIMIT.toNanos();
    while (!results.topic().hasReached(ends)) {
      results.read(STEP);
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "the job is stopped, but a transaction in its output topic is still open: it ends at "
                + ends
                + ", readers of committed rows get to "
                + topics.outputEnds(IsolationLevel.READ_COMMITTED));
      }
    }
  }

  private void stepUntil(String what, Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "not within " + limit.toSeconds() + " s: " + what + "; " + newestException());
      }
      step();
    }
  }

  private String newestException() {
    return rest.exceptions(job).stream()
        .findFirst()
        .map(trace -> "the newest exception of the job: " + trace)
        .orElse("the job names no exception");
  }

  private void step() {
    results.read(STEP);
    feeder.finished();
    if (System.nanoTime() < nextReport) {
      return;
    }
    nextReport = System.nanoTime() + REPORT_PERIOD;
    String state = rest.state(job);
    if (ENDED.contains(state)) {
      throw new IllegalStateException("the job is " + state + "; " + newestException());
    }
    Checkpoints checkpoints = rest.checkpoints(job);
    Results.Counts counts = results.counts();
    progress.say(
        "%-10s rows in %,7d   committed: Kafka %,7d, PostgreSQL %,6d appended and %,7d by key  "
            + " checkpoints %3d",
        state.toLowerCase(Locale.ROOT),
        feeder.sent(),
        counts.topic(),
        counts.delayedFlights(),
        counts.statistics(),
        checkpoints.completed());
  }
}
