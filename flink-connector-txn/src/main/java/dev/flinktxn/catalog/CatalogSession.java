// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.jdbc.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.apache.flink.table.catalog.exceptions.CatalogException;

/**
 * A catalog's connection. What is asked is asked in one snapshot, what is changed is changed in one
 * transaction. Safe for use by several threads, one at a time.
 */
final class CatalogSession implements AutoCloseable {

  /** What is done with a connection, within one transaction. */
  @FunctionalInterface
  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private static final Duration ANSWERS = Duration.ofSeconds(30);

  /** A change may rewrite a table. */
  private static final Duration CHANGES = Duration.ofHours(1);

  private static final String ONE_SNAPSHOT =
      "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY";

  /** What others created while this waited for a lock has to be seen. */
  private static final String CHANGE =
      "SET TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = '10s'";

  private final CatalogSettings settings;
  private final Database database;

  CatalogSession(CatalogSettings settings) {
    this.settings = settings;
    this.database =
        new Database(settings.name(), settings.url().address(), settings.driver(), ANSWERS);
  }

  /** Asks; tries once more if the connection turns out to be broken. */
  synchronized <T> T read(Work<T> work) {
    try {
      try {
        return run(ONE_SNAPSHOT, ANSWERS, work);
      } catch (SQLException e) {
        if (!SqlStates.isConnectionLost(e)) {
          throw e;
        }
        return run(ONE_SNAPSHOT, ANSWERS, work);
      }
    } catch (SQLException e) {
      throw failure("cannot read from " + settings.url(), e);
    }
  }

  /**
   * Changes.
   *
   * @throws SQLException if the database refuses; nothing is changed then
   * @throws CatalogException if nobody knows whether it is changed
   */
  synchronized <T> T write(Work<T> work) throws SQLException {
    return run(CHANGE, CHANGES, work);
  }

  private <T> T run(String begin, Duration limit, Work<T> work) throws SQLException {
    boolean committing = false;
    boolean finished = false;
    try {
      Connection connection = database.begin();
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(limit.toMillis()));
      try (Statement statement = connection.createStatement()) {
        statement.execute(begin);
      }
      T answer = work.on(connection);
      committing = true;
      database.commit();
      finished = true;
      return answer;
    } catch (SQLException e) {
      if (committing && SqlStates.isConnectionLost(e)) {
        throw failure(
            "the connection broke while a change was committed; look whether it took effect, and"
                + " repeat the statement if not",
            e);
      }
      throw e;
    } finally {
      if (!finished) {
        giveUp();
      }
    }
  }

  private void giveUp() {
    try {
      database.rollback();
    } catch (SQLException | RuntimeException e) {
      database.drop();
    }
  }

  /** An exception for what the database refused. */
  CatalogException failure(String what, SQLException cause) {
    return new CatalogException(
        "Catalog %s: %s: %s".formatted(settings.name(), what, cause.getMessage()), cause);
  }

  @Override
  public synchronized void close() {
    database.close();
  }
}
