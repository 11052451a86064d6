// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.BrokerProcess;
import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.Distribution;
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
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class QuickstartITCase {

  private static final String EXACT = "RESULT exactly-once windows=17473 lost=0 duplicated=0";

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
        .containsSubsequence("KILL", "RECOVERED from checkpoint", "All flights sent", "origin");
    assertThat(logs).as("leaves nothing behind").isEmptyDirectory();
  }

  @Test
  @Tag("full")
  void withoutTheCommitProtocolTheCheckFails() throws Exception {
    Run run = quickstart("--sink-guarantee", "at-least-once");

    assertThat(run.lastLine())
        .as(run.text())
        .matches("RESULT at-least-once windows=17473 lost=0 duplicated=[1-9][0-9]*");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(logs).as("keeps its logs").isNotEmptyDirectory();
  }

  @Test
  @Tag("full")
  void runsOnTheClusterOfTheUserAndLeavesNoTopicThere() throws Exception {
    try (RunDirectory directory = RunDirectory.create("users-cluster");
        BrokerProcess broker =
            BrokerProcess.start(directory, Distribution.locate(), BrokerSettings.usual());
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      Run run = quickstart("--bootstrap-servers", broker.bootstrapServers());

      assertThat(run.lastLine()).as(run.text()).isEqualTo(EXACT);
      assertThat(run.exitCode()).isZero();
      assertThat(run.text()).contains("No broker is started", "Topics deleted");
      assertThat(admin.listTopics().names().get(10, TimeUnit.SECONDS)).isEmpty();
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
  void helpExplainsTheOptionsAndStartsNothing() throws Exception {
    Run run = quickstart("--help");

    assertThat(run.text()).contains("--bootstrap-servers", "--sink-guarantee");
    assertThat(run.exitCode()).isZero();
    assertThat(logs).isEmptyDirectory();
  }
}
