// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What {@code sql/hourly-delays.sql} should yield, computed from the flights without Flink. */
final class HourlyDelays {

  private HourlyDelays() {}

  private record Window(LocalDateTime start, String origin) {}

  /** One row per full hour and origin that has a flight, in no particular order. */
  static List<HourlyDelay> of(List<Flight> flights) {
    Map<Window, List<Flight>> windows =
        flights.stream()
            .collect(
                Collectors.groupingBy(
                    flight ->
                        new Window(
                            flight.departure().truncatedTo(ChronoUnit.HOURS), flight.origin())));
    List<HourlyDelay> result = new ArrayList<>();
    windows.forEach((window, members) -> result.add(aggregate(window, members)));
    return result;
  }

  private static HourlyDelay aggregate(Window window, List<Flight> flights) {
    long sum = 0;
    int worst = Integer.MIN_VALUE;
    for (Flight flight : flights) {
      sum += flight.delay();
      worst = Math.max(worst, flight.delay());
    }
    double average = (double) sum / flights.size();
    return new HourlyDelay(window.start(), window.origin(), flights.size(), average, worst);
  }
}
