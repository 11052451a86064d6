// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import dev.flinktxn.fixture.SqlResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One INSERT into {@code txn-kafka}, as a user writes it for the SQL client. Started as often as a
 * test likes: a second start with {@link #restoring} is a resubmission.
 */
final class ProcessInsert {

  private static final Duration CLIENT_LIMIT = Duration.ofSeconds(120);
  private static final Duration RUNNING_LIMIT = Duration.ofSeconds(60);
  private static final String COLUMNS = "id INT, name STRING, qty INT";

  private final ProcessLab lab;
  private final ProcessBroker broker;
  private final String topic;
  private final String prefix;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final Map<String, String> sinkOptions = new LinkedHashMap<>();
  private final List<String> tables = new ArrayList<>();
  private final List<String> queries = new ArrayList<>();

  ProcessInsert(ProcessLab lab, ProcessBroker broker, String topic, String prefix) {
    this.lab = lab;
    this.broker = broker;
    this.topic = topic;
    this.prefix = prefix;
    // Longer than any test: checkpoints come when the test asks for them. Without the pause, Flink
    // takes one as soon as all tasks run.
    set("execution.checkpointing.interval", "10 min");
    set("execution.checkpointing.min-pause", "10 min");
    set("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    sinkOptions.put("connector", "txn-kafka");
    sinkOptions.put("topic", topic);
    sinkOptions.put("properties.bootstrap.servers", broker.bootstrapServers());
    sinkOptions.put("format", "json");
    sinkOptions.put("sink.transactional-id-prefix", prefix);
  }

  /** Reads the files of {@code drip}, for ever. */
  ProcessInsert from(Drip drip) {
    return from(
        String.format(
            "'connector' = 'filesystem', 'path' = '%s', 'format' = 'json',"
                + " 'source.monitor-interval' = '100 ms'",
            drip.directory().toUri()));
  }

  /** Reads rows with the ids 1 to {@code last}, the source being part of the task itself. */
  ProcessInsert fromSequence(int last, int rowsPerSecond) {
    return from(
        String.format(
            "'connector' = 'datagen', 'rows-per-second' = '%d', 'fields.id.kind' = 'sequence',"
                + " 'fields.id.start' = '1', 'fields.id.end' = '%d', 'fields.name.length' = '1',"
                + " 'fields.qty.min' = '1', 'fields.qty.max' = '1'",
            rowsPerSecond, last),
        "id, 'n', 1");
  }

  private ProcessInsert from(String with) {
    return from(with, "id, name, qty");
  }

  private ProcessInsert from(String with, String columns) {
    String table = "src" + tables.size();
    tables.add(String.format("CREATE TABLE %s (%s) WITH (%s);", table, COLUMNS, with));
    queries.add("SELECT " + columns + " FROM " + table);
    return this;
  }

  ProcessInsert set(String key, String value) {
    settings.put(key, value);
    return this;
  }

  ProcessInsert checkpointEvery(Duration interval) {
    return set("execution.checkpointing.interval", interval.toMillis() + " ms")
        .set("execution.checkpointing.min-pause", "0 ms");
  }

  ProcessInsert parallelism(int subtasks) {
    return set("parallelism.default", String.valueOf(subtasks));
  }

  ProcessInsert unchained() {
    return set("pipeline.operator-chaining.enabled", "false");
  }

  ProcessInsert restoring(String checkpoint) {
    return set("execution.state-recovery.path", checkpoint);
  }

  ProcessInsert sinkOption(String key, String value) {
    sinkOptions.put(key, value);
    return this;
  }

  String topic() {
    return topic;
  }

  String prefix() {
    return prefix;
  }

  /** Submits the job with the SQL client and returns when all its tasks run. */
  ProcessJob start() {
    ProcessJob job = submit();
    lab.cluster().awaitRunning(job.id(), RUNNING_LIMIT);
    return job;
  }

  /** Submits the job with the SQL client. */
  ProcessJob submit() {
    SqlResult result = lab.sqlClient().run(script(), CLIENT_LIMIT);
    return lab.submitted(new ProcessJob(lab, result.jobId(), broker, topic, prefix));
  }

  private String script() {
    List<String> lines = new ArrayList<>();
    settings.forEach((key, value) -> lines.add(String.format("SET '%s' = '%s';", key, value)));
    lines.addAll(tables);
    lines.add(
        sinkOptions.entrySet().stream()
            .map(option -> String.format("'%s' = '%s'", option.getKey(), option.getValue()))
            .collect(Collectors.joining(", ", "CREATE TABLE snk (" + COLUMNS + ") WITH (", ");")));
    lines.add("INSERT INTO snk " + String.join(" UNION ALL ", queries) + ";");
    return String.join("\n", lines);
  }
}
