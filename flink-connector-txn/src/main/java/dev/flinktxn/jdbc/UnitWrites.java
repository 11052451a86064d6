// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a writer does to the database before the barrier. Used by the task thread. */
final class UnitWrites {

  private final JdbcTarget target;
  private final TargetTable table;
  private final RowEncoder encoder;
  private final Database database;
  private final WriteMetrics metrics;
  private final Staging staging;

  UnitWrites(
      JdbcTarget target,
      TargetTable table,
      RowEncoder encoder,
      Database database,
      WriteMetrics metrics) {
    this.target = target;
    this.table = table;
    this.encoder = encoder;
    this.database = database;
    this.metrics = metrics;
    this.staging = new Staging(target.schema());
  }

  private interface Work {
    void run(Connection connection) throws SQLException, IOException;
  }

  /** Sends rows to the staging table of a unit, which is created with the first of them. */
  void stage(UnitTransaction transaction, Unit header, Unit.Rows rows, boolean first)
      throws IOException, InterruptedException {
    String table = staging.table(transaction.id());
    inTransaction(
        rows,
        true,
        connection -> {
          if (first) {
            staging.create(
                connection,
                transaction.id(),
                target.prefix(),
                transaction.name().toString(),
                this.table);
          }
          copy(connection, header, table, rows);
        });
  }

  /**
   * Finds what the target would refuse of a unit, as far as that can be known before the commit:
   * values and constraints the server has to judge, and under {@code fail} keys that exist.
   */
  void check(Unit unit) throws IOException, InterruptedException {
    boolean keys = target.onExistingKey() == OnExistingKey.FAIL && !table.uniqueKeys().isEmpty();
    if (unit.kind() == Unit.Kind.STAGED) {
      if (keys) {
        inTransaction(
            unit.rows(), false, connection -> checkKeys(connection, staging.table(unit.id())));
      }
    } else if (keys || table.checked() || !encoder.proven()) {
      inTransaction(
          unit.rows(),
          false,
          connection -> {
            Staging.createChecking(connection, table);
            copy(connection, unit, Staging.TEMPORARY, unit.rows());
            if (keys) {
              checkKeys(connection, Staging.TEMPORARY);
            }
          });
    }
  }

  /** Moves a unit into the target, in a transaction that is prepared and not committed. */
  void prepare(UnitTransaction transaction, Unit unit) throws IOException, InterruptedException {
    inTransaction(
        unit.rows(),
        true,
        connection -> {
          new Ledger(target.schema()).enter(connection, unit, transaction.name());
          try {
            UnitMove.move(connection, unit, target.onExistingKey());
          } catch (UnitMove.IncompleteException e) {
            throw new IOException("Table " + target.table() + ": " + e.getMessage(), e);
          }
          Prepared.prepare(connection, Prepared.gid(transaction.name(), unit.id()));
        });
  }

  private void copy(Connection connection, Unit unit, String into, Unit.Rows rows)
      throws SQLException {
    Copy.send(
        connection,
        Copy.into(into, unit.encodedColumns(), unit.format()),
        unit.format(),
        rows.bytes(),
        rows.offset(),
        rows.length());
  }

  private void checkKeys(Connection connection, String source)
      throws SQLException, RefusedException {
    for (List<String> key : table.uniqueKeys()) {
      String columns = SqlNames.list(key);
      refuseFirst(
          connection,
          key,
          "SELECT "
              + columns
              + " FROM "
              + source
              + key.stream()
                  .map(column -> SqlNames.quoted(column) + " IS NOT NULL")
                  .collect(Collectors.joining(" AND ", " WHERE ", ""))
              + " GROUP BY "
              + columns
              + " HAVING count(*) > 1 LIMIT 1",
          "comes twice within one checkpoint");
      refuseFirst(
          connection,
          key,
          "SELECT "
              + columns
              + " FROM "
              + source
              + " JOIN "
              + table.quoted()
              + " target USING ("
              + columns
              + ") LIMIT 1",
          "exists already");
    }
  }

  private void refuseFirst(Connection connection, List<String> key, String sql, String what)
      throws SQLException, RefusedException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      if (rows.next()) {
        String values =
            IntStream.rangeClosed(1, key.size())
                .mapToObj(column -> text(rows, column))
                .collect(Collectors.joining(", "));
        throw new RefusedException(
            String.format(
                "Table %s: key (%s) = (%s) %s in %s, and option 'sink.on-existing-key' is 'fail';"
                    + " set it to 'ignore' or 'update', or remove the row.",
                target.table(), String.join(", ", key), values, what, table.quoted()));
      }
    }
  }

  private static String text(ResultSet rows, int column) {
    try {
      return rows.getString(column);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void inTransaction(Unit.Rows rows, boolean commits, Work work)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    try {
      Connection connection = database.begin();
      try (PreparedStatement limits =
          connection.prepareStatement(Database.limits(target.transactionTimeout()))) {
        limits.execute();
      }
      work.run(connection);
      if (commits) {
        database.commit();
      } else {
        database.rollback();
      }
      metrics.sentSince(start);
    } catch (SQLException e) {
      database.drop();
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException("Interrupted while writing to PostgreSQL");
      }
      metrics.refused();
      throw failure(rows, e);
    } catch (IOException e) {
      database.drop();
      throw e;
    }
  }

  private IOException failure(Unit.Rows rows, SQLException e) {
    // A staging table that somebody took away is made anew by the next attempt.
    if (Trouble.passes(e) || Trouble.is(e, Trouble.UNDEFINED_TABLE)) {
      return new IOException(
          String.format(
              "Table %s: rows could not be written to %s: %s. The job restarts and writes them"
                  + " again.",
              target.table(), target.describe(), Trouble.words(e)),
          e);
    }
    if (target.strategy() == CommitStrategy.PREPARED
        && Trouble.is(e, Trouble.FEATURE_NOT_SUPPORTED)) {
      return new RefusedException(
          String.format(
              "Table %s: rows for %s cannot be prepared: %s. A trigger of that table does what a"
                  + " prepared transaction may not; set 'sink.commit-strategy' to 'ledger'.",
              target.table(), table.quoted(), Trouble.words(e)),
          e);
    }
    long line = Trouble.copyLine(e);
    String row =
        line > 0
            ? encoder.nameOf(rows.bytes(), rows.offset(), rows.length(), line)
            : "a row of this checkpoint";
    return new RefusedException(
        String.format(
            "Table %s: %s refused %s: %s. Nothing of this checkpoint is visible; correct the row"
                + " or the column's type.",
            target.table(), table.quoted(), row, Trouble.words(e)),
        e);
  }
}
