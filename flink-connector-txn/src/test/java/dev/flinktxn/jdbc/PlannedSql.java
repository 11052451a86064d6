// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.fixture.SqlPlanner;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.table.api.TableEnvironment;

/** A session that plans INSERTs into {@code txn-jdbc} tables, without a cluster and a database. */
final class PlannedSql {

  static final String COLUMNS = "id BIGINT, name STRING";
  static final String KEYED = COLUMNS + ", PRIMARY KEY (id) NOT ENFORCED";
  static final String APPENDS = "INSERT INTO orders SELECT * FROM endless";
  static final String UPDATES = "INSERT INTO orders SELECT id, MAX(name) FROM endless GROUP BY id";

  private final SqlPlanner planner;

  private PlannedSql(SqlPlanner planner) {
    this.planner = planner;
  }

  /** A streaming session with a checkpoint each minute and {@code settings} on top. */
  static PlannedSql streaming(String... settings) {
    return withoutCheckpoints(
        Stream.concat(Stream.of("execution.checkpointing.interval", "1 min"), Stream.of(settings))
            .toArray(String[]::new));
  }

  static PlannedSql withoutCheckpoints(String... settings) {
    return new PlannedSql(SqlPlanner.with(settings));
  }

  static PlannedSql batch() {
    return withoutCheckpoints("execution.runtime-mode", "BATCH");
  }

  /** The options of an ordinary table, changed by {@code changes}; a null value removes one. */
  static Map<String, String> options(String... changes) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("connector", "txn-jdbc");
    options.put("url", "jdbc:postgresql://127.0.0.1:1/shop");
    options.put("table-name", "sales.orders");
    options.put("sink.transactional-id-prefix", "orders");
    return SqlPlanner.changed(options, changes);
  }

  /** Declares {@code orders} without a key. */
  PlannedSql table(String... changes) {
    return declare("orders", COLUMNS, changes);
  }

  /** Declares {@code orders} with a key. */
  PlannedSql keyed(String... changes) {
    return declare("orders", KEYED, changes);
  }

  PlannedSql declare(String name, String columns, String... changes) {
    planner.declare(name, columns, options(changes));
    return this;
  }

  String plan(String statement) {
    return planner.plan(statement);
  }

  String refusal(String statement) {
    return planner.refusal(statement);
  }

  TableEnvironment tables() {
    return planner.tables();
  }
}
