// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * The tables of one run in PostgreSQL. Every method fails after 15 seconds without an answer. For
 * one thread.
 */
final class FlightTables implements AutoCloseable {

  private final PostgresAddress address;
  private final Connection connection;
  private final String delayedFlights;
  private final String hourlyStatistics;

  FlightTables(PostgresAddress address, String run) {
    this.address = address;
    this.delayedFlights = "delayed_flights_" + run;
    this.hourlyStatistics = "hourly_statistics_" + run;
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", "15");
    properties.setProperty("socketTimeout", "15");
    this.connection =
        answer("accept a connection", () -> DriverManager.getConnection(address.url(), properties));
  }

  private interface Question<T> {
    T ask() throws SQLException;
  }

  private interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** The name of the table that rows are appended to. */
  String delayedFlights() {
    return delayedFlights;
  }

  /** The name of the table whose rows are inserted and updated by key. */
  String hourlyStatistics() {
    return hourlyStatistics;
  }

  /** Creates both. The one without a key takes a row twice when it is written twice. */
  void create() {
    execute(
        "CREATE TABLE "
            + delayedFlights
            + " (departure timestamp, delay int, distance int, origin text, destination text)");
    execute(
        "CREATE TABLE "
            + hourlyStatistics
            + " (airport text, window_start timestamp, flights bigint, avg_delay double precision,"
            + " worst_delay int, PRIMARY KEY (airport, window_start))");
  }

  void drop() {
    execute("DROP TABLE " + delayedFlights + ", " + hourlyStatistics);
  }

  private void execute(String sql) {
    answer(
        "carry out " + sql,
        () -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
          }
        });
  }

  /** How many rows of delayed flights anybody can see. */
  int delayedFlightCount() {
    return query("SELECT count(*) FROM " + delayedFlights, row -> row.getInt(1)).get(0);
  }

  /** How many hours and airports anybody can see. */
  int statisticCount() {
    return query("SELECT count(*) FROM " + hourlyStatistics, row -> row.getInt(1)).get(0);
  }

  /** Every row that anybody can see. */
  List<Flight> readDelayedFlights() {
    return query(
        "SELECT departure, delay, distance, origin, destination FROM " + delayedFlights,
        row ->
            new Flight(
                row.getObject(1, LocalDateTime.class),
                row.getInt(2),
                row.getInt(3),
                row.getString(4),
                row.getString(5)));
  }

  /** Every row that anybody can see. */
  List<HourlyDelay> readStatistics() {
    return query(
        "SELECT window_start, airport, flights, avg_delay, worst_delay FROM " + hourlyStatistics,
        row ->
            new HourlyDelay(
                row.getObject(1, LocalDateTime.class),
                row.getString(2),
                row.getLong(3),
                row.getDouble(4),
                row.getInt(5)));
  }

  private <T> List<T> query(String sql, RowReader<T> reader) {
    return answer(
        "answer " + sql,
        () -> {
          List<T> answer = new ArrayList<>();
          try (Statement statement = connection.createStatement();
              ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
              answer.add(reader.read(rows));
            }
          }
          return answer;
        });
  }

  private <T> T answer(String what, Question<T> question) {
    try {
      return question.ask();
    } catch (SQLException e) {
      throw new IllegalStateException("PostgreSQL at " + address + " did not " + what, e);
    }
  }

  @Override
  public void close() {
    answer(
        "close a connection",
        () -> {
          connection.close();
          return null;
        });
  }
}
