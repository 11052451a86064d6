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
 * One INSERT, or one for each of several sinks in the same job, as a user writes it for the SQL
 * client. Started as often as a test likes: a second start with {@link #restoring} is a
 * resubmission.
 */
final class ProcessInsert {

  private static final Duration CLIENT_LIMIT = Duration.ofSeconds(120);
  private static final Duration RUNNING_LIMIT = Duration.ofSeconds(60);
  private static final String COLUMNS = "id INT, name STRING, qty INT";

  private final ProcessLab lab;
  private final List<ProcessSink> sinks = new ArrayList<>();
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final Map<String, String> sinkOptions = new LinkedHashMap<>();
  private final List<String> tables = new ArrayList<>();
  private final List<String> queries = new ArrayList<>();
  private int keys;

  ProcessInsert(ProcessLab lab, ProcessSink sink) {
    this.lab = lab;
    sinks.add(sink);
    // Longer than any test: checkpoints come when the test asks for them. Without the pause, Flink
    // takes one as soon as all tasks run.
    set("execution.checkpointing.interval", "10 min");
    set("execution.checkpointing.min-pause", "10 min");
    set("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
  }

  /** Sends the same rows by a second INSERT of the same job somewhere else too. */
  ProcessInsert alsoInto(ProcessSink other) {
    sinks.add(other);
    return this;
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

  /** Reads rows that stand in the statement: {@code (1, 'a', 1), ...}. */
  ProcessInsert fromValues(String values) {
    queries.add("SELECT * FROM (VALUES " + values + ") AS v (id, name, qty)");
    return this;
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

  /** Writes, instead of the rows, by id how many there are whose ids leave the same remainder. */
  ProcessInsert countingBy(int divisor) {
    keys = divisor;
    return this;
  }

  ProcessInsert sinkOption(String key, String value) {
    sinkOptions.put(key, value);
    return this;
  }

  /** The prefix of the first sink. */
  String prefix() {
    return sinks.get(0).prefix();
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
    return lab.submitted(new ProcessJob(lab, result.jobId(), List.copyOf(sinks)));
  }

  private String script() {
    List<String> lines = new ArrayList<>();
    settings.forEach((key, value) -> lines.add(String.format("SET '%s' = '%s';", key, value)));
    lines.addAll(tables);
    List<String> inserts = new ArrayList<>();
    for (int i = 0; i < sinks.size(); i++) {
      String columns = keys == 0 ? COLUMNS : COLUMNS + ", PRIMARY KEY (id) NOT ENFORCED";
      lines.add(String.format("CREATE TABLE snk%d (%s) WITH (%s);", i, columns, options(i)));
      inserts.add(String.format("INSERT INTO snk%d %s;", i, query()));
    }
    String all = String.join("\n", inserts);
    lines.add(sinks.size() == 1 ? all : "EXECUTE STATEMENT SET BEGIN\n" + all + "\nEND;");
    return String.join("\n", lines);
  }

  private String query() {
    String rows = String.join(" UNION ALL ", queries);
    return keys == 0
        ? rows
        : String.format(
            "SELECT MOD(id, %d), MAX(name), CAST(COUNT(*) AS INT) FROM (%s) AS r (id, name, qty)"
                + " GROUP BY MOD(id, %d)",
            keys, rows, keys);
  }

  private String options(int sink) {
    Map<String, String> options = new LinkedHashMap<>(sinks.get(sink).options());
    options.putAll(sinkOptions);
    return options.entrySet().stream()
        .map(option -> String.format("'%s' = '%s'", option.getKey(), option.getValue()))
        .collect(Collectors.joining(", "));
  }
}
