// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One of the sinks that are compared.
 *
 * @param name a letter, in the order in which the jobs of a round run
 * @param connector {@code kafka} or {@code txn-kafka}
 * @param guarantee exactly-once or at-least-once
 * @param options table options besides those that all variants have
 */
record BenchmarkVariant(
    String name, String connector, String guarantee, Map<String, String> options) {

  /** The connector by Apache Flink, which the others are compared with. */
  static final String OFFICIAL = "kafka";

  static final String EXACTLY_ONCE = "exactly-once";
  static final String AT_LEAST_ONCE = "at-least-once";

  /** Below the broker's maximum; the official connector asks for an hour, which is above. */
  private static final Map<String, String> OFFICIAL_TIMEOUT =
      Map.of("properties.transaction.timeout.ms", "600000");

  BenchmarkVariant {
    options = new TreeMap<>(options);
  }

  /** The variants of a round, A to D and, from E on, one for each further set of options. */
  static List<BenchmarkVariant> of(BenchmarkOptions options) {
    List<BenchmarkVariant> variants = new ArrayList<>();
    String txn = "txn-kafka";
    variants.add(new BenchmarkVariant("A", OFFICIAL, EXACTLY_ONCE, OFFICIAL_TIMEOUT));
    variants.add(new BenchmarkVariant("B", txn, EXACTLY_ONCE, options.options()));
    if (options.atLeastOnce()) {
      variants.add(new BenchmarkVariant("C", OFFICIAL, AT_LEAST_ONCE, Map.of()));
      variants.add(new BenchmarkVariant("D", txn, AT_LEAST_ONCE, Map.of()));
    }
    char name = 'E';
    for (Map<String, String> further : options.further()) {
      variants.add(new BenchmarkVariant(String.valueOf(name), txn, EXACTLY_ONCE, further));
      name++;
    }
    return variants;
  }

  /** The variant which this one's rate is divided by. */
  String yardstick() {
    return guarantee.equals(EXACTLY_ONCE) ? "A" : "C";
  }

  boolean official() {
    return connector.equals(OFFICIAL);
  }

  /** The WITH clause of the table of {@code topic}. */
  String clause(String topic, String bootstrapServers) {
    Map<String, String> all = new TreeMap<>(options);
    all.put("connector", connector);
    all.put("topic", topic);
    all.put("properties.bootstrap.servers", bootstrapServers);
    all.put("sink.delivery-guarantee", guarantee);
    all.put("format", "json");
    if (guarantee.equals(EXACTLY_ONCE)) {
      all.put("sink.transactional-id-prefix", topic);
    }
    return all.entrySet().stream()
        .map(option -> "  '" + option.getKey() + "' = '" + option.getValue() + "'")
        .collect(Collectors.joining(",\n"));
  }

  @Override
  public String toString() {
    String more = official() || options.isEmpty() ? "" : " " + options;
    return name + " " + connector + " " + guarantee + more;
  }
}
