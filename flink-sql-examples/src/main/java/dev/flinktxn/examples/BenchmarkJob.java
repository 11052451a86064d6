// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.FlinkCluster;
import dev.flinktxn.fixture.Json;
import dev.flinktxn.fixture.KafkaProbe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Runs one job after another on an otherwise idle cluster and measures each. A job that restarted
 * or did not write every row once, visible to all readers, has no figure: it fails. For one thread.
 */
final class BenchmarkJob {

  private static final Duration SUBMIT_LIMIT = Duration.ofSeconds(90);
  private static final Duration JOB_LIMIT = Duration.ofMinutes(5);

  private final FlinkCluster flink;
  private final KafkaProbe kafka;
  private final String bootstrapServers;
  private final long rows;

  BenchmarkJob(FlinkCluster flink, KafkaProbe kafka, String bootstrapServers, long rows) {
    this.flink = flink;
    this.kafka = kafka;
    this.bootstrapServers = bootstrapServers;
    this.rows = rows;
  }

  /**
   * How long a job took.
   *
   * @param writing ms from the first source task running to the broker having the last row
   * @param whole ms from the job running to its end, with deployment and the last checkpoint
   * @param checkpoints how many completed
   * @param bytes the length of the rows in the topic
   */
  record Figure(long rows, long writing, long whole, long checkpoints, long bytes) {

    double rowsPerSecond() {
      return rows * 1000.0 / writing;
    }
  }

  Figure run(BenchmarkVariant variant, String topic) {
    kafka.createTopic(topic, 2);
    Figure figure = run(topic, variant.clause(topic, bootstrapServers));
    delete(topic);
    return figure;
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

  private Figure run(String topic, String options) {
    String script =
        SqlScript.shipped("benchmark.sql")
            .with("name", topic)
            .with("rows", String.valueOf(rows))
            .with("options", options)
            .complete();
    String job = flink.sqlClient().run(script, SUBMIT_LIMIT).jobId();
    flink.awaitState(job, "FINISHED", JOB_LIMIT);
    flink.awaitFreeSlots(2);
    List<String> exceptions = flink.rest().exceptions(job);
    if (!exceptions.isEmpty()) {
      throw new IllegalStateException("the job restarted: " + exceptions.get(0));
    }
    WrittenRows written = written(topic);
    Json stamps = flink.rest().get("/jobs/" + job).get("timestamps");
    return new Figure(
        rows,
        written.last() - sourceStart(job),
        stamps.get("FINISHED").number() - stamps.get("RUNNING").number(),
        flink.rest().checkpoints(job).completed(),
        written.bytes());
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

  /** When the first task of the source had initialised itself and began, in ms since 1970. */
  private long sourceStart(String job) {
    String source =
        flink.rest().get("/jobs/" + job).get("vertices").items().stream()
            .filter(vertex -> vertex.get("name").text().startsWith("Source"))
            .findFirst()
            .orElseThrow()
            .get("id")
            .text();
    return flink
        .rest()
        .get("/jobs/" + job + "/vertices/" + source + "/subtasktimes")
        .get("subtasks")
        .items()
        .stream()
        .mapToLong(task -> task.get("timestamps").get("RUNNING").number())
        .min()
        .orElseThrow();
  }
}
