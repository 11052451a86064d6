// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.jobmaster.JobResult;

/** A submitted job and what a test does with it. */
final class RunningJob {

  private static final long SECONDS = 60;

  private final FlinkLab lab;
  private final JobID id;
  private final String savepoints;

  RunningJob(FlinkLab lab, JobID id, String savepoints) {
    this.lab = lab;
    this.id = id;
    this.savepoints = savepoints;
  }

  JobID id() {
    return id;
  }

  /** Waits until all tasks run, so that a checkpoint can be triggered. */
  RunningJob awaitRunning() {
    await()
        .atMost(Duration.ofSeconds(SECONDS))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              AccessExecutionGraph graph = graph();
              if (graph.getState().isGloballyTerminalState()) {
                throw new IllegalStateException(
                    "The job ended: " + graph.getState() + failure().map(f -> ", " + f).orElse(""));
              }
              // Before the job has begun it has no tasks at all.
              return graph.getState() == JobStatus.RUNNING
                  && taskStates().stream().allMatch(state -> state == ExecutionState.RUNNING);
            });
    return this;
  }

  /** Completes one checkpoint and answers where it is. Its commit may still be under way. */
  String checkpoint() throws Exception {
    return lab.cluster().triggerCheckpoint(id).get(SECONDS, TimeUnit.SECONDS);
  }

  /** Asks for a checkpoint and does not wait for what becomes of it. */
  void triggerCheckpoint() {
    lab.cluster().triggerCheckpoint(id);
  }

  /** Completes one savepoint. */
  String savepoint() throws Exception {
    return lab.cluster()
        .triggerSavepoint(id, savepoints, false, SavepointFormatType.CANONICAL)
        .get(SECONDS, TimeUnit.SECONDS);
  }

  /** Ends the job with its last rows committed. */
  String stopWithSavepoint() throws Exception {
    String path =
        lab.cluster()
            .stopWithSavepoint(id, savepoints, false, SavepointFormatType.CANONICAL)
            .get(SECONDS, TimeUnit.SECONDS);
    awaitEnd(JobStatus.FINISHED);
    return path;
  }

  /** Ends the job wherever it stands. */
  void cancel() throws Exception {
    if (!status().isGloballyTerminalState()) {
      try {
        lab.cluster().cancelJob(id).get(SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        // It may have ended by itself in the meantime.
        if (!status().isGloballyTerminalState()) {
          throw e;
        }
      }
      awaitEnd();
    }
  }

  JobStatus awaitEnd() {
    await()
        .atMost(Duration.ofSeconds(SECONDS))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> status().isGloballyTerminalState());
    return status();
  }

  void awaitEnd(JobStatus expected) {
    assertThat(awaitEnd()).as(() -> "end of the job; " + failure()).isEqualTo(expected);
  }

  JobStatus status() {
    try {
      return lab.cluster().getJobStatus(id).get(SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Why the job ended, if it has ended badly. */
  Optional<String> failure() {
    try {
      JobResult result = lab.cluster().requestJobResult(id).get(SECONDS, TimeUnit.SECONDS);
      return result.getSerializedThrowable().map(t -> t.getFullStringifiedStackTrace());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Where its tasks stand. */
  List<ExecutionState> taskStates() {
    return StreamSupport.stream(graph().getAllExecutionVertices().spliterator(), false)
        .map(AccessExecutionVertex::getExecutionState)
        .toList();
  }

  long completedCheckpoints() {
    return checkpoints().getCounts().getNumberOfCompletedCheckpoints();
  }

  CheckpointStatsSnapshot checkpoints() {
    return graph().getCheckpointStatsSnapshot();
  }

  void awaitCheckpoints(long completed, Duration atMost) {
    await()
        .atMost(atMost)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> completedCheckpoints() >= completed);
  }

  /** How often the job was restarted as a whole or in part. */
  long restarts() {
    return numbers("numRestarts").stream().mapToLong(Number::longValue).max().orElse(0);
  }

  /** The sum of this metric over all subtasks and attempts of the job; a histogram's count. */
  long total(String counter) {
    return numbers(counter).stream().mapToLong(Number::longValue).sum();
  }

  /** This counter of the only operator that has it, by subtask, over all attempts. */
  Map<String, Long> perSubtask(String counter) {
    return groupsWith(counter)
        .collect(
            Collectors.groupingBy(
                group -> group.getKey().getAllVariables().get("<subtask_index>"),
                Collectors.summingLong(
                    group -> number(group.getValue().get(counter)).longValue())));
  }

  private List<Number> numbers(String name) {
    return groupsWith(name).map(group -> number(group.getValue().get(name))).toList();
  }

  private Stream<Map.Entry<MetricGroup, Map<String, Metric>>> groupsWith(String name) {
    return lab.metrics().getMetricsByGroup().entrySet().stream()
        .filter(group -> id.toString().equals(group.getKey().getAllVariables().get("<job_id>")))
        .filter(group -> group.getValue().containsKey(name));
  }

  private static Number number(Metric metric) {
    if (metric instanceof Counter counter) {
      return counter.getCount();
    }
    if (metric instanceof Histogram histogram) {
      return histogram.getCount();
    }
    if (metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number) {
      return number;
    }
    return -1;
  }

  private AccessExecutionGraph graph() {
    try {
      return lab.cluster().getExecutionGraph(id).get(SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
