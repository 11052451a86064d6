// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.FlinkRest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A submitted job and where it writes. */
record ProcessJob(ProcessLab lab, String id, List<ProcessSink> sinks) {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private FlinkRest rest() {
    return lab.cluster().rest();
  }

  /** Takes a checkpoint; its completion is known to the JobManager when this returns. */
  void checkpoint() {
    rest().checkpoint(id, LIMIT);
  }

  /** How often the JobManager has restarted the job or a part of it. */
  int restarts() {
    String line = "(" + id + ") switched from state RUNNING to RESTARTING";
    return (int) lab.cluster().output().lines().filter(l -> l.contains(line)).count();
  }

  /** Returns when the job runs, having been restored that often. */
  void awaitRestored(int times) {
    Await.until(
        "restore number " + times + " of job " + id,
        LIMIT,
        () -> rest().checkpoints(id).restored() >= times);
    lab.cluster().awaitRunning(id, LIMIT);
  }

  void awaitState(String state, Duration limit) {
    lab.cluster().awaitState(id, state, limit);
  }

  String state() {
    return rest().state(id);
  }

  /** The newest checkpoint, to be restored by another job. */
  String checkpointPath() {
    return Await.value("a checkpoint of " + id, LIMIT, () -> rest().lastCheckpointPath(id));
  }

  FlinkRest.Checkpoints checkpoints() {
    return rest().checkpoints(id);
  }

  /** The newest exception of the job, with its stack trace. */
  Optional<String> newestException() {
    List<String> exceptions = rest().exceptions(id);
    return exceptions.stream().findFirst();
  }

  /** Returns when a metric, summed over the subtasks that run now, is {@code value}. */
  void awaitMetric(String name, int value) {
    Await.until(name + " = " + value, LIMIT, () -> rest().metricSum(id, "." + name) == value);
  }

  void cancel() {
    rest().cancel(id);
    awaitState("CANCELED", LIMIT);
  }

  /** Ends the job if it has not ended. */
  void end() {
    if (!List.of("FINISHED", "FAILED", "CANCELED").contains(state())) {
      cancel();
    }
  }

  /** See {@link ProcessSink#assertNothingLeft}; of every sink. */
  void assertNothingLeft() {
    sinks.forEach(ProcessSink::assertNothingLeft);
  }

  /** See {@link ProcessSink#awaitCommitted}; of the first sink, as below. */
  void awaitCommitted(List<String> expected) {
    sinks.get(0).awaitCommitted(expected, LIMIT);
  }

  /** Returns when exactly these rows are visible in every sink. */
  void awaitAllCommitted(List<String> expected) {
    sinks.forEach(sink -> sink.awaitCommitted(expected, LIMIT));
  }

  List<String> committed() {
    return sinks.get(0).committed();
  }

  String prefix() {
    return sinks.get(0).prefix();
  }

  ProcessBroker broker() {
    return topicSink().broker();
  }

  String topic() {
    return topicSink().topic();
  }

  private ProcessTopic topicSink() {
    return (ProcessTopic) sinks.get(0);
  }
}
