// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.BrokerProcess;
import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.ClusterSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.FlinkCluster;
import dev.flinktxn.fixture.KafkaProbe;
import dev.flinktxn.fixture.KeepLogsOnFailure;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import dev.flinktxn.fixture.PostgresSettings;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.SqlResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A14: in a session whose processes log at DEBUG, a secret is nowhere but in the statements which
 * the client repeats as they were typed.
 */
@Tag("full")
class SecretsProcessITCase {

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final String SECRET = "s3cr3t";

  private static final RunDirectory RUN = RunDirectory.create("secrets");

  @RegisterExtension
  static final KeepLogsOnFailure KEEP_LOGS_ON_FAILURE = new KeepLogsOnFailure(RUN);

  @AfterAll
  static void delete() {
    RUN.close();
  }

  @Test
  void aSecretIsShownByNeitherClientNorClusterNorLogs() throws Exception {
    Distribution distribution = Distribution.locate();
    try (FlinkCluster cluster =
            FlinkCluster.start(
                RUN, distribution, ClusterSettings.slots(2).withLogLevel("DEBUG"), 1);
        BrokerProcess broker = BrokerProcess.start(RUN, distribution, BrokerSettings.usual());
        KafkaProbe probe = new KafkaProbe(broker.bootstrapServers());
        Postgres server = Postgres.startProcess(RUN, PostgresSettings.usual());
        PostgresDatabase database = server.database()) {
      probe.createTopic("told", 1);
      database.execute("CREATE TABLE told (n bigint)");
      String script =
          """
          SET 'execution.checkpointing.interval' = '500 ms';
          CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '10');
          CREATE TABLE topic (n BIGINT) WITH (
            'connector' = 'txn-kafka', 'topic' = 'told', 'format' = 'json',
            'properties.bootstrap.servers' = '%s',
            'properties.sasl.jaas.config' = 'x.Login required password="%s";',
            'properties.ssl.key.password' = '%s',
            'sink.transactional-id-prefix' = 'told');
          CREATE TABLE told (n BIGINT) WITH (
            'connector' = 'txn-jdbc', 'url' = '%s?sslpassword=%s', 'table-name' = 'told',
            'username' = '%s', 'password' = '%s',
            'sink.transactional-id-prefix' = 'told-pg');
          CREATE TABLE missing (n BIGINT) WITH (
            'connector' = 'txn-jdbc', 'url' = '%s?password=%s', 'table-name' = 'missing',
            'username' = '%s', 'sink.transactional-id-prefix' = 'missing-pg');
          """
              .formatted(
                  broker.bootstrapServers(),
                  SECRET,
                  SECRET,
                  database.url(),
                  SECRET,
                  database.user(),
                  SECRET,
                  database.url(),
                  SECRET,
                  database.user());
      String inserts =
          """
          BEGIN STATEMENT SET;
          INSERT INTO topic SELECT n FROM numbers;
          INSERT INTO told SELECT n FROM numbers;
          END;
          """;
      SqlResult result =
          run(
              cluster,
              script
                  + "DESCRIBE EXTENDED told;\n"
                  + "EXPLAIN PLAN_ADVICE, JSON_EXECUTION_PLAN INSERT INTO told SELECT n FROM"
                  + " numbers;\n"
                  + "EXPLAIN STATEMENT SET BEGIN INSERT INTO topic SELECT n FROM numbers;"
                  + " INSERT INTO told SELECT n FROM numbers; END;\n"
                  + inserts
                  + "INSERT INTO missing SELECT n FROM numbers;\n");
      assertThat(result.jobIds()).as(result.output()).hasSize(2);
      String job = result.jobIds().get(0);
      Await.until(
          "rows in both",
          LIMIT,
          () ->
              !probe.committed("told").isEmpty()
                  && !database.query("SELECT n::text FROM told").isEmpty());
      cluster.awaitState(result.jobIds().get(1), "FAILED", LIMIT);

      server.process().stopImmediately();
      Await.until("a restart", LIMIT, () -> cluster.rest().restarts(job) > 0);
      server.process().restart();
      List<String> exceptions = new ArrayList<>(cluster.rest().exceptions(job));
      exceptions.addAll(cluster.rest().exceptions(result.jobIds().get(1)));
      assertThat(exceptions)
          .hasSizeGreaterThanOrEqualTo(2)
          .noneMatch(text -> text.contains(SECRET));
      cluster.awaitRunning(job, LIMIT);

      SqlResult refused = run(cluster, script.replace("'sink.trans", "'sink.tarns") + inserts);
      assertThat(refused.output()).contains("sink.tarns");
      for (String output : List.of(result.output(), refused.output())) {
        assertThat(count(output))
            .as("in what was typed, and nowhere else")
            .isEqualTo(count(script));
      }
    }
    List<Path> logs = logs();
    assertThat(logs).hasSizeGreaterThanOrEqualTo(4);
    assertThat(logs).anyMatch(log -> text(log).contains(" DEBUG "));
    assertThat(logs)
        .filteredOn(log -> !log.getFileName().toString().startsWith("sql-client"))
        .noneMatch(log -> text(log).contains(SECRET));
  }

  private static SqlResult run(FlinkCluster cluster, String script) {
    return cluster.sqlClient(Path.of(System.getProperty("connector.jar"))).run(script, LIMIT);
  }

  private static int count(String text) {
    return text.split(SECRET, -1).length - 1;
  }

  private static List<Path> logs() throws IOException {
    try (Stream<Path> files = Files.walk(RUN.path().resolve("logs"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static String text(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
