// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.BrokerProcess;
import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import dev.flinktxn.fixture.PostgresSettings;
import dev.flinktxn.fixture.RunDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The quickstart as its user starts it: a JVM of its own, judged by output and exit code. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class QuickstartITCase {

  private static final String EXACT =
      "RESULT exactly-once windows=17473 rows=4349 lost=0 duplicated=0";

  @TempDir private Path logs;

  private record Run(int exitCode, List<String> lines) {
    String lastLine() {
      return lines.get(lines.size() - 1);
    }

    String text() {
      return String.join("\n", lines);
    }
  }

  private Run quickstart(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dconnector.jar=" + System.getProperty("connector.jar"),
                "-Dfixture.logs=" + logs,
                "-cp",
                System.getProperty("java.class.path"),
                QuickstartMain.class.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Run(process.waitFor(), output.lines().toList());
    } finally {
      process.destroy();
    }
  }

  @Test
  void everyRowIsThereOnceAlthoughTheTaskManagerIsKilledInACheckpoint() throws Exception {
    Run run = quickstart();

    assertThat(run.lastLine()).as(run.text()).isEqualTo(EXACT);
    assertThat(run.exitCode()).isZero();
    assertThat(run.text())
        .containsSubsequence("rows in", "KILL: SIGKILL", "in the middle of checkpoint")
        .containsSubsequence("KILL", "RECOVERED from checkpoint", "All flights sent", "origin")
        .contains("Starting PostgreSQL", "delayed flights in PostgreSQL");
    assertThat(logs).as("leaves nothing behind").isEmptyDirectory();
  }

  @Test
  @Tag("full")
  void withoutTheCommitProtocolTheCheckFails() throws Exception {
    Run run = quickstart("--sink-guarantee", "at-least-once");

    assertThat(run.lastLine())
        .as(run.text())
        .matches("RESULT at-least-once windows=17473 rows=4349 lost=0 duplicated=[1-9][0-9]*");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(logs).as("keeps its logs").isNotEmptyDirectory();
  }

  @Test
  @Tag("full")
  void runsOnTheServersOfTheUserAndLeavesNothingOfItsOwnThere() throws Exception {
    try (RunDirectory directory = RunDirectory.create("users-servers");
        BrokerProcess broker =
            BrokerProcess.start(directory, Distribution.locate(), BrokerSettings.usual());
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
        Postgres postgres = Postgres.startProcess(directory, PostgresSettings.usual());
        PostgresDatabase database = postgres.database()) {
      Run run =
          quickstart(
              "--bootstrap-servers",
              broker.bootstrapServers(),
              "--jdbc-url",
              database.url() + "?user=" + database.user(),
              "--jdbc-password",
              "not/asked+for");

      assertThat(run.lastLine()).as(run.text()).isEqualTo(EXACT);
      assertThat(run.exitCode()).isZero();
      assertThat(run.text())
          .contains("No broker is started", "Topics deleted")
          .contains("No PostgreSQL is started", "Tables deleted")
          .doesNotContain("asked");
      assertThat(admin.listTopics().names().get(10, TimeUnit.SECONDS)).isEmpty();
      assertThat(database.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
          .isEmpty();
      assertThat(database.query("SELECT id::text FROM flink_txn.staging")).isEmpty();
    }
  }

  @Test
  void aClusterThatDoesNotAnswerIsNamed() throws Exception {
    Run run = quickstart("--bootstrap-servers", "127.0.0.1:1");

    assertThat(run.text()).contains("FAILED: the Kafka cluster at 127.0.0.1:1 did not create");
    assertThat(run.lastLine()).startsWith("No result; logs: ");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(Files.isDirectory(Path.of(run.lastLine().substring("No result; logs: ".length()))))
        .isTrue();
  }

  @Test
  void aDatabaseThatDoesNotAnswerIsNamedWithoutItsPassword() throws Exception {
    Run run = quickstart("--jdbc-url", "jdbc:postgresql://127.0.0.1:1/d?user=me&password=secret");

    assertThat(run.text())
        .contains("FAILED: PostgreSQL at jdbc:postgresql://127.0.0.1:1/d did not accept")
        .doesNotContain("secret");
    assertThat(run.lastLine()).startsWith("No result; logs: ");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void helpExplainsTheOptionsAndStartsNothing() throws Exception {
    Run run = quickstart("--help");

    assertThat(run.text()).contains("--bootstrap-servers", "--jdbc-url", "--sink-guarantee");
    assertThat(run.exitCode()).isZero();
    assertThat(logs).isEmptyDirectory();
  }
}
