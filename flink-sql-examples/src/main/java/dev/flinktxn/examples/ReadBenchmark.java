// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresSettings;
import dev.flinktxn.fixture.RunDirectory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * Reading by {@code txn-jdbc} beside the official JDBC connector and beside bare COPY, from one
 * table on one PostgreSQL as it comes. A job that has not read all rows has no figure: it fails.
 * For one thread.
 */
final class ReadBenchmark {

  private static final int PARALLELISM = 2;
  private static final String TABLE = "benchmark_rows";

  private final BenchmarkFlink flink;
  private final Postgres postgres;
  private final long rows;

  private ReadBenchmark(BenchmarkFlink flink, Postgres postgres, long rows) {
    this.flink = flink;
    this.postgres = postgres;
    this.rows = rows;
  }

  /** Measures, and returns the last line of the run. */
  static String measure(BenchmarkOptions options, RunDirectory directory, Progress progress) {
    try (Postgres postgres = Postgres.startProcess(directory, PostgresSettings.usual());
        BenchmarkFlink flink = BenchmarkFlink.startBesideJdbc(directory, postgres, progress)) {
      ReadBenchmark benchmark = new ReadBenchmark(flink, postgres, options.rows());
      benchmark.fill();
      return new BenchmarkRounds(options.repetitions(), progress)
          .run(ReadVariant.of(options), benchmark::run)
          .result("txn-jdbc/jdbc", ReadVariant.RATIOS);
    } catch (SQLException e) {
      throw new IllegalStateException("PostgreSQL refused something", e);
    }
  }

  private void fill() throws SQLException {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE " + TABLE + " (id int8 PRIMARY KEY, name text, amount float8, flag bool)");
      statement.execute(
          "INSERT INTO %s SELECT id, left(md5(id::text), 16), random(), id %% 2 = 0 FROM"
                  .formatted(TABLE)
              + " generate_series(0, %d) id".formatted(rows - 1));
      statement.execute("VACUUM ANALYZE " + TABLE);
      statement.execute("CHECKPOINT");
    }
  }

  private BenchmarkRounds.Figure run(ReadVariant variant, String name) {
    try {
      return variant.bare() ? copy() : job(variant, name);
    } catch (SQLException e) {
      throw new IllegalStateException("PostgreSQL refused something", e);
    }
  }

  private BenchmarkRounds.Figure job(ReadVariant variant, String name) throws SQLException {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE %s (rows_read int8, ids int8, name text, amount float8, flags int8)"
              .formatted(name));
      PostgresAddress address = PostgresAddress.of(postgres);
      SqlScript script =
          SqlScript.shipped("benchmark-read.sql")
              .with("name", name)
              .with("options", variant.clause(TABLE, rows, address))
              .with("keys", String.valueOf(variant.expected(rows)))
              .with("last", String.valueOf(rows - 1))
              .with(
                  "result",
                  ReadVariant.clause(
                      Map.of("connector", "jdbc", "url", address.url(), "table-name", name)))
              .with("query", variant.query());
      BenchmarkFlink.Times times = flink.runBatch(script);
      check(statement, variant.expected(rows), name);
      statement.execute("DROP TABLE " + name);
      return figure(variant.expected(rows), (times.finished() - times.sourceStart()) / 1000.0);
    }
  }

  private static void check(Statement statement, long expected, String name) throws SQLException {
    try (ResultSet counts = statement.executeQuery("SELECT rows_read, flags FROM " + name)) {
      counts.next();
      if (counts.getLong(1) != expected || counts.getLong(2) != expected) {
        throw new IllegalStateException(
            "expected %d rows, found %d in %s".formatted(expected, counts.getLong(1), name));
      }
    }
  }

  private static BenchmarkRounds.Figure figure(long rows, double seconds) {
    return new BenchmarkRounds.Figure(
        rows / seconds, String.format(Locale.ROOT, "%d rows in %.0f ms", rows, seconds * 1_000));
  }

  private BenchmarkRounds.Figure copy() {
    ExecutorService readers = Executors.newFixedThreadPool(PARALLELISM);
    long start = System.nanoTime();
    try {
      List<Future<Long>> parts = new ArrayList<>();
      for (int reader = 0; reader < PARALLELISM; reader++) {
        int part = reader;
        parts.add(readers.submit(() -> read(part)));
      }
      long found = 0;
      for (Future<Long> part : parts) {
        found += part.get();
      }
      // Each reader gets a trailer, too.
      if (found != rows + PARALLELISM) {
        throw new IllegalStateException("expected %d rows, found %d".formatted(rows, found));
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("COPY failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      readers.shutdownNow();
    }
    return figure(rows, (System.nanoTime() - start) / 1e9);
  }

  private long read(int part) throws SQLException {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement();
        ResultSet blocks =
            statement.executeQuery(
                "SELECT pg_relation_size('%s') / current_setting('block_size')::int"
                    .formatted(TABLE))) {
      blocks.next();
      long middle = blocks.getLong(1) / PARALLELISM;
      CopyOut copy =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyOut(
                  "COPY (SELECT * FROM %s WHERE ctid %s '(%d,0)') TO STDOUT (FORMAT binary)"
                      .formatted(TABLE, part == 0 ? "<" : ">=", middle));
      long messages = 0;
      while (copy.readFromCopy() != null) {
        messages++;
      }
      return messages;
    }
  }
}
