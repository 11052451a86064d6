// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresSettings;
import dev.flinktxn.fixture.RunDirectory;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * {@code txn-jdbc} beside the official JDBC connector and beside bare COPY, on one PostgreSQL with
 * fsync and synchronous_commit on and otherwise as it comes. A job whose rows are not all there
 * when it has ended has no figure: it fails. For one thread.
 */
final class JdbcBenchmark {

  private static final int PARALLELISM = 2;
  private static final String KEY = ",\n  PRIMARY KEY (id) NOT ENFORCED";
  private static final String FILLED = "filled";

  private final BenchmarkFlink flink;
  private final Postgres postgres;
  private final long rows;

  private JdbcBenchmark(BenchmarkFlink flink, Postgres postgres, long rows) {
    this.flink = flink;
    this.postgres = postgres;
    this.rows = rows;
  }

  /** Measures, and returns the last line of the run. */
  static String measure(BenchmarkOptions options, RunDirectory directory, Progress progress) {
    try (Postgres postgres = Postgres.startProcess(directory, PostgresSettings.usual());
        BenchmarkFlink flink = BenchmarkFlink.startBesideJdbc(directory, postgres, progress)) {
      JdbcBenchmark benchmark = new JdbcBenchmark(flink, postgres, options.rows());
      return new BenchmarkRounds(options.repetitions(), progress)
          .run(JdbcVariant.of(options), benchmark::run)
          .result("txn-jdbc/jdbc", JdbcVariant.RATIOS);
    }
  }

  private BenchmarkRounds.Figure run(JdbcVariant variant, String table) {
    try (Connection connection = postgres.connect()) {
      prepare(connection, variant.load(), table);
      BenchmarkRounds.Figure figure =
          variant.bare()
              ? copy(variant.way() == JdbcVariant.Way.COPY_BINARY, table)
              : job(variant, table);
      check(connection, variant.load(), table);
      execute(connection, "DROP TABLE " + table);
      return figure;
    } catch (SQLException e) {
      throw new IllegalStateException("PostgreSQL refused something", e);
    }
  }

  private void prepare(Connection connection, JdbcVariant.Load load, String table)
      throws SQLException {
    execute(
        connection,
        "CREATE TABLE "
            + table
            + " (id int8, name text, amount float8, flag bool"
            + (load == JdbcVariant.Load.APPEND ? ")" : ", PRIMARY KEY (id))"));
    if (load == JdbcVariant.Load.EXISTING_KEYS) {
      execute(
          connection,
          "INSERT INTO %s SELECT id, '%s', 0, false FROM generate_series(0, %d) id"
              .formatted(table, FILLED, rows - 1));
      execute(connection, "VACUUM ANALYZE " + table);
    }
    // What the last one left to write must not slow this one down.
    execute(connection, "CHECKPOINT");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private BenchmarkRounds.Figure job(JdbcVariant variant, String table) {
    boolean existing = variant.load() == JdbcVariant.Load.EXISTING_KEYS;
    String ids =
        existing ? ",\n  'fields.id.min' = '0',\n  'fields.id.max' = '" + (rows - 1) + "'" : "";
    SqlScript script =
        SqlScript.shipped("benchmark.sql")
            .with("name", table)
            .with("rows", String.valueOf(rows))
            .with("key", variant.load() == JdbcVariant.Load.APPEND ? "" : KEY)
            .with("ids", ids)
            .with("options", variant.clause(table, PostgresAddress.of(postgres)));
    BenchmarkFlink.Times times = flink.run(script);
    long whole = times.finished() - times.sourceStart();
    String details =
        String.format(
            Locale.ROOT, "%d rows in %d ms, %d checkpoints", rows, whole, times.checkpoints());
    return new BenchmarkRounds.Figure(rows * 1000.0 / whole, details);
  }

  private BenchmarkRounds.Figure copy(boolean binary, String table) {
    CopyLoop loop = new CopyLoop(table, binary);
    ExecutorService writers = Executors.newFixedThreadPool(PARALLELISM);
    long start = System.nanoTime();
    try {
      List<Future<?>> parts = new ArrayList<>();
      for (int writer = 0; writer < PARALLELISM; writer++) {
        long part = rows * (writer + 1) / PARALLELISM - rows * writer / PARALLELISM;
        parts.add(writers.submit(() -> write(loop, part)));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("COPY failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      writers.shutdownNow();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return new BenchmarkRounds.Figure(
        rows / seconds, String.format(Locale.ROOT, "%d rows in %.0f ms", rows, seconds * 1_000));
  }

  private Void write(CopyLoop loop, long part) throws SQLException, IOException {
    try (Connection connection = postgres.connect()) {
      loop.write(connection, part);
      return null;
    }
  }

  private void check(Connection connection, JdbcVariant.Load load, String table)
      throws SQLException {
    long found = count(connection, table);
    if (found != rows) {
      throw new IllegalStateException(
          "expected " + rows + " rows, found " + found + " in " + table);
    }
    if (load == JdbcVariant.Load.EXISTING_KEYS) {
      // Of n keys, n random choices leave one in e out.
      double expected = rows * (1 - 1 / Math.E);
      long changed = count(connection, table + " WHERE name <> '" + FILLED + "'");
      if (Math.abs(changed - expected) > 2 * Math.sqrt(rows)) {
        throw new IllegalStateException(
            "expected about %.0f changed rows, found %d in %s".formatted(expected, changed, table));
      }
    }
  }

  private static long count(Connection connection, String from) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery("SELECT count(*) FROM " + from)) {
      answer.next();
      return answer.getLong(1);
    }
  }
}
