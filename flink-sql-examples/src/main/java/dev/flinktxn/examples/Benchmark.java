// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.BrokerProcess;
import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.ClusterSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.FlinkCluster;
import dev.flinktxn.fixture.KafkaProbe;
import dev.flinktxn.fixture.RunDirectory;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * Compares the speed of {@code txn-kafka} with that of the official Kafka connector, on one broker
 * and one Flink cluster, each a process with the JVM settings of a server. The exit code is 0 only
 * when every job wrote every row.
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
    Distribution distribution = withConnectorsInLib(Distribution.locate());
    progress.say("Logs while it runs: %s", directory.path());
    try (BrokerProcess broker = BrokerProcess.start(directory, distribution, broker());
        FlinkCluster flink = FlinkCluster.start(directory, distribution, flink(), 1);
        KafkaProbe kafka = new KafkaProbe(broker.bootstrapServers())) {
      progress.say(
          "Broker (process %d) and TaskManager (process %d) are up",
          broker.pid(), flink.taskManager().pid());
      return rounds(new BenchmarkJob(flink, kafka, broker.bootstrapServers(), options.rows()));
    }
  }

  private String rounds(BenchmarkJob job) {
    BenchmarkFigures figures = new BenchmarkFigures();
    List<BenchmarkVariant> variants = BenchmarkVariant.of(options);
    for (int round = 0; round <= options.repetitions(); round++) {
      for (BenchmarkVariant variant : variants) {
        String topic = "benchmark-" + variant.name().toLowerCase(Locale.ROOT) + "-" + round;
        BenchmarkJob.Figure figure = job.run(variant, topic);
        progress.say(
            "%-9s %,10.0f rows/s  %s  (%d rows of %.1f bytes in %d ms; job %d ms, %d checkpoints)",
            round == 0 ? "warm-up" : "round " + round,
            figure.rowsPerSecond(),
            variant,
            figure.rows(),
            (double) figure.bytes() / figure.rows(),
            figure.writing(),
            figure.whole(),
            figure.checkpoints());
        if (round > 0) {
          figures.add(variant, figure.rowsPerSecond());
        }
      }
    }
    progress.print("");
    progress.print("Medians");
    variants.forEach(variant -> progress.print(figures.line(variant)));
    progress.print("");
    return figures.result();
  }

  /** The rows' stamps say when they were stored; deleted topics leave the disk at once. */
  private static BrokerSettings broker() {
    return BrokerSettings.usual()
        .with("log.message.timestamp.type", "LogAppendTime")
        .with("log.segment.delete.delay.ms", "1000")
        .with("log.initial.task.delay.ms", "1000")
        .withJvmFlags(serverJvm("-Xmx1g", "-Xms1g"));
  }

  /** Memory in plenty, so that garbage collection does not decide; nobody asks for metrics. */
  private static ClusterSettings flink() {
    return ClusterSettings.slots(2)
        .with("taskmanager.memory.task.heap.size", "1536 mb")
        .with("taskmanager.memory.network.min", "64 mb")
        .with("taskmanager.memory.network.max", "64 mb")
        .with("taskmanager.memory.jvm-metaspace.size", "256 mb")
        .with("metrics.fetcher.update-interval", "60 s")
        .withJvmFlags(serverJvm());
  }

  /** The compiler and the collector of the start scripts of Flink and Kafka. */
  private static String[] serverJvm(String... more) {
    List<String> flags = List.of("-XX:TieredStopAtLevel=4", "-XX:-UseSerialGC", "-XX:+UseG1GC");
    return Stream.concat(flags.stream(), Stream.of(more)).toArray(String[]::new);
  }

  /**
   * The same with both connectors in Flink's {@code lib}. Given to a session instead, their classes
   * would be loaded, and compiled, anew for each job.
   */
  private Distribution withConnectorsInLib(Distribution distribution) {
    String connector = System.getProperty("connector.jar");
    if (connector == null) {
      throw new IllegalStateException("-Dconnector.jar must name the jar of flink-connector-txn");
    }
    Path root = directory.directory("dist");
    Path lib = directory.directory("dist/flink/lib");
    try (Stream<Path> jars = Files.list(distribution.flinkLib())) {
      for (Path jar : jars.toList()) {
        link(lib.resolve(jar.getFileName()), jar);
      }
      Path official = distribution.connector("flink-sql-connector-kafka");
      link(lib.resolve(official.getFileName()), official);
      Path txn = Path.of(connector).toRealPath();
      link(lib.resolve(txn.getFileName()), txn);
      link(root.resolve("flink/opt"), distribution.flinkOpt());
      link(root.resolve("kafka"), distribution.root().resolve("kafka"));
      return new Distribution(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void link(Path link, Path target) throws IOException {
    Files.createSymbolicLink(link, target);
  }
}
