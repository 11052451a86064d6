// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.ClusterSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.FlinkCluster;
import dev.flinktxn.fixture.Json;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.RunDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A Flink cluster with the JVM settings of a server, which runs one job after another and measures
 * each. A job that restarted has no times: it fails. For one thread.
 */
final class BenchmarkFlink implements AutoCloseable {

  private static final Duration SUBMIT_LIMIT = Duration.ofSeconds(90);
  private static final Duration JOB_LIMIT = Duration.ofMinutes(5);

  private final FlinkCluster flink;

  private BenchmarkFlink(FlinkCluster flink) {
    this.flink = flink;
  }

  /**
   * What became of a job, all times in ms since 1970.
   *
   * @param sourceStart when the first task of the source had initialised itself and began
   * @param running when the job was deployed
   * @param finished when all tasks had ended
   * @param checkpoints how many completed
   */
  record Times(long sourceStart, long running, long finished, long checkpoints) {}

  /** Starts a cluster with this project's jar and the {@code official} ones in {@code lib}. */
  static BenchmarkFlink start(
      RunDirectory directory, Distribution distribution, String... official) {
    List<Path> jars = Stream.of(official).map(distribution::connector).toList();
    Distribution complete = withConnectorsInLib(directory, distribution, jars);
    return new BenchmarkFlink(FlinkCluster.start(directory, complete, settings(), 1));
  }

  /** The same with the official JDBC connector, for work on {@code postgres}. */
  static BenchmarkFlink startBesideJdbc(
      RunDirectory directory, Postgres postgres, Progress progress) {
    BenchmarkFlink flink =
        start(
            directory,
            Distribution.locate(),
            "flink-connector-jdbc-core",
            "flink-connector-jdbc-postgres",
            "postgresql");
    progress.say(
        "PostgreSQL (process %d) and TaskManager (process %d) are up",
        postgres.process().pid(), flink.taskManager());
    return flink;
  }

  /** Memory in plenty, so that garbage collection does not decide; nobody asks for metrics. */
  private static ClusterSettings settings() {
    return ClusterSettings.slots(2)
        .with("taskmanager.memory.task.heap.size", "1536 mb")
        .with("taskmanager.memory.framework.off-heap.size", "256 mb")
        .with("taskmanager.memory.network.min", "64 mb")
        .with("taskmanager.memory.network.max", "64 mb")
        .with("taskmanager.memory.jvm-metaspace.size", "256 mb")
        .with("metrics.fetcher.update-interval", "60 s")
        .withJvmFlags(serverJvm());
  }

  /** The compiler and the collector of the start scripts of Flink and Kafka. */
  static String[] serverJvm(String... more) {
    List<String> flags = List.of("-XX:TieredStopAtLevel=4", "-XX:-UseSerialGC", "-XX:+UseG1GC");
    return Stream.concat(flags.stream(), Stream.of(more)).toArray(String[]::new);
  }

  /**
   * The same with connectors in Flink's {@code lib}. Given to a session instead, their classes
   * would be loaded, and compiled, anew for each job.
   */
  private static Distribution withConnectorsInLib(
      RunDirectory directory, Distribution distribution, List<Path> official) {
    String connector = System.getProperty("connector.jar");
    if (connector == null) {
      throw new IllegalStateException("-Dconnector.jar must name the jar of flink-connector-txn");
    }
    List<Path> jars = new ArrayList<>(official);
    jars.add(Path.of(connector));
    return distribution.withLibJars(directory.directory("flink"), jars);
  }

  /** The id of the TaskManager's process. */
  long taskManager() {
    return flink.taskManager().pid();
  }

  /** Runs the job that {@code script} submits, on an otherwise idle cluster, to its end. */
  Times run(SqlScript script) {
    return run(script, true);
  }

  /** The same for a batch job, which has no checkpoints. */
  Times runBatch(SqlScript script) {
    return run(script, false);
  }

  private Times run(SqlScript script, boolean checkpointed) {
    String job = flink.sqlClient().run(script.complete(), SUBMIT_LIMIT).jobId();
    flink.awaitState(job, "FINISHED", JOB_LIMIT);
    flink.awaitFreeSlots(2);
    List<String> exceptions = flink.rest().exceptions(job);
    if (!exceptions.isEmpty()) {
      throw new IllegalStateException("the job restarted: " + exceptions.get(0));
    }
    Json stamps = flink.rest().get("/jobs/" + job).get("timestamps");
    return new Times(
        sourceStart(job),
        stamps.get("RUNNING").number(),
        stamps.get("FINISHED").number(),
        checkpointed ? flink.rest().checkpoints(job).completed() : 0);
  }

  private long sourceStart(String job) {
    String source =
        flink.rest().get("/jobs/" + job).get("vertices").items().stream()
            .filter(vertex -> vertex.get("name").text().startsWith("Source"))
            .findFirst()
            .orElseThrow()
            .get("id")
            .text();
    return flink
        .rest()
        .get("/jobs/" + job + "/vertices/" + source + "/subtasktimes")
        .get("subtasks")
        .items()
        .stream()
        .mapToLong(task -> task.get("timestamps").get("RUNNING").number())
        .min()
        .orElseThrow();
  }

  @Override
  public void close() {
    flink.close();
  }
}
