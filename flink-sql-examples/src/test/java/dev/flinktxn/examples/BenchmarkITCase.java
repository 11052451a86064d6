// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmark as its user starts it, with few rows: that it works, not how fast. */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class BenchmarkITCase {

  @TempDir private Path logs;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BENCHMARK txn-kafka/kafka exactly-once=# at-least-once=#",
        "BENCHMARK txn-jdbc/jdbc inline=# staged=# at-least-once=# new-keys=# existing-keys=#",
        "BENCHMARK txn-jdbc/jdbc scan-to-copy=# scan=# lookup=# lookup-one-by-one=#"
      })
  void everyVariantMovesAllRowsAndGetsAFigure(String lastLine) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dconnector.jar=" + System.getProperty("connector.jar"),
                "-Dfixture.logs=" + logs,
                "-cp",
                System.getProperty("java.class.path"),
                Benchmark.class.getName(),
                "--rows",
                "10000",
                "--repetitions",
                "1"));
    if (lastLine.contains("scan")) {
      command.add("--read");
    } else if (lastLine.contains("jdbc")) {
      command.add("--jdbc");
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      List<String> lines = output.lines().toList();

      assertThat(lines.get(lines.size() - 1))
          .as(output)
          .matches(lastLine.replace("#", "[0-9]+\\.[0-9]{2}"));
      assertThat(process.waitFor()).isZero();
      assertThat(logs).as("leaves nothing behind").isEmptyDirectory();
    } finally {
      process.destroy();
    }
  }
}
