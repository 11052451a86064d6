// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.BrokerProcess;
import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.KafkaProbe;
import dev.flinktxn.fixture.RunDirectory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * {@code txn-kafka} beside the official Kafka connector, on one broker. A job that did not write
 * every row once, visible to all readers, has no figure: it fails. For one thread.
 */
final class KafkaBenchmark {

  private final BenchmarkFlink flink;
  private final KafkaProbe kafka;
  private final String bootstrapServers;
  private final long rows;

  private KafkaBenchmark(
      BenchmarkFlink flink, KafkaProbe kafka, String bootstrapServers, long rows) {
    this.flink = flink;
    this.kafka = kafka;
    this.bootstrapServers = bootstrapServers;
    this.rows = rows;
  }

  /** Measures, and returns the last line of the run. */
  static String measure(BenchmarkOptions options, RunDirectory directory, Progress progress) {
    Distribution distribution = Distribution.locate();
    try (BrokerProcess broker = BrokerProcess.start(directory, distribution, settings());
        BenchmarkFlink flink =
            BenchmarkFlink.start(directory, distribution, "flink-sql-connector-kafka");
        KafkaProbe kafka = new KafkaProbe(broker.bootstrapServers())) {
      progress.say(
          "Broker (process %d) and TaskManager (process %d) are up",
          broker.pid(), flink.taskManager());
      KafkaBenchmark benchmark =
          new KafkaBenchmark(flink, kafka, broker.bootstrapServers(), options.rows());
      return new BenchmarkRounds(options.repetitions(), progress)
          .run(KafkaVariant.of(options), benchmark::run)
          .result("txn-kafka/kafka", KafkaVariant.RATIOS);
    }
  }

  /** The rows' stamps say when they were stored; deleted topics leave the disk at once. */
  private static BrokerSettings settings() {
    return BrokerSettings.usual()
        .with("log.message.timestamp.type", "LogAppendTime")
        .with("log.segment.delete.delay.ms", "1000")
        .with("log.initial.task.delay.ms", "1000")
        .withJvmFlags(BenchmarkFlink.serverJvm("-Xmx1g", "-Xms1g"));
  }

  private BenchmarkRounds.Figure run(KafkaVariant variant, String topic) {
    kafka.createTopic(topic, 2);
    SqlScript script =
        SqlScript.shipped("benchmark.sql")
            .with("name", topic)
            .with("rows", String.valueOf(rows))
            .with("key", "")
            .with("ids", "")
            .with("options", variant.clause(topic, bootstrapServers));
    BenchmarkFlink.Times times = flink.run(script);
    WrittenRows written = written(topic);
    delete(topic);
    long writing = written.last() - times.sourceStart();
    String details =
        String.format(
            Locale.ROOT,
            "%d rows of %.1f bytes in %d ms; job %d ms, %d checkpoints",
            rows,
            (double) written.bytes() / rows,
            writing,
            times.finished() - times.running(),
            times.checkpoints());
    return new BenchmarkRounds.Figure(rows * 1000.0 / writing, details);
  }

  private WrittenRows written(String topic) {
    Map<TopicPartition, Long> stable = kafka.ends(topic, IsolationLevel.READ_COMMITTED);
    Map<TopicPartition, Long> ends = kafka.ends(topic, IsolationLevel.READ_UNCOMMITTED);
    if (!stable.equals(ends)) {
      throw new IllegalStateException("open transactions: stable " + stable + " of " + ends);
    }
    WrittenRows written = WrittenRows.read(bootstrapServers, ends);
    if (written.count() != rows) {
      throw new IllegalStateException(
          "expected " + rows + " committed rows, found " + written.count() + " in " + topic);
    }
    return written;
  }

  /** Or the disk and the page cache of the next jobs would be busy with it. */
  private void delete(String topic) {
    try {
      kafka.admin().deleteTopics(List.of(topic)).all().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the broker did not delete " + topic, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
