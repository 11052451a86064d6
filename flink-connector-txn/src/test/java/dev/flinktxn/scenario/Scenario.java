// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

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

  KafkaProbe kafka() {
    return broker().probe();
  }

  RequestRelay relay() {
    return broker().relay();
  }

  /** A new topic of this test. */
  String topic(String name, int partitions) throws Exception {
    String topic = name + "." + unique;
    kafka().createTopic(topic, partitions);
    topics.add(topic);
    return topic;
  }

  /** A transactional id prefix of this test. */
  String prefix(String name) {
    String prefix = name + "." + unique;
    prefixes.add(prefix);
    return prefix;
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

  /** Ends the jobs that still run. */
  void endJobs() throws Exception {
    relay().restore();
    for (RunningJob job : jobs) {
      job.cancel();
    }
  }

  /** The common ending of all scenarios. */
  void assertNothingLeft() {
    for (String prefix : prefixes) {
      await()
          .atMost(Duration.ofSeconds(10))
          .pollInterval(Duration.ofMillis(50))
          .untilAsserted(
              () ->
                  assertThat(kafka().openTransactions(SinkUnderTest.idsOf(prefix)))
                      .as("open transactions of %s", prefix)
                      .isEmpty());
    }
    topics.forEach(kafka()::awaitNothingBlocks);
    ClientThreads.awaitNone();
  }
}
