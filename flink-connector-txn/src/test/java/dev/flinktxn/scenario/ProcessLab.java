// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.awaitility.Awaitility.await;

import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.ClusterSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.FlinkCluster;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresSettings;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.SqlClient;
import dev.flinktxn.fixture.TaskManagerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Real processes for the scenarios of one test class: a session cluster, brokers and a PostgreSQL
 * behind relays, the SQL client with the drop-in jar. After each test it ends the test's jobs and,
 * if the test has passed, checks what they left. The logs of a class with a failure are kept.
 */
final class ProcessLab
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

  private final ClusterSettings settings;
  private final int slots;
  private final List<ProcessJob> jobs = new ArrayList<>();
  private final List<ProcessBroker> brokers = new ArrayList<>();
  private final List<ProcessTable> tablesOfTest = new ArrayList<>();
  private RunDirectory run;
  private Distribution distribution;
  private FlinkCluster cluster;
  private ProcessBroker sharedBroker;
  private Postgres postgres;
  private int names;

  private ProcessLab(int slots, ClusterSettings settings) {
    this.slots = slots;
    this.settings = settings;
  }

  /** A laboratory with one TaskManager. */
  static ProcessLab withSlots(int slots) {
    // A JobManager that knows of no free slot waits for the new TaskManager, so that a job's
    // restarts are those for which there is a reason.
    return new ProcessLab(
        slots,
        ClusterSettings.slots(slots)
            .with("resourcemanager.standalone.start-up-time", "600000 ms")
            .with("metrics.fetcher.update-interval", "500 ms"));
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    run = RunDirectory.create(context.getRequiredTestClass().getSimpleName());
    distribution = Distribution.locate();
  }

  /** Moves to a cluster of another version of Flink; brokers and databases stay. */
  void moveToFlink(String version) {
    close();
    Path home = run.directory("flink-" + version);
    start(distribution.onFlink(version, home));
  }

  private void start(Distribution flink) {
    cluster = FlinkCluster.start(run, flink, settings, 1);
  }

  private void close() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    if (cluster == null) {
      start(distribution);
    }
    if (liveTaskManagers().isEmpty()) {
      cluster.startTaskManager();
    }
    cluster.awaitFreeSlots(slots);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    boolean passed = context.getExecutionException().isEmpty();
    try {
      brokers.forEach(ProcessBroker::heal);
      healPostgres();
      if (passed) {
        jobs.forEach(ProcessJob::assertNothingLeft);
      }
      jobs.forEach(ProcessJob::end);
      if (passed) {
        jobs.forEach(ProcessJob::assertNothingLeft);
        tablesOfTest.forEach(ProcessTable::awaitNoSessions);
      }
    } catch (RuntimeException | Error e) {
      passed = false;
      throw e;
    } finally {
      jobs.clear();
      if (!passed) {
        run.keepLogs();
      }
      tablesOfTest.forEach(ProcessTable::close);
      tablesOfTest.clear();
    }
  }

  /** Ends every fault and absence that a failed test may have left. */
  private void healPostgres() {
    tablesOfTest.forEach(table -> table.target().clearFaults());
    if (postgres != null) {
      if (postgres.process().isAlive()) {
        postgres.process().resume();
      } else {
        postgres.process().restart();
      }
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    brokers.forEach(ProcessBroker::close);
    if (postgres != null) {
      postgres.close();
    }
    close();
    if (run != null) {
      run.close();
    }
  }

  FlinkCluster cluster() {
    return cluster;
  }

  /** The SQL client with the jar that users drop in. */
  SqlClient sqlClient() {
    return cluster.sqlClient(Path.of(System.getProperty("connector.jar")));
  }

  /** The usual broker of this class. */
  ProcessBroker broker() {
    if (sharedBroker == null) {
      sharedBroker = broker(BrokerSettings.usual());
    }
    return sharedBroker;
  }

  /** One more broker. */
  ProcessBroker broker(BrokerSettings settings) {
    ProcessBroker broker = new ProcessBroker(run, distribution, settings);
    brokers.add(broker);
    return broker;
  }

  /** A directory of files that jobs read. */
  Drip drip() {
    return new Drip(run.directory("drip-" + names++));
  }

  /** An INSERT into a new topic of {@code broker}, with a prefix of its own. */
  ProcessInsert insertInto(ProcessBroker broker, String name, int partitions) {
    return insertInto(topic(broker, name, partitions));
  }

  ProcessInsert insertInto(ProcessSink sink) {
    return new ProcessInsert(this, sink);
  }

  /** A new topic of {@code broker}, and a prefix of its own. */
  ProcessTopic topic(ProcessBroker broker, String name, int partitions) {
    String unique = name + "." + names++;
    broker.probe().createTopic(unique, partitions);
    return new ProcessTopic(broker, unique, unique);
  }

  /** The PostgreSQL of this class. */
  Postgres postgres() {
    if (postgres == null) {
      postgres = Postgres.startProcess(run, PostgresSettings.usual());
    }
    return postgres;
  }

  /** A new table in a new database, and a prefix of its own. */
  ProcessTable table(TargetKind kind, String name) {
    PostgresTables target = PostgresTables.create(kind, postgres());
    target.create(name, 1, Rows.COLUMNS);
    ProcessTable table = new ProcessTable(target, name, name + "." + names++);
    tablesOfTest.add(table);
    return table;
  }

  ProcessJob submitted(ProcessJob job) {
    jobs.add(job);
    return job;
  }

  List<TaskManagerProcess> liveTaskManagers() {
    return cluster.taskManagers().stream().filter(TaskManagerProcess::isAlive).toList();
  }

  /** SIGKILL to the only TaskManager, and a new one in its place. */
  TaskManagerProcess replaceTaskManager() {
    killTaskManager();
    return cluster.startTaskManager();
  }

  /** SIGKILL to the only TaskManager. */
  void killTaskManager() {
    List<TaskManagerProcess> live = liveTaskManagers();
    if (live.size() != 1) {
      throw new IllegalStateException("expected one live TaskManager, found " + live.size());
    }
    live.get(0).kill();
  }

  /** That for so long all tasks of these jobs stay where they are. */
  static void assertRunUndisturbed(Duration span, ProcessJob... jobs) {
    await()
        .during(span)
        .atMost(span.plusSeconds(20))
        .until(
            () ->
                Stream.of(jobs)
                    .allMatch(job -> job.state().equals("RUNNING") && job.restarts() == 0));
  }

  /** A row of the usual columns, as JSON, the same on the way in and out. */
  static String row(int id, String name, int qty) {
    return String.format("{\"id\":%d,\"name\":\"%s\",\"qty\":%d}", id, name, qty);
  }

  /** The quantity in such a row. */
  static int qty(String row) {
    return Integer.parseInt(row.replaceAll(".*\"qty\":(\\d+)}", "$1"));
  }

  /** The rows of {@link ProcessInsert#fromSequence}. */
  static List<String> sequence(int last) {
    return IntStream.rangeClosed(1, last).mapToObj(id -> row(id, "n", 1)).toList();
  }
}
