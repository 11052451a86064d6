// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.RunDirectory;
import java.io.PrintStream;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Compares the speed of this project's connectors with that of the official ones: on one server and
 * one Flink cluster, each of processes of their own with the JVM settings of a server. The exit
 * code is 0 only when every job wrote every row.
 */
public final class Benchmark {

  private final BenchmarkOptions options;
  private final RunDirectory directory;
  private final Progress progress;

  private Benchmark(BenchmarkOptions options, RunDirectory directory, Progress progress) {
    this.options = options;
    this.directory = directory;
    this.progress = progress;
  }

  /** Runs the benchmark; {@code --help} says what it does. */
  public static void main(String[] arguments) {
    System.exit(run(List.of(arguments), System.out));
  }

  private static int run(List<String> arguments, PrintStream out) {
    BenchmarkOptions options;
    try {
      options = BenchmarkOptions.parse(arguments);
    } catch (IllegalArgumentException e) {
      out.println(e.getMessage());
      return 1;
    }
    if (options.help()) {
      out.print(BenchmarkOptions.USAGE);
      return 0;
    }
    try (RunDirectory directory = RunDirectory.create("benchmark")) {
      // Before the first use of a logger: what the Kafka clients complain about goes there.
      System.setProperty("log4j2.configurationFile", "log4j2-quickstart.properties");
      System.setProperty(
          "quickstart.log", directory.directory("logs").resolve("benchmark.log").toString());
      try {
        out.println(new Benchmark(options, directory, new Progress(out)).measure());
        return 0;
      } catch (RuntimeException e) {
        directory.keepLogs();
        LoggerFactory.getLogger(Benchmark.class).error("The benchmark failed", e);
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
          out.println("FAILED: " + cause);
        }
        out.println("No result; logs: " + directory.path());
        return 1;
      }
    }
  }

  private String measure() {
    progress.say("Logs while it runs: %s", directory.path());
    if (options.reading()) {
      return ReadBenchmark.measure(options, directory, progress);
    }
    return options.jdbc()
        ? JdbcBenchmark.measure(options, directory, progress)
        : KafkaBenchmark.measure(options, directory, progress);
  }
}
