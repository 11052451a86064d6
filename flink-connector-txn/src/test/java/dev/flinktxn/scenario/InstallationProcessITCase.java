// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.BrokerProcess;
import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.ClusterSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.FlinkCluster;
import dev.flinktxn.fixture.JvmProbe;
import dev.flinktxn.fixture.KafkaProbe;
import dev.flinktxn.fixture.KeepLogsOnFailure;
import dev.flinktxn.fixture.PgProbe;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.SqlResult;
import dev.flinktxn.fixture.TaskManagerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A13: the ways in which the jar gets into a Flink, with the SQL client of that Flink. */
class InstallationProcessITCase {

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final Path JAR = Path.of(System.getProperty("connector.jar"));
  private static final int SUBMISSIONS = 20;
  private static final int SESSION = 5;

  /**
   * The last job's classes, 13 MiB, may be there still at the end of the one count or the other.
   */
  private static final long GROWTH_KIB = 20 * 1024;

  private static final RunDirectory RUN = RunDirectory.create("installation");

  @RegisterExtension
  static final KeepLogsOnFailure KEEP_LOGS_ON_FAILURE = new KeepLogsOnFailure(RUN);

  private static Distribution distribution;
  private static BrokerProcess broker;
  private static KafkaProbe kafka;

  private PostgresDatabase database;

  @BeforeAll
  static void start() {
    distribution = Distribution.locate();
    broker = BrokerProcess.start(RUN, distribution, BrokerSettings.usual());
    kafka = new KafkaProbe(broker.bootstrapServers());
  }

  @AfterAll
  static void stop() {
    if (kafka != null) {
      kafka.close();
    }
    if (broker != null) {
      broker.close();
    }
    RUN.close();
  }

  @BeforeEach
  void createDatabase() throws Exception {
    database = Postgres.shared().database();
    database.execute("CREATE TABLE txn (n integer)");
  }

  @AfterEach
  void dropDatabase() throws Exception {
    database.close();
  }

  @Test
  void inLib() throws Exception {
    Distribution installed = distribution.withLibJars(RUN.directory("flink-lib"), List.of(JAR));
    kafka.createTopic("lib", 1);
    try (FlinkCluster cluster = FlinkCluster.start(RUN, installed, ClusterSettings.slots(2), 1)) {
      finish(cluster, tables("lib") + statementSet("(1), (2)", "txn_kafka", "txn_jdbc"));
      assertRows("lib", 1, 2);
    }
  }

  /** Tables made in one session are used in the next one, after Flink was started anew. */
  @Tag("full")
  @Test
  void theCatalogKeepsTablesOverSessions() throws Exception {
    Distribution installed =
        distribution.withLibJars(
            RUN.directory("flink-catalog"),
            List.of(JAR, distribution.connector("flink-sql-connector-kafka")));
    kafka.createTopic("kept", 1);
    String catalog =
        """
        SET 'table.dml-sync' = 'true';
        SET 'execution.checkpointing.interval' = '1 s';
        SET 'sql-client.execution.result-mode' = 'tableau';
        CREATE CATALOG pg WITH ('type' = 'txn', 'url' = '%s', 'username' = '%s',
          'sink.transactional-id-prefix' = 'kept',
          'txn-kafka.properties.bootstrap.servers' = '%s');
        USE CATALOG pg;
        """
            .formatted(database.url(), database.user(), broker.bootstrapServers());
    try (FlinkCluster cluster = FlinkCluster.start(RUN, installed, ClusterSettings.slots(2), 1)) {
      finish(
          cluster,
          catalog
              + """
                CREATE TABLE kept (n INT) WITH (
                  'connector' = 'txn-kafka', 'topic' = 'kept', 'format' = 'json',
                  'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset');
                CREATE TABLE made (n INT NOT NULL, name STRING);
                INSERT INTO txn VALUES (1), (2);
                """);
    }
    try (FlinkCluster cluster = FlinkCluster.start(RUN, installed, ClusterSettings.slots(2), 1)) {
      SqlResult result =
          finish(
              cluster,
              catalog
                  + """
                    SHOW TABLES;
                    INSERT INTO kept SELECT n FROM txn;
                    INSERT INTO made SELECT n, 'of Kafka' FROM kept;
                    SELECT name, n FROM made WHERE n > 1;
                    CALL pg.sys.list_transactions(prefix => 'kept.public.kept');
                    """);
      assertThat(result.output()).contains("of Kafka", "CompleteCommit");
      assertRows("kept", 1, 2);
      assertThat(new PgProbe(database).rows("made"))
          .containsExactlyInAnyOrder("(1,\"of Kafka\")", "(2,\"of Kafka\")");
    }
  }

  /** The order of the jobs is one in which each of two drivers is loaded before the other one. */
  @Tag("full")
  @Test
  void besideTheOfficialConnectorsAndAnotherDriver() throws Exception {
    Path driver = distribution.otherPostgresDriver();
    Distribution installed =
        distribution.withLibJars(
            RUN.directory("flink-beside"),
            List.of(
                JAR,
                distribution.connector("flink-sql-connector-kafka"),
                distribution.connector("flink-connector-jdbc-core"),
                distribution.connector("flink-connector-jdbc-postgres"),
                driver));
    database.execute("CREATE TABLE official (n integer)");
    kafka.createTopic("beside", 1);
    kafka.createTopic("official", 1);
    String tables =
        tables("beside")
            + """
              CREATE TABLE official_kafka (n INT) WITH (
                'connector' = 'kafka', 'topic' = 'official', 'format' = 'json',
                'properties.bootstrap.servers' = '%s', 'sink.delivery-guarantee' = 'exactly-once',
                'properties.transaction.timeout.ms' = '600000',
                'sink.transactional-id-prefix' = 'official');
              CREATE TABLE official_jdbc (n INT) WITH (
                'connector' = 'jdbc', 'url' = '%s', 'username' = '%s', 'password' = '-',
                'table-name' = 'official');
              """
                .formatted(broker.bootstrapServers(), database.url(), database.user());
    ClusterSettings settings =
        ClusterSettings.slots(2)
            .withJvmFlags("-Xlog:class+load:file=" + RUN.path().resolve("loaded-%p.log"));
    try (FlinkCluster cluster = FlinkCluster.start(RUN, installed, settings, 1)) {
      finish(
          cluster,
          tables
              + statementSet("(1)", "official_kafka", "official_jdbc")
              + statementSet("(2)", "txn_kafka", "txn_jdbc")
              + statementSet("(3)", "txn_jdbc", "official_jdbc", "txn_kafka", "official_kafka"));
      assertRows("beside", 2, 3);
      assertThat(kafka.committed("official")).containsExactlyInAnyOrder("{\"n\":1}", "{\"n\":3}");
      assertThat(new PgProbe(database).rows("official")).containsExactly("(1)", "(3)");

      cluster.taskManager().stop();
      cluster.startTaskManager();
      cluster.awaitFreeSlots(2);
      finish(
          cluster,
          tables
              + statementSet("(4)", "txn_kafka", "txn_jdbc")
              + statementSet("(5)", "official_kafka", "official_jdbc")
              + """
                INSERT INTO official_jdbc SELECT 10 * n FROM txn_kafka /*+ OPTIONS(
                  'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset') */;
                """);
      assertRows("beside", 2, 3, 4);
      assertThat(new PgProbe(database).rows("official"))
          .containsExactly("(1)", "(20)", "(3)", "(30)", "(40)", "(5)");
      for (TaskManagerProcess taskManager : cluster.taskManagers()) {
        assertThat(drivers(taskManager))
            .anyMatch(line -> line.matches(".* org\\.postgresql\\..*" + driver.getFileName()))
            .anyMatch(line -> line.matches(".* dev\\.flinktxn\\..*" + JAR.getFileName()))
            .hasSize(2);
      }
    }
  }

  /** Which it has loaded, and from where. */
  private static List<String> drivers(TaskManagerProcess taskManager) throws IOException {
    Path loaded = RUN.path().resolve("loaded-" + taskManager.pid() + ".log");
    return Files.readAllLines(loaded).stream()
        .filter(line -> line.contains("org.postgresql.Driver source:"))
        .toList();
  }

  /**
   * Each job has a class loader of its own, which nothing may hold when the job has ended. Flink's
   * own cache of generated classes holds it softly; without that, what is left is a leak.
   */
  @Tag("full")
  @Test
  void byAddJarAndTwentyJobsLeaveNoClassesBehind() throws Exception {
    kafka.createTopic("added", 1);
    ClusterSettings settings =
        ClusterSettings.slots(2)
            .with("taskmanager.memory.jvm-metaspace.size", "256 mb")
            .withJvmFlags("-XX:SoftRefLRUPolicyMSPerMB=0");
    List<JvmProbe.Classes> inTaskManager = new ArrayList<>();
    List<JvmProbe.Classes> inJobManager = new ArrayList<>();
    try (FlinkCluster cluster = FlinkCluster.start(RUN, distribution, settings, 1)) {
      String addJar = "ADD JAR '" + JAR.toAbsolutePath() + "';\n";
      for (int first = 1; first <= SUBMISSIONS; first += SESSION) {
        String jobs =
            IntStream.range(first, first + SESSION)
                .mapToObj(n -> statementSet("(" + n + ")", "txn_kafka", "txn_jdbc"))
                .collect(Collectors.joining());
        finish(cluster, addJar + tables("added") + jobs);
        boolean middle = first > 1 && first + SESSION <= SUBMISSIONS;
        if (!middle) {
          inTaskManager.add(afterTheLastThread(new JvmProbe(cluster.taskManager().pid())));
          inJobManager.add(afterTheLastThread(new JvmProbe(cluster.jobManagerPid())));
        }
      }
      System.out.println("TaskManager after 5 and 20 jobs: " + inTaskManager);
      System.out.println("JobManager after 5 and 20 jobs: " + inJobManager);
      assertFlat(inTaskManager);
      assertFlat(inJobManager);
      assertRows("added", IntStream.rangeClosed(1, SUBMISSIONS).toArray());
    }
  }

  /** The driver's cleaning thread goes on for half a minute when there is nothing left to clean. */
  private static JvmProbe.Classes afterTheLastThread(JvmProbe jvm) {
    try {
      return Await.value(
          "at most one class loader of an ended job",
          Duration.ofSeconds(40),
          () -> Optional.of(jvm.classes()).filter(found -> found.jobClassLoaders() <= 1));
    } catch (Await.GaveUpException e) {
      return jvm.classes();
    }
  }

  private static void assertFlat(List<JvmProbe.Classes> counted) {
    JvmProbe.Classes first = counted.get(0);
    JvmProbe.Classes last = counted.get(counted.size() - 1);
    assertThat(last.jobClassLoaders())
        .as("class loaders of ended jobs: %s", counted)
        .isLessThanOrEqualTo(1);
    assertThat(last.metaspaceKib() - first.metaspaceKib())
        .as("growth of the metaspace in KiB: %s", counted)
        .isLessThan(GROWTH_KIB);
  }

  /** Runs the script to the end of its last job. */
  private static SqlResult finish(FlinkCluster cluster, String script) {
    SqlResult result = cluster.sqlClient().run(script, LIMIT);
    assertThat(result.succeeded()).as(result.output()).isTrue();
    assertThat(cluster.rest().jobs()).isNotEmpty().allMatch(job -> job.state().equals("FINISHED"));
    return result;
  }

  private void assertRows(String topic, int... expected) throws Exception {
    assertThat(kafka.committed(topic))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.of(expected).mapToObj(n -> "{\"n\":" + n + "}").toList());
    assertThat(new PgProbe(database).rows("txn"))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.of(expected).mapToObj(n -> "(" + n + ")").toList());
  }

  /** What a session begins with: tables of this project's connectors. */
  private String tables(String topic) {
    return """
        SET 'table.dml-sync' = 'true';
        SET 'execution.checkpointing.interval' = '1 s';
        CREATE TABLE txn_kafka (n INT) WITH (
          'connector' = 'txn-kafka', 'topic' = '%1$s', 'format' = 'json',
          'properties.bootstrap.servers' = '%2$s', 'sink.transactional-id-prefix' = '%1$s');
        CREATE TABLE txn_jdbc (n INT) WITH (
          'connector' = 'txn-jdbc', 'url' = '%3$s', 'username' = '%4$s', 'table-name' = 'txn',
          'sink.transactional-id-prefix' = '%1$s-pg');
        """
        .formatted(topic, broker.bootstrapServers(), database.url(), database.user());
  }

  private static String statementSet(String values, String... tables) {
    StringBuilder statement = new StringBuilder("EXECUTE STATEMENT SET BEGIN\n");
    for (String table : tables) {
      statement
          .append("INSERT INTO ")
          .append(table)
          .append(" VALUES ")
          .append(values)
          .append(";\n");
    }
    return statement.append("END;\n").toString();
  }
}
