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
record KafkaVariant(String name, String connector, String guarantee, Map<String, String> options)
    implements Contender {

  /** The connector by Apache Flink, which the others are compared with. */
  private static final String OFFICIAL = "kafka";

  /** What is compared with it. */
  static final BenchmarkFigures.Ratio[] RATIOS = {
    new BenchmarkFigures.Ratio("exactly-once", "B", "A"),
    new BenchmarkFigures.Ratio("at-least-once", "D", "C")
  };

  static final String EXACTLY_ONCE = "exactly-once";
  static final String AT_LEAST_ONCE = "at-least-once";

  /** Below the broker's maximum; the official connector asks for an hour, which is above. */
  private static final Map<String, String> OFFICIAL_TIMEOUT =
      Map.of("properties.transaction.timeout.ms", "600000");

  KafkaVariant {
    options = new TreeMap<>(options);
  }

  /** The variants of a round, A to D and, from E on, one for each further set of options. */
  static List<KafkaVariant> of(BenchmarkOptions options) {
    List<KafkaVariant> variants = new ArrayList<>();
    String txn = "txn-kafka";
    variants.add(new KafkaVariant("A", OFFICIAL, EXACTLY_ONCE, OFFICIAL_TIMEOUT));
    variants.add(new KafkaVariant("B", txn, EXACTLY_ONCE, options.options()));
    if (options.atLeastOnce()) {
      variants.add(new KafkaVariant("C", OFFICIAL, AT_LEAST_ONCE, Map.of()));
      variants.add(new KafkaVariant("D", txn, AT_LEAST_ONCE, Map.of()));
    }
    char name = 'E';
    for (Map<String, String> further : options.further()) {
      variants.add(new KafkaVariant(String.valueOf(name), txn, EXACTLY_ONCE, further));
      name++;
    }
    return variants.stream().filter(variant -> options.runs(variant.name())).toList();
  }

  @Override
  public List<String> yardsticks() {
    return official() ? List.of() : List.of(guarantee.equals(EXACTLY_ONCE) ? "A" : "C");
  }

  private boolean official() {
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
