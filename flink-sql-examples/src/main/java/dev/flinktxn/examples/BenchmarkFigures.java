// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The rows per second of each contender, in the order in which they came. For one thread. */
final class BenchmarkFigures {

  private final Map<String, List<Double>> rates = new LinkedHashMap<>();

  void add(Contender contender, double rowsPerSecond) {
    rates.computeIfAbsent(contender.name(), name -> new ArrayList<>()).add(rowsPerSecond);
  }

  /** The middle one, or the mean of the two in the middle. */
  double median(String name) {
    List<Double> sorted = rates.get(name).stream().sorted().toList();
    int size = sorted.size();
    return (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
  }

  /** The contender's median rate, its rates, and its relation to those of its yardsticks. */
  String line(Contender contender) {
    String name = contender.name();
    List<String> each =
        rates.get(name).stream().map(rate -> String.format(Locale.ROOT, "%,.0f", rate)).toList();
    StringBuilder line =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%,12.0f rows/s  %s  %s",
                median(name),
                contender,
                String.join(" | ", each)));
    for (String yardstick : contender.yardsticks()) {
      if (has(yardstick)) {
        line.append("  ").append(name).append('/').append(yardstick).append(' ');
        line.append(ratio(name, yardstick));
      }
    }
    return line.toString();
  }

  private boolean has(String name) {
    return rates.containsKey(name);
  }

  private String ratio(String dividend, String divisor) {
    return String.format(Locale.ROOT, "%.2f", median(dividend) / median(divisor));
  }

  /** Two contenders whose relation belongs into the last line of a run. */
  record Ratio(String label, String dividend, String divisor) {}

  /** The last line of a run, with those of {@code ratios} whose contenders have run. */
  String result(String title, Ratio... ratios) {
    StringBuilder line = new StringBuilder("BENCHMARK ").append(title);
    for (Ratio ratio : ratios) {
      if (has(ratio.dividend()) && has(ratio.divisor())) {
        line.append(' ').append(ratio.label()).append('=');
        line.append(ratio(ratio.dividend(), ratio.divisor()));
      }
    }
    return line.toString();
  }
}
