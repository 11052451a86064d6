// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import dev.flinktxn.fixture.KafkaFaults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * One test's share of the laboratory: a topic, jobs, directories. At its end every job is ended,
 * and nothing may be left behind: no open transaction, no blocked reader, no thread.
 */
final class Scenario {

  private final Laboratory laboratory;
  private final Path directory;
  private final String unique = UUID.randomUUID().toString().substring(0, 8);
  private final List<RunningJob> jobs = new ArrayList<>();
  private final Set<String> topics = new LinkedHashSet<>();
  private final Set<String> prefixes = new LinkedHashSet<>();
  private BrokerKind kind = BrokerKind.TV2;

  Scenario(Laboratory laboratory, Path directory) {
    this.laboratory = laboratory;
    this.directory = directory;
  }

  /** Chooses the broker; otherwise it is a TV2 broker. */
  Scenario on(BrokerKind chosen) {
    kind = chosen;
    return this;
  }

  FlinkLab flink() {
    return laboratory.flink();
  }

  RelayedBroker broker() {
    return laboratory.broker(kind);
  }

  BrokerView kafka() {
    return broker().view();
  }

  KafkaFaults faults() {
    return broker().faults();
  }

  ClientThreads threads() {
    return laboratory.threads();
  }

  /** A new topic of this test. */
  String topic(String name, int partitions) {
    String topic = unique + "." + name;
    kafka().probe().createTopic(topic, partitions);
    topics.add(topic);
    return topic;
  }

  /** A transactional id prefix of this test. */
  String prefix(String name) {
    String prefix = unique + "." + name;
    prefixes.add(prefix);
    return prefix;
  }

  /** A topic, a prefix and a source of the same name. */
  Flow flow(String name, int partitions) throws IOException {
    return new Flow(this, topic(name, partitions), prefix(name), drip());
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

  JobSpec insertInto(String topic, String prefix) {
    return new JobSpec(this, topic, prefix);
  }

  RunningJob started(RunningJob job) {
    jobs.add(job);
    return job;
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
    faults().clear();
    for (RunningJob job : jobs) {
      job.cancel();
    }
  }

  /** The common ending of all scenarios. */
  void assertNothingLeft() {
    prefixes.forEach(prefix -> kafka().awaitNoOpenTransactions(SinkUnderTest.idsOf(prefix)));
    topics.forEach(kafka()::awaitNothingBlocks);
    laboratory.threads().awaitNone();
  }
}
