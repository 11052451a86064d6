// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

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

  /** Lower-case letters and digits: what two runs create on one server must not meet. */
  private final String run =
      Long.toString(System.currentTimeMillis(), 36)
          + Integer.toString(ThreadLocalRandom.current().nextInt(36 * 36), 36);

  Quickstart(QuickstartOptions options, RunDirectory directory, Progress progress) {
    this.options = options;
    this.directory = directory;
    this.progress = progress;
  }

  /** Returns when all processes have ended. */
  Verdict run() {
    progress.say("Logs, until the check has passed: %s", directory.path());
    try (Servers servers = Servers.start(options, directory, distribution, progress);
        Topics topics = new Topics(servers.bootstrapServers(), run);
        FlightTables tables = new FlightTables(servers.postgres(), run)) {
      topics.create();
      tables.create();
      progress.say("Topics %s (in) and %s (out)", topics.input(), topics.output());
      progress.say(
          "Tables %s (rows appended) and %s (rows updated by key)",
          tables.delayedFlights(), tables.hourlyStatistics());
      Verdict verdict = runFlink(servers, topics, tables);
      if (verdict.exact()) {
        delete(topics, tables);
      }
      return verdict;
    }
  }

  /** Servers that do not let us leave their user with what was created, and the proof as it is. */
  private void delete(Topics topics, FlightTables tables) {
    if (options.bootstrapServers().isPresent()) {
      delete("Topics", topics::delete);
    }
    if (options.postgres().isPresent()) {
      delete("Tables", tables::drop);
    }
  }

  private void delete(String what, Runnable deletion) {
    try {
      deletion.run();
      progress.say("%s deleted", what);
    } catch (IllegalStateException e) {
      progress.say("%s stay: %s: %s", what, e.getMessage(), e.getCause());
    }
  }

  private Verdict runFlink(Servers servers, Topics topics, FlightTables tables) {
    // The kill wants to see a checkpoint while it is in progress, so no answer may be stale.
    ClusterSettings settings =
        ClusterSettings.slots(2)
            .with("rest.cache.checkpoint-statistics.timeout", "5 ms")
            .with("web.refresh-interval", "50");
    String kafka = servers.bootstrapServers();
    progress.say("Starting Flink");
    try (FlinkCluster flink = FlinkCluster.start(directory, distribution, settings, 1);
        CommittedRows committed = new CommittedRows(kafka, topics.outputPartitions());
        Feeder feeder = new Feeder(kafka, topics.input(), Topics.PARTITIONS, flights)) {
      progress.say(
          "JobManager and TaskManager (process %d) are up; submitting hourly-delays.sql",
          flink.taskManager().pid());
      String job = submit(flink, servers);
      progress.say("Job %s runs", job);
      Results results = new Results(committed, tables, flights);
      JobRun jobRun =
          new JobRun(flink, job, feeder, results, topics, options.exactlyOnce(), progress);
      Verdict verdict = jobRun.untilComplete();
      progress.print("");
      ResultTable.worst(committed.rows(), 10, Airports.shipped()).forEach(progress::print);
      progress.print("");
      return verdict;
    }
  }

  private String submit(FlinkCluster flink, Servers servers) {
    SqlScript script =
        SqlScript.shipped("hourly-delays.sql")
            .with("bootstrap.servers", servers.bootstrapServers())
            .with("jdbc.url", servers.postgres().url())
            .with("run", run)
            .replace("'exactly-once'", "'" + options.guarantee() + "'");
    Path file = directory.write("hourly-delays.sql", List.of(script.complete()));
    SqlResult result =
        flink
            .sqlClient(connector(), distribution.connector("flink-sql-connector-kafka"))
            .run(file, SUBMIT_LIMIT);
    String job = jobOf(result, servers.postgres());
    try {
      flink.awaitRunning(job, RUNNING_LIMIT);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "the job did not start to run; its newest exception: " + flink.rest().exceptions(job), e);
    }
    return job;
  }

  /** The client repeats the statements, and in them the URL. */
  private static String jobOf(SqlResult result, PostgresAddress postgres) {
    try {
      return result.jobId();
    } catch (IllegalStateException e) {
      throw new IllegalStateException(postgres.hiddenIn(e.getMessage()));
    }
  }

  private static Path connector() {
    String jar = System.getProperty("connector.jar");
    if (jar == null) {
      throw new IllegalStateException("-Dconnector.jar must name the jar of flink-connector-txn");
    }
    return Path.of(jar);
  }
}
