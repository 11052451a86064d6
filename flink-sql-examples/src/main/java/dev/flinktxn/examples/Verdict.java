// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.util.Locale;
import java.util.stream.Stream;

/**
 * How the results of a run differ from what they should be.
 *
 * @param windows the hourly delays in the topic
 * @param rows the delayed flights in PostgreSQL
 * @param statistics the hourly statistics in PostgreSQL
 */
record Verdict(
    Comparison<HourlyDelay> windows, Comparison<Flight> rows, Comparison<HourlyDelay> statistics) {

  int lost() {
    return all().mapToInt(result -> result.lost().size()).sum();
  }

  int duplicated() {
    return all().mapToInt(result -> result.duplicated().size()).sum();
  }

  /** Whether every row is there, once, and no other. */
  boolean exact() {
    return lost() == 0 && duplicated() == 0;
  }

  private Stream<Comparison<?>> all() {
    return Stream.of(windows, rows, statistics);
  }

  /** The last line of a run. */
  String line(String guarantee) {
    return String.format(
        Locale.ROOT,
        "RESULT %s windows=%d rows=%d lost=%d duplicated=%d",
        guarantee,
        windows.expected(),
        rows.expected(),
        lost(),
        duplicated());
  }
}
