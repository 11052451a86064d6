// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.time.Duration;
import java.util.List;

/**
 * What a run has to write, from plain Java, beside what it has written so far: hourly delays into
 * the topic, delayed flights and hourly statistics into PostgreSQL. For one thread.
 */
final class Results {

  private final CommittedRows topic;
  private final FlightTables tables;
  private final List<HourlyDelay> hourlyDelays;
  private final List<Flight> delayedFlights;

  Results(CommittedRows topic, FlightTables tables, List<Flight> flights) {
    this.topic = topic;
    this.tables = tables;
    this.hourlyDelays = HourlyDelays.of(flights);
    this.delayedFlights = flights.stream().filter(Flight::isDelayed).toList();
  }

  /** How many rows are there, committed. */
  record Counts(int topic, int delayedFlights, int statistics) {}

  /** The reader of the topic. */
  CommittedRows topic() {
    return topic;
  }

  Counts counts() {
    return new Counts(topic.rows().size(), tables.delayedFlightCount(), tables.statisticCount());
  }

  /** Reads the topic on, or waits that long for more of it. */
  void read(Duration wait) {
    topic.read(wait);
  }

  /** Whether {@code counts}, just taken, leave room for every row, and none is missing. */
  boolean complete(Counts counts) {
    return counts.topic() >= hourlyDelays.size()
        && counts.delayedFlights() >= delayedFlights.size()
        && counts.statistics() >= hourlyDelays.size()
        && verdict().lost() == 0;
  }

  Verdict verdict() {
    return new Verdict(
        Comparison.of(hourlyDelays, topic.rows()),
        Comparison.of(delayedFlights, tables.readDelayedFlights()),
        Comparison.of(hourlyDelays, tables.readStatistics()));
  }
}
