// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.postgresql.Driver;

/**
 * One task's connection to PostgreSQL: opened when it is needed, asked after idling whether it
 * still stands, and thrown away after any trouble. Nothing of a session is relied on beyond one
 * transaction, so a proxy may pool transactions. Used by the task thread.
 */
public final class Database implements AutoCloseable {

  /** A connection that was used this recently is trusted. */
  private static final Duration TRUSTED = Duration.ofSeconds(10);

  private static final int VALIDATION_SECONDS = 5;

  private static final String APPLICATION = "flink-connector-txn";

  /** The server cuts names of applications here. */
  private static final int LONGEST_APPLICATION = 63;

  private static final Driver DRIVER = driver();

  private final String table;
  private final String url;
  private final Properties properties = new Properties();
  private Connection connection;
  private long usedNanos;

  /**
   * A database that is not connected to yet.
   *
   * @param answers how long the server may take for one answer
   */
  Database(JdbcTarget target, Duration answers) {
    this(target.table(), target.url(), named(target), answers);
  }

  /** A session says which prefix it works for, so that others see who is alive. */
  private static Map<String, String> named(JdbcTarget target) {
    Map<String, String> properties = new HashMap<>(target.properties());
    if (target.prefix() != null) {
      properties.putIfAbsent("ApplicationName", application(target.prefix()));
    }
    return properties;
  }

  /** The {@code application_name} of sessions that work for a prefix, unless the user names it. */
  static String application(String prefix) {
    String name = APPLICATION + " " + prefix;
    return name.substring(0, Math.min(name.length(), LONGEST_APPLICATION));
  }

  /** The same for those who have no target. */
  Database(String table, JdbcAddress address, Duration answers) {
    this(table, address.url(), address.properties(), answers);
  }

  /**
   * The same for those who have no table either.
   *
   * @param given what the driver is given, secrets among it
   */
  public Database(String table, String url, Map<String, String> given, Duration answers) {
    this.table = table;
    this.url = url;
    long seconds = answers.plusSeconds(10).toSeconds();
    properties.putAll(
        Map.of(
            "ApplicationName",
            APPLICATION,
            "connectTimeout",
            "10",
            "socketTimeout",
            Long.toString(seconds),
            "tcpKeepAlive",
            "true",
            // Prepared statements with names would outlive the transaction.
            "prepareThreshold",
            "0",
            "socketFactory",
            InterruptibleSockets.class.getName()));
    properties.putAll(given);
  }

  /**
   * The driver's class registers itself for the whole JVM when it is loaded; this sink asks it
   * directly. Where others had it registered before, it stays.
   */
  private static Driver driver() {
    boolean others = DriverManager.drivers().anyMatch(Driver.class::isInstance);
    Driver driver = new Driver();
    try {
      if (!others && Driver.isRegistered()) {
        Driver.deregister();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return driver;
  }

  /** The connection, in auto-commit mode unless the caller's transaction is under way. */
  public Connection connection() throws SQLException {
    if (connection != null
        && System.nanoTime() - usedNanos > TRUSTED.toNanos()
        && !connection.isValid(VALIDATION_SECONDS)) {
      drop();
    }
    if (connection == null) {
      connection = DRIVER.connect(url, properties);
      if (connection == null) {
        throw new SQLException(
            "Table " + table + ": the PostgreSQL driver does not take the option 'url'");
      }
    }
    usedNanos = System.nanoTime();
    return connection;
  }

  /** Begins a transaction with the next statement. */
  public Connection begin() throws SQLException {
    Connection current = connection();
    current.setAutoCommit(false);
    return current;
  }

  /**
   * The statements that a transaction begins with: bounds in time, and what the protocol relies on
   * whatever the role's defaults are. The horizon has to be read after the entry, so each statement
   * sees what is committed by then; and what was acknowledged has to outlive a crash.
   */
  static String limits(Duration limit) {
    return limits(limit, limit);
  }

  /**
   * The same for those who tell a wait for a lock from other delays: {@code locks} has to be the
   * shorter one, or the server reports the end of the statement's time instead.
   */
  static String limits(Duration limit, Duration locks) {
    return "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SELECT set_config('synchronous_commit',"
        + " 'on', true) WHERE current_setting('synchronous_commit') = 'off';"
        + " SET LOCAL statement_timeout = "
        + limit.toMillis()
        + "; SET LOCAL idle_in_transaction_session_timeout = "
        + limit.toMillis()
        + "; SET LOCAL lock_timeout = "
        + locks.toMillis();
  }

  /** Commits; when this throws, nobody knows whether it took effect. */
  public void commit() throws SQLException {
    connection.commit();
    connection.setAutoCommit(true);
  }

  /** Gives the transaction up. */
  public void rollback() throws SQLException {
    connection.rollback();
    connection.setAutoCommit(true);
  }

  /** Throws the connection away, and with it what is under way on it. */
  public void drop() {
    if (connection != null) {
      try {
        // Not close(): that would first say good-bye to a server that may not answer.
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        // It is gone either way.
      }
      connection = null;
    }
  }

  @Override
  public void close() {
    drop();
  }
}
