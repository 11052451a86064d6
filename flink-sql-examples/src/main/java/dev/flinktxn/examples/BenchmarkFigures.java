// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The rows per second of each variant, in the order in which they came. For one thread. */
final class BenchmarkFigures {

  private final Map<String, List<Double>> rates = new LinkedHashMap<>();

  void add(BenchmarkVariant variant, double rowsPerSecond) {
    rates.computeIfAbsent(variant.name(), name -> new ArrayList<>()).add(rowsPerSecond);
  }

  /** The middle one, or the mean of the two in the middle. */
  double median(String variant) {
    List<Double> sorted = rates.get(variant).stream().sorted().toList();
    int size = sorted.size();
    return (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
  }

  /** The variant's median rate, its rates, and its relation to the official connector's. */
  String line(BenchmarkVariant variant) {
    List<String> each =
        rates.get(variant.name()).stream()
            .map(rate -> String.format(Locale.ROOT, "%,.0f", rate))
            .toList();
    String line =
        String.format(
            Locale.ROOT,
            "%,12.0f rows/s  %s  %s",
            median(variant.name()),
            variant,
            String.join(" | ", each));
    return variant.official()
        ? line
        : line
            + "  ratio "
            + variant.name()
            + "/"
            + variant.yardstick()
            + " "
            + ratio(variant.name(), variant.yardstick());
  }

  /** The last line of a run. */
  String result() {
    String line = "BENCHMARK txn-kafka/kafka exactly-once=" + ratio("B", "A");
    return rates.containsKey("C") ? line + " at-least-once=" + ratio("D", "C") : line;
  }

  private String ratio(String dividend, String divisor) {
    return String.format(Locale.ROOT, "%.2f", median(dividend) / median(divisor));
  }
}
