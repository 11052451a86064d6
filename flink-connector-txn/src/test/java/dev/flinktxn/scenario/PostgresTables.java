// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.flinktxn.fixture.Fault;
import dev.flinktxn.fixture.PgBouncer;
import dev.flinktxn.fixture.PgFaults;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import dev.flinktxn.fixture.TcpRelay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tables of one test, in a database and behind a relay of its own. They have no key, so that
 * duplicates show.
 */
final class PostgresTables implements Target {

  private static final String LEDGER = "\"flink_txn\".\"ledger\"";
  private static final String STAGING = "\"flink_txn\".\"staging\"";

  /** What the {@code application_name} of the sink's sessions begins with. */
  static final String SINK = "flink-connector-txn";

  private static final String SESSIONS =
      " FROM pg_stat_activity WHERE datname = current_database() AND starts_with(application_name, ?)";

  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration PERIOD = Duration.ofMillis(20);

  private final TargetKind kind;
  private final PostgresDatabase database;
  private final PgFaults faults = new PgFaults();
  private final TcpRelay relay;

  private PostgresTables(TargetKind kind, Postgres server) throws IOException, SQLException {
    this.kind = kind;
    this.database = server.database();
    this.relay = TcpRelay.open(faults);
    relay.forwardTo(kind.isPooled() ? PgBouncer.shared().address() : server.address());
  }

  static PostgresTables create(TargetKind kind) {
    if (kind.isPooled()) {
      PgBouncer.assumeInstalled();
    }
    return create(kind, Postgres.shared());
  }

  static PostgresTables create(TargetKind kind, Postgres server) {
    try {
      return new PostgresTables(kind, server);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  PgFaults faults() {
    return faults;
  }

  @Override
  public TargetKind kind() {
    return kind;
  }

  @Override
  public String create(String name, int partitions, String columns) {
    execute("CREATE TABLE \"" + name + "\" (" + columns.replace("STRING", "TEXT") + ")");
    return name;
  }

  @Override
  public List<Map<String, String>> sinks(String table, String prefix) {
    return List.of(options(table, prefix));
  }

  Map<String, String> options(String table, String prefix) {
    return SinkUnderTest.options(database.urlThrough(relay), database.user(), table, prefix, kind);
  }

  @Override
  public List<String> committed(String table) {
    return query("SELECT row_to_json(t)::text FROM \"" + table + "\" t").stream().sorted().toList();
  }

  /** What is not committed yet is in the writers' memory, or encoded in staging tables. */
  @Override
  public int written(String table, List<RunningJob> writers) {
    return Math.toIntExact(writers.stream().mapToLong(job -> job.total("numRecordsSend")).sum());
  }

  @Override
  public Set<String> open(String prefix) {
    Set<String> open = new HashSet<>(transactionsIn(STAGING, prefix));
    open.addAll(
        query(
            "SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"
                + " AND starts_with(gid, ? || '~')",
            prefix));
    return open;
  }

  @Override
  public Set<String> names(String prefix) {
    Set<String> names = new HashSet<>(transactionsIn(LEDGER, prefix));
    names.addAll(transactionsIn(STAGING, prefix));
    return names;
  }

  private List<String> transactionsIn(String table, String prefix) {
    return exists(table)
        ? query("SELECT transaction FROM " + table + " WHERE prefix = ?", prefix)
        : List.of();
  }

  /** A sink creates its schema when it first runs. */
  private boolean exists(String table) {
    return query("SELECT to_regclass(?) IS NOT NULL", table).equals(List.of("t"));
  }

  @Override
  public Set<String> clients() {
    return Set.copyOf(query("SELECT pid::text" + SESSIONS, SINK));
  }

  @Override
  public Fault holdCommits(int count) {
    return faults.hold(PgFaults.commitsAfter("INSERT INTO " + LEDGER), count);
  }

  @Override
  public Fault loseCommitReplies(int count) {
    return faults.cutAfter(PgFaults.commitsAfter("INSERT INTO " + LEDGER), count);
  }

  /** Lets the next {@code count} commits take effect, and keeps their replies. */
  Fault holdCommitReplies(int count) {
    return faults.holdReply(PgFaults.commitsAfter("INSERT INTO " + LEDGER), count);
  }

  /** Closes the connections that exist now. */
  void dropConnections() {
    relay.dropConnections();
  }

  @Override
  public void clearFaults() {
    faults.clear();
  }

  @Override
  public Fault swallowCleanUp(String prefix, long open) {
    if (kind.isStaged()) {
      // A transaction's staging table comes a moment after its first row.
      await()
          .atMost(LIMIT)
          .pollInterval(PERIOD)
          .untilAsserted(() -> assertThat(open(prefix)).hasSizeGreaterThanOrEqualTo((int) open));
    }
    return faults.cutBefore(PgFaults.statement("DELETE FROM " + STAGING), 1_000);
  }

  /** Their sessions end with their tasks. */
  @Override
  public void awaitWritersGone() {}

  @Override
  public void awaitNothingLeft(Collection<String> prefixes) {
    await()
        .atMost(LIMIT)
        .pollInterval(PERIOD)
        .untilAsserted(
            () -> {
              if (kind.isPooled()) {
                assertThat(relay.connected()).as("connections").isZero();
                // Those of a direct connection would have ended with it.
                assertThat(query("SELECT state" + SESSIONS, SINK))
                    .as("sessions of the pool")
                    .hasSizeBetween(1, PgBouncer.POOL_SIZE)
                    .hasSizeLessThan(relay.accepted())
                    .containsOnly("idle");
              } else {
                assertThat(clients()).as("sessions").isEmpty();
              }
              assertNothingOpen();
            });
  }

  /** What holds of a job that runs, too, when all its rows are committed. */
  void awaitNothingOpen() {
    await().atMost(LIMIT).pollInterval(PERIOD).untilAsserted(this::assertNothingOpen);
  }

  private void assertNothingOpen() {
    assertThat(stagingTables()).as("staging tables").isEmpty();
    assertThat(exists(STAGING) ? query("SELECT s::text FROM " + STAGING + " s") : List.of())
        .as("rows in the registry of staging tables")
        .isEmpty();
    assertThat(query("SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"))
        .as("prepared transactions")
        .isEmpty();
  }

  /** The names of all staging tables there are, registered or not. */
  List<String> stagingTables() {
    return query(
        "SELECT relname::text FROM pg_class WHERE relkind = 'r' AND starts_with(relname, 'staged_')");
  }

  /** A connection of the superuser, past the relay. */
  Connection connect() {
    try {
      return database.connect();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void execute(String sql) {
    try {
      database.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first column of what a query finds, as text. */
  List<String> query(String sql, String... parameters) {
    try {
      return database.query(sql, parameters);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    relay.close();
    try {
      database.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
