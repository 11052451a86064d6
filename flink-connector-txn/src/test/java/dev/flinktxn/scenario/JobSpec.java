// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.test.util.MiniClusterPipelineExecutorServiceLoader;
import org.apache.flink.types.Row;

/**
 * One INSERT into the sink under test, as a user writes it. Changed step by step, started as often
 * as a test likes: {@code start()} twice is a resubmission.
 */
final class JobSpec {

  /** Longer than any test: checkpoints come when the test asks for them. */
  static final Duration ON_REQUEST = Duration.ofMinutes(5);

  private final Scenario scenario;
  private final Target target;
  private final String destination;
  private final String prefix;
  private final Configuration configuration = new Configuration();
  private final Map<String, String> sinkOptions = new LinkedHashMap<>();
  private final List<Flow> also = new ArrayList<>();
  private String columns = Rows.COLUMNS;
  private String source;
  private Numbers numbers;
  private String query = "SELECT id, name, qty FROM src";
  private UnaryOperator<DataStream<Row>> between;
  private String afterwards = "SELECT id, name, qty FROM passed";
  private boolean batch;
  private int parallelism = 1;

  JobSpec(Scenario scenario, Target target, String destination, String prefix) {
    this.scenario = scenario;
    this.target = target;
    this.destination = destination;
    this.prefix = prefix;
    with("execution.checkpointing.interval", ON_REQUEST.toMillis() + " ms");
    // Or the first checkpoint comes at once: its delay is random, and after a restart this pause.
    with("execution.checkpointing.min-pause", ON_REQUEST.toMillis() + " ms");
    with("execution.checkpointing.timeout", "1 min");
    with("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    with("execution.checkpointing.dir", scenario.directory("checkpoints").toUri().toString());
    with("restart-strategy.type", "none");
  }

  JobSpec from(Drip drip) {
    source =
        String.format(
            "WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'json',"
                + " 'source.monitor-interval' = '50 ms')",
            drip.directory().toUri());
    return this;
  }

  JobSpec from(Numbers source) {
    numbers = source;
    return this;
  }

  JobSpec query(String select) {
    query = select;
    return this;
  }

  /** Sends the same rows by a second INSERT of the same job somewhere else too. */
  JobSpec alsoInto(Flow other) {
    also.add(other);
    return this;
  }

  /** Puts an operator between the query and the sink, to fail or to be slow there. */
  JobSpec through(UnaryOperator<DataStream<Row>> operator) {
    between = operator;
    return this;
  }

  /** What the sinks get of the rows of that operator, which are called {@code passed}. */
  JobSpec afterwards(String select) {
    afterwards = select;
    return this;
  }

  JobSpec parallelism(int subtasks) {
    parallelism = subtasks;
    return this;
  }

  JobSpec checkpointEvery(Duration interval) {
    return with("execution.checkpointing.interval", interval.toMillis() + " ms")
        .without("execution.checkpointing.min-pause");
  }

  JobSpec withoutCheckpoints() {
    return without("execution.checkpointing.interval").without("execution.checkpointing.min-pause");
  }

  /** What Flink does unless told otherwise: checkpoints in the job manager's memory. */
  JobSpec defaultCheckpointStorage() {
    return without("execution.checkpointing.dir");
  }

  /** Other columns than the usual ones, for source and sink. */
  JobSpec columns(String declaration) {
    columns = declaration;
    return this;
  }

  /** Restarts as often as needed, soon. */
  JobSpec restarting() {
    return with("restart-strategy.type", "fixed-delay")
        .with("restart-strategy.fixed-delay.attempts", "100")
        .with("restart-strategy.fixed-delay.delay", "500 ms");
  }

  JobSpec restoring(String path) {
    return with("execution.state-recovery.path", path);
  }

  JobSpec chained(boolean chained) {
    return with("pipeline.operator-chaining.enabled", String.valueOf(chained));
  }

  JobSpec batch() {
    batch = true;
    return this;
  }

  JobSpec with(String key, String value) {
    configuration.setString(key, value);
    return this;
  }

  private JobSpec without(String key) {
    configuration.removeKey(key);
    return this;
  }

  JobSpec sinkOption(String key, String value) {
    sinkOptions.put(key, value);
    return this;
  }

  /** Submits the job and waits until it runs. */
  RunningJob start() throws Exception {
    return submit().awaitRunning();
  }

  /** Submits the job. */
  RunningJob submit() throws Exception {
    StreamExecutionEnvironment environment =
        new StreamExecutionEnvironment(
            new MiniClusterPipelineExecutorServiceLoader(scenario.flink().cluster()),
            MiniClusterPipelineExecutorServiceLoader.updateConfigurationForMiniCluster(
                new Configuration(configuration), List.of(), List.of()),
            JobSpec.class.getClassLoader());
    environment.setParallelism(parallelism);
    StreamTableEnvironment tables =
        StreamTableEnvironment.create(
            environment,
            batch ? EnvironmentSettings.inBatchMode() : EnvironmentSettings.inStreamingMode());
    if (numbers != null) {
      tables.createTemporaryView("src", numbers.in(environment));
    } else if (source != null) {
      tables.executeSql("CREATE TEMPORARY TABLE src (" + columns + ") " + source);
    }
    String rows = query;
    if (between != null) {
      DataStream<Row> stream = tables.toDataStream(tables.sqlQuery(query));
      tables.createTemporaryView("passed", between.apply(stream));
      rows = afterwards;
    }
    StreamStatementSet inserts = tables.createStatementSet();
    List<Map<String, String>> sinks = new ArrayList<>(target.sinks(destination, prefix));
    for (Flow other : also) {
      sinks.addAll(other.target().sinks(other.destination(), other.prefix()));
    }
    for (int i = 0; i < sinks.size(); i++) {
      addInsert(tables, inserts, i == 0 ? "snk" : "snk" + (i + 1), sinks.get(i), rows);
    }
    JobClient client = inserts.execute().getJobClient().orElseThrow();
    return scenario.started(
        new RunningJob(
            scenario.flink(),
            client.getJobID(),
            scenario.directory("savepoints").toUri().toString()),
        destination);
  }

  private void addInsert(
      StreamTableEnvironment tables,
      StreamStatementSet inserts,
      String table,
      Map<String, String> options,
      String rows) {
    options.putAll(sinkOptions);
    tables.executeSql(
        options.entrySet().stream()
            .map(option -> String.format("'%s' = '%s'", option.getKey(), option.getValue()))
            .collect(
                Collectors.joining(
                    ", ", "CREATE TEMPORARY TABLE " + table + " (" + columns + ") WITH (", ")")));
    inserts.addInsertSql("INSERT INTO " + table + " " + rows);
  }
}
