// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.catchThrowable;

import dev.flinktxn.fixture.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.ExplainDetail;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;

/** Plans statements with the real planner, without a cluster. */
final class Sql {

  private final TableEnvironment tables;

  private Sql(TableEnvironment tables) {
    this.tables = tables;
    tables.executeSql(
        "CREATE TABLE endless (id BIGINT, name STRING) WITH ('connector' = 'datagen')");
    tables.executeSql(
        "CREATE TABLE ending (id BIGINT, name STRING)"
            + " WITH ('connector' = 'datagen', 'number-of-rows' = '3')");
  }

  /** A session of the caller's making. */
  static Sql of(TableEnvironment tables) {
    return new Sql(tables);
  }

  private static Sql of(Configuration configuration) {
    return new Sql(
        TableEnvironment.create(
            EnvironmentSettings.newInstance().withConfiguration(configuration).build()));
  }

  /** A streaming session with a checkpoint each minute and {@code settings} on top. */
  static Sql streaming(String... settings) {
    Configuration configuration = new Configuration();
    configuration.setString("execution.checkpointing.interval", "1 min");
    return of(with(configuration, settings));
  }

  /** A streaming session without checkpoints. */
  static Sql withoutCheckpoints(String... settings) {
    return of(with(new Configuration(), settings));
  }

  /** A batch session. */
  static Sql batch() {
    return of(with(new Configuration(), "execution.runtime-mode", "BATCH"));
  }

  private static Configuration with(Configuration configuration, String... settings) {
    for (int i = 0; i < settings.length; i += 2) {
      configuration.setString(settings[i], settings[i + 1]);
    }
    return configuration;
  }

  /** The options of an ordinary table, changed by {@code changes}; a null value removes one. */
  static Map<String, String> options(String... changes) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("connector", "txn-kafka");
    options.put("topic", "orders");
    options.put("properties.bootstrap.servers", "127.0.0.1:1");
    options.put("format", "json");
    options.put("sink.transactional-id-prefix", "orders");
    for (int i = 0; i < changes.length; i += 2) {
      if (changes[i + 1] == null) {
        options.remove(changes[i]);
      } else {
        options.put(changes[i], changes[i + 1]);
      }
    }
    return options;
  }

  /** Adds the official Kafka connector's jar, as the build laid it out. */
  Sql withOfficialConnector() throws IOException {
    try (Stream<Path> jars = Files.list(Distribution.locate().root().resolve("connectors"))) {
      Path official =
          jars.filter(jar -> jar.getFileName().toString().startsWith("flink-sql-connector-kafka"))
              .findFirst()
              .orElseThrow();
      tables.executeSql("ADD JAR '" + official + "'");
    }
    return this;
  }

  /** Declares table {@code orders (id, name)} with the changed options. */
  Sql table(String... changes) {
    return declare("orders", "id BIGINT, name STRING", changes);
  }

  Sql declare(String name, String columns, String... changes) {
    String options =
        options(changes).entrySet().stream()
            .map(option -> "'" + option.getKey() + "' = '" + option.getValue() + "'")
            .collect(Collectors.joining(", "));
    tables.executeSql("CREATE TABLE " + name + " (" + columns + ") WITH (" + options + ")");
    return this;
  }

  /** Plans {@code statement}, down to the graph of the job. */
  String plan(String statement) {
    return tables.explainSql(statement, ExplainDetail.JSON_EXECUTION_PLAN);
  }

  /** Plans an INSERT of endless rows into {@code orders}. */
  String plan() {
    return plan("INSERT INTO orders SELECT * FROM endless");
  }

  TableEnvironment tables() {
    return tables;
  }

  /** Why an INSERT of endless rows into {@code orders} is refused. */
  String refusal() {
    return refusal("INSERT INTO orders SELECT * FROM endless");
  }

  /** Why {@code statement} is refused: the words a user of the SQL client sees. */
  String refusal(String statement) {
    return reason(catchThrowable(() -> plan(statement)));
  }

  /** The innermost message of {@code thrown}, which has to be a refusal. */
  static String reason(Throwable thrown) {
    if (thrown == null) {
      throw new AssertionError("The statement was not refused");
    }
    Throwable innermost = thrown;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    if (!(innermost instanceof ValidationException)) {
      throw new AssertionError("Not a refusal", thrown);
    }
    return innermost.getMessage();
  }
}
