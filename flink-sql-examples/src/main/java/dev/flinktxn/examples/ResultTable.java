// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The hours with the worst delays, for reading. */
final class ResultTable {

  private static final String LAYOUT = "%-16s  %-42s %7s %9s %7s";

  private ResultTable() {}

  /** A heading and a line for each of the {@code count} worst distinct rows. */
  static List<String> worst(Collection<HourlyDelay> rows, int count, Airports airports) {
    List<String> lines =
        rows.stream()
            .distinct()
            .sorted(
                Comparator.comparing(HourlyDelay::worstDelay)
                    .reversed()
                    .thenComparing(HourlyDelay::hourStart)
                    .thenComparing(HourlyDelay::origin))
            .limit(count)
            .map(row -> line(row, airports))
            .toList();
    List<String> table = new ArrayList<>();
    table.add(LAYOUT.formatted("hour", "origin", "flights", "avg delay", "worst"));
    table.addAll(lines);
    return table;
  }

  private static String line(HourlyDelay row, Airports airports) {
    String airport = row.origin() + " " + airports.name(row.origin());
    return LAYOUT.formatted(
        row.hourStart().toString().replace('T', ' '),
        airport.substring(0, Math.min(42, airport.length())),
        row.flights(),
        String.format(Locale.ROOT, "%.1f", row.averageDelay()),
        row.worstDelay());
  }
}
