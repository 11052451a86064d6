// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.fixture.PostgresDatabase;
import dev.flinktxn.fixture.SqlPlanner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** A SQL session with a catalog {@code pg} of its own, which is the current one. */
final class CatalogSql {

  private final TableEnvironment tables;

  private CatalogSql(TableEnvironment tables) {
    this.tables = tables;
  }

  /** A session; {@code options} of the catalog are names and values in turn, null to remove one. */
  static CatalogSql of(PostgresDatabase database, String... options) {
    Configuration configuration = new Configuration();
    configuration.setString("execution.checkpointing.interval", "10 min");
    configuration.setString("parallelism.default", "1");
    CatalogSql session =
        new CatalogSql(
            TableEnvironment.create(
                EnvironmentSettings.newInstance().withConfiguration(configuration).build()));
    Map<String, String> all = new LinkedHashMap<>();
    all.put("type", "txn");
    all.put("url", database.url());
    all.put("username", database.user());
    all.put("sink.transactional-id-prefix", "cat");
    session.run(
        SqlPlanner.changed(all, options).entrySet().stream()
            .map(option -> "'" + option.getKey() + "' = '" + option.getValue() + "'")
            .collect(Collectors.joining(", ", "CREATE CATALOG pg WITH (", ")")));
    return session.run("USE CATALOG pg");
  }

  TableEnvironment tables() {
    return tables;
  }

  /** Runs a statement that is done at once. */
  CatalogSql run(String statement) {
    tables.executeSql(statement);
    return this;
  }

  /** Runs an INSERT to its end. */
  CatalogSql insert(String statement) throws Exception {
    tables.executeSql(statement).await(90, TimeUnit.SECONDS);
    return this;
  }

  /** The answer of a SHOW or DESCRIBE, each row as text. */
  List<String> show(String statement) throws Exception {
    List<String> rows = new ArrayList<>();
    try (CloseableIterator<Row> answer = tables.executeSql(statement).collect()) {
      answer.forEachRemaining(row -> rows.add(row.toString()));
    }
    return rows;
  }

  /** Names, types and nullability of a table's columns: {@code id INT NOT NULL}. */
  List<String> columns(String table) throws Exception {
    List<String> columns = new ArrayList<>();
    try (CloseableIterator<Row> answer = tables.executeSql("DESCRIBE " + table).collect()) {
      answer.forEachRemaining(
          row ->
              columns.add(
                  row.getField(0)
                      + " "
                      + row.getField(1)
                      + (Boolean.TRUE.equals(row.getField(2)) ? "" : " NOT NULL")));
    }
    return columns;
  }
}
