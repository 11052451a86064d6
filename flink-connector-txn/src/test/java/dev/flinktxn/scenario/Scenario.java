// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import dev.flinktxn.fixture.KafkaFaults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * One test's share of the laboratory: topics or tables, jobs, directories. At its end every job is
 * ended, and nothing may be left behind: no open transaction, no staging table, no blocked reader,
 * no thread, no session.
 */
final class Scenario {

  private final Laboratory laboratory;
  private final Path directory;
  private final String unique = UUID.randomUUID().toString().substring(0, 8);
  private final List<RunningJob> jobs = new ArrayList<>();
  private final Map<String, List<RunningJob>> writers = new HashMap<>();
  private final Map<TargetKind, Target> targets = new EnumMap<>(TargetKind.class);
  private final Set<String> prefixes = new LinkedHashSet<>();
  private TargetKind kind = TargetKind.TV2;

  Scenario(Laboratory laboratory, Path directory) {
    this.laboratory = laboratory;
    this.directory = directory;
  }

  /** Chooses where what is made from now on writes to; otherwise it is a TV2 broker. */
  Scenario on(TargetKind chosen) {
    kind = chosen;
    return this;
  }

  FlinkLab flink() {
    return laboratory.flink();
  }

  Target target() {
    return targets.computeIfAbsent(kind, laboratory::target);
  }

  PostgresTables postgres() {
    return (PostgresTables) target();
  }

  RelayedBroker broker() {
    return laboratory.broker(kind);
  }

  BrokerView kafka() {
    return broker().view();
  }

  KafkaFaults kafkaFaults() {
    return broker().faults();
  }

  ClientThreads threads() {
    return laboratory.threads();
  }

  /** A new topic or table of this test for the usual columns. */
  String destination(String name, int partitions) {
    return target().create(name, partitions, Rows.COLUMNS);
  }

  /** A transactional id prefix of this test. */
  String prefix(String name) {
    String prefix = unique + "." + name;
    prefixes.add(prefix);
    return prefix;
  }

  /** A destination, a prefix and a source of the same name. */
  Flow flow(String name, int partitions) throws IOException {
    return flow(destination(name, partitions), prefix(name));
  }

  /** A source of its own for a destination. */
  Flow flow(String destination, String prefix) throws IOException {
    return new Flow(this, target(), destination, prefix, drip());
  }

  Drip drip() throws IOException {
    return new Drip(Files.createTempDirectory(directory, "drip"));
  }

  Path directory(String name) {
    try {
      return Files.createDirectories(directory.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JobSpec insertInto(String destination, String prefix) {
    return new JobSpec(this, target(), destination, prefix);
  }

  RunningJob started(RunningJob job, String destination) {
    jobs.add(job);
    writers.computeIfAbsent(destination, first -> new ArrayList<>()).add(job);
    return job;
  }

  /** The jobs that were started to write to a destination. */
  List<RunningJob> writersTo(String destination) {
    return writers.getOrDefault(destination, List.of());
  }

  /** The savepoints of this test's jobs, oldest first; incomplete ones are left out. */
  List<String> savepoints() throws IOException {
    try (Stream<Path> found = Files.list(directory("savepoints"))) {
      return found
          .filter(path -> Files.exists(path.resolve("_metadata")))
          .sorted(Comparator.comparing(path -> path.resolve("_metadata").toFile().lastModified()))
          .map(path -> path.toUri().toString())
          .toList();
    }
  }

  /** Ends the jobs that still run. */
  void endJobs() throws Exception {
    targets.values().forEach(Target::clearFaults);
    for (RunningJob job : jobs) {
      job.cancel();
    }
  }

  /** The common ending of all scenarios. */
  void assertNothingLeft() {
    targets.values().forEach(target -> target.awaitNothingLeft(prefixes));
    laboratory.threads().awaitNone();
  }

  void close() {
    targets.values().forEach(Target::close);
  }
}
