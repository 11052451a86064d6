// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.BrokerProcess;
import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.ClusterSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.FlinkCluster;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.SqlResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Starts what the job needs, submits the shipped script, and has the run watched and checked. */
final class Quickstart {

  private static final Duration SUBMIT_LIMIT = Duration.ofSeconds(90);
  private static final Duration RUNNING_LIMIT = Duration.ofSeconds(60);

  private final QuickstartOptions options;
  private final RunDirectory directory;
  private final Progress progress;
  private final Distribution distribution = Distribution.locate();
  private final List<Flight> flights = Flight.shipped();

  /** Lower-case letters and digits: topics of two runs on one cluster must not meet. */
  private final String run =
      Long.toString(System.currentTimeMillis(), 36)
          + Integer.toString(ThreadLocalRandom.current().nextInt(36 * 36), 36);

  Quickstart(QuickstartOptions options, RunDirectory directory, Progress progress) {
    this.options = options;
    this.directory = directory;
    this.progress = progress;
  }

  /** Returns when all processes have ended. */
  Comparison run() {
    progress.say("Logs, until the check has passed: %s", directory.path());
    if (options.bootstrapServers().isPresent()) {
      progress.say("No broker is started: using %s", options.bootstrapServers().get());
      return runOn(options.bootstrapServers().get());
    }
    progress.say("Starting a Kafka broker");
    try (BrokerProcess broker =
        BrokerProcess.start(directory, distribution, BrokerSettings.usual())) {
      progress.say("Broker %s, process %d", broker.bootstrapServers(), broker.pid());
      return runOn(broker.bootstrapServers());
    }
  }

  private Comparison runOn(String bootstrapServers) {
    try (Topics topics = new Topics(bootstrapServers, run)) {
      topics.create();
      progress.say("Topics %s (in) and %s (out)", topics.input(), topics.output());
      Comparison comparison = runFlink(bootstrapServers, topics);
      if (options.bootstrapServers().isPresent() && comparison.exact()) {
        delete(topics);
      }
      return comparison;
    }
  }

  /** A cluster that does not let us leaves the user with two topics, and the proof as it is. */
  private void delete(Topics topics) {
    try {
      topics.delete();
      progress.say("Topics deleted");
    } catch (IllegalStateException e) {
      progress.say("The topics stay: %s: %s", e.getMessage(), e.getCause());
    }
  }

  private Comparison runFlink(String bootstrapServers, Topics topics) {
    // The kill wants to see a checkpoint while it is in progress, so no answer may be stale.
    ClusterSettings settings =
        ClusterSettings.slots(2)
            .with("rest.cache.checkpoint-statistics.timeout", "5 ms")
            .with("web.refresh-interval", "50");
    progress.say("Starting Flink");
    try (FlinkCluster flink = FlinkCluster.start(directory, distribution, settings, 1);
        CommittedRows committed = new CommittedRows(bootstrapServers, topics.outputPartitions());
        Feeder feeder = new Feeder(bootstrapServers, topics.input(), Topics.PARTITIONS, flights)) {
      progress.say(
          "JobManager and TaskManager (process %d) are up; submitting hourly-delays.sql",
          flink.taskManager().pid());
      String job = submit(flink, bootstrapServers);
      progress.say("Job %s runs", job);
      JobRun jobRun =
          new JobRun(flink, job, feeder, committed, topics, options.exactlyOnce(), progress);
      Comparison comparison = jobRun.until(HourlyDelays.of(flights));
      progress.print("");
      ResultTable.worst(committed.rows(), 10, Airports.shipped()).forEach(progress::print);
      progress.print("");
      return comparison;
    }
  }

  private String submit(FlinkCluster flink, String bootstrapServers) {
    SqlScript script =
        SqlScript.shipped("hourly-delays.sql")
            .with("bootstrap.servers", bootstrapServers)
            .with("run", run)
            .replace("'exactly-once'", "'" + options.guarantee() + "'");
    Path file = directory.write("hourly-delays.sql", List.of(script.complete()));
    SqlResult result =
        flink
            .sqlClient(connector(), distribution.connector("flink-sql-connector-kafka"))
            .run(file, SUBMIT_LIMIT);
    String job = result.jobId();
    try {
      flink.awaitRunning(job, RUNNING_LIMIT);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "the job did not start to run; its newest exception: " + flink.rest().exceptions(job), e);
    }
    return job;
  }

  private static Path connector() {
    String jar = System.getProperty("connector.jar");
    if (jar == null) {
      throw new IllegalStateException("-Dconnector.jar must name the jar of flink-connector-txn");
    }
    return Path.of(jar);
  }
}
