// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.PgBouncer;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import dev.flinktxn.fixture.TcpRelay;
import dev.flinktxn.protocol.Attempt;
import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.Outcome;
import dev.flinktxn.protocol.RowTarget;
import dev.flinktxn.protocol.Sighting;
import dev.flinktxn.protocol.Transaction;
import dev.flinktxn.protocol.TransactionName;
import dev.flinktxn.protocol.WriterStore;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.TaskInfoImpl;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.metrics.groups.SinkCommitterMetricGroup;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.apache.flink.runtime.metrics.groups.InternalSinkCommitterMetricGroup;
import org.apache.flink.runtime.metrics.groups.InternalSinkWriterMetricGroup;
import org.apache.flink.runtime.metrics.groups.UnregisteredMetricGroups;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;

/**
 * A table {@code t (id int, name text)} in a database of its own, with the stores of a sink that
 * writes to it. Everything it opened is closed with it.
 */
final class JdbcRig implements AutoCloseable {

  static final RowType ROWS =
      RowType.of(
          new LogicalType[] {new IntType(), new VarCharType(VarCharType.MAX_LENGTH)},
          new String[] {"id", "name"});

  private static final AtomicInteger NUMBER = new AtomicInteger();

  final String prefix = "rig-" + NUMBER.incrementAndGet();
  final Attempt attempt = new Attempt(System.currentTimeMillis(), "0abc123z");
  final Map<String, String> properties = new HashMap<>();
  final Connection sql;
  String url;
  List<String> key = List.of();
  OnExistingKey onExistingKey = OnExistingKey.FAIL;
  CommitStrategy strategy = CommitStrategy.LEDGER;
  long inlineMaxBytes = 1 << 20;
  Duration retention = Duration.ofDays(7);
  Duration timeout = Duration.ofSeconds(20);
  private final PostgresDatabase database;
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final SinkWriterMetricGroup metrics =
      InternalSinkWriterMetricGroup.wrap(
          UnregisteredMetricGroups.createUnregisteredOperatorMetricGroup());

  private final SinkCommitterMetricGroup committerMetrics =
      InternalSinkCommitterMetricGroup.wrap(
          UnregisteredMetricGroups.createUnregisteredOperatorMetricGroup());

  /** A rig whose table was created by {@code ddl}. */
  JdbcRig(String ddl) throws SQLException {
    this(Postgres.shared(), ddl);
  }

  JdbcRig(Postgres server, String ddl) throws SQLException {
    database = server.database();
    url = database.url();
    properties.put("user", server.user());
    sql = database.connect();
    execute(ddl);
  }

  /** Lets the stores that are opened from now on reach the database through a relay. */
  void through(TcpRelay relay) {
    url = database.urlThrough(relay);
  }

  /** The same through a pool. */
  void through(PgBouncer pool) {
    url = database.urlThrough(pool);
  }

  PostgresDatabase database() {
    return database;
  }

  void execute(String statement) throws SQLException {
    try (Statement executed = sql.createStatement()) {
      executed.execute(statement);
    }
  }

  /** The first column of a query, as text. */
  List<String> query(String select) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Statement statement = sql.createStatement();
        ResultSet rows = statement.executeQuery(select)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }

  /** The rows of the table as text, sorted. */
  List<String> rows() throws SQLException {
    return query("SELECT t::text FROM t ORDER BY 1");
  }

  List<String> stagingTables() throws SQLException {
    return query("SELECT relname FROM pg_class WHERE relname LIKE 'staged\\_%' AND relkind = 'r'");
  }

  JdbcTarget target() {
    return new JdbcTarget(
        "default.t",
        url,
        Map.copyOf(properties),
        new TableName(null, "t"),
        ROWS,
        key,
        prefix,
        strategy,
        onExistingKey,
        inlineMaxBytes,
        "flink_txn",
        retention,
        5000,
        Duration.ZERO,
        timeout,
        2);
  }

  WriterStore writer() throws IOException, InterruptedException {
    return keep(new JdbcSystem(target()).openWriterStore(context(WriterInitContext.class)));
  }

  CommitterStore committer() {
    return keep(new JdbcSystem(target()).openCommitterStore(context(CommitterInitContext.class)));
  }

  RowTarget rowTarget() throws IOException, InterruptedException {
    return keep(new JdbcSystem(target()).openRowTarget(context(WriterInitContext.class)));
  }

  private <T extends AutoCloseable> T keep(T closeable) {
    opened.add(0, closeable);
    return closeable;
  }

  private <T> T context(Class<T> type) {
    TaskInfo task = new TaskInfoImpl("sink", 1, 0, 1, 0);
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getTaskInfo" -> task;
                  case "metricGroup" ->
                      type == CommitterInitContext.class ? committerMetrics : metrics;
                  default -> null;
                }));
  }

  TransactionName name(int slot) {
    return new TransactionName(prefix, attempt, 0, slot);
  }

  static RowData row(int id, String name) {
    return row(RowKind.INSERT, id, name);
  }

  static RowData row(RowKind kind, int id, String name) {
    return GenericRowData.ofKind(kind, id, StringData.fromString(name));
  }

  /** A transaction of rows, flushed, looked at and prepared, as at a barrier. */
  Committable prepare(WriterStore store, int slot, RowData... rows)
      throws IOException, InterruptedException {
    Transaction transaction = store.begin(name(slot));
    for (RowData row : rows) {
      transaction.write(row);
    }
    transaction.flush();
    assertThat(store.look(List.of(new WriterStore.Look(name(slot), transaction.handle()))))
        .containsExactly(Sighting.OPEN);
    byte[] handle = transaction.prepare();
    transaction.close();
    return new Committable(name(slot), handle, 1, 1, 1, -1);
  }

  static Sighting look(WriterStore store, Committable committable)
      throws IOException, InterruptedException {
    return store
        .look(List.of(new WriterStore.Look(committable.name(), committable.handle())))
        .get(0);
  }

  /** What a committer of its own, which knows nothing from before, comes to. */
  Outcome outcome(Committable committable) throws IOException, InterruptedException {
    return committer().commit(List.of(committable)).get(0);
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable closeable : opened) {
      closeable.close();
    }
    sql.close();
    database.close();
  }
}
