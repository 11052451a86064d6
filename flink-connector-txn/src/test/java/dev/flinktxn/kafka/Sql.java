// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.SqlPlanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.table.api.TableEnvironment;

/** Plans statements with the real planner, without a cluster. */
final class Sql {

  private final SqlPlanner planner;

  private Sql(SqlPlanner planner) {
    this.planner = planner;
  }

  /** A session of the caller's making. */
  static Sql of(TableEnvironment tables) {
    return new Sql(SqlPlanner.of(tables));
  }

  /** A streaming session with a checkpoint each minute and {@code settings} on top. */
  static Sql streaming(String... settings) {
    return new Sql(
        SqlPlanner.with(
            Stream.concat(
                    Stream.of("execution.checkpointing.interval", "1 min"), Stream.of(settings))
                .toArray(String[]::new)));
  }

  /** A streaming session without checkpoints. */
  static Sql withoutCheckpoints(String... settings) {
    return new Sql(SqlPlanner.with(settings));
  }

  /** A batch session. */
  static Sql batch() {
    return new Sql(SqlPlanner.with("execution.runtime-mode", "BATCH"));
  }

  /** The options of an ordinary table, changed by {@code changes}; a null value removes one. */
  static Map<String, String> options(String... changes) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("connector", "txn-kafka");
    options.put("topic", "orders");
    options.put("properties.bootstrap.servers", "127.0.0.1:1");
    options.put("format", "json");
    options.put("sink.transactional-id-prefix", "orders");
    return SqlPlanner.changed(options, changes);
  }

  /** Adds the official Kafka connector's jar, as the build laid it out. */
  Sql withOfficialConnector() throws IOException {
    try (Stream<Path> jars = Files.list(Distribution.locate().root().resolve("connectors"))) {
      Path official =
          jars.filter(jar -> jar.getFileName().toString().startsWith("flink-sql-connector-kafka"))
              .findFirst()
              .orElseThrow();
      tables().executeSql("ADD JAR '" + official + "'");
    }
    return this;
  }

  /** Declares table {@code orders (id, name)} with the changed options. */
  Sql table(String... changes) {
    return declare("orders", "id BIGINT, name STRING", changes);
  }

  Sql declare(String name, String columns, String... changes) {
    planner.declare(name, columns, options(changes));
    return this;
  }

  /** Plans {@code statement}, down to the graph of the job. */
  String plan(String statement) {
    return planner.plan(statement);
  }

  /** Plans an INSERT of endless rows into {@code orders}. */
  String plan() {
    return plan("INSERT INTO orders SELECT * FROM endless");
  }

  TableEnvironment tables() {
    return planner.tables();
  }

  /** Why an INSERT of endless rows into {@code orders} is refused. */
  String refusal() {
    return refusal("INSERT INTO orders SELECT * FROM endless");
  }

  /** Why {@code statement} is refused: the words a user of the SQL client sees. */
  String refusal(String statement) {
    return planner.refusal(statement);
  }

  /** The innermost message of {@code thrown}, which has to be a refusal. */
  static String reason(Throwable thrown) {
    return SqlPlanner.reason(thrown);
  }
}
