// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One of the ways into PostgreSQL that are compared.
 *
 * @param name a letter, in the order in which they run
 * @param way how the rows get there
 * @param load which rows they are
 * @param title in words
 * @param options table options besides those that every variant has
 * @param yardsticks by whose rates this one's is divided
 */
record JdbcVariant(
    String name,
    Way way,
    Load load,
    String title,
    Map<String, String> options,
    List<String> yardsticks)
    implements Contender {

  /** How rows get into the table. */
  enum Way {
    /** The connector by Apache Flink. */
    OFFICIAL("jdbc"),
    /** Ours. */
    TXN("txn-jdbc"),
    /** No Flink: COPY's text format, by the driver. */
    COPY_TEXT(null),
    /** No Flink: COPY's binary format, by the driver. */
    COPY_BINARY(null);

    private final String connector;

    Way(String connector) {
      this.connector = connector;
    }
  }

  /** Which rows are written to which table. */
  enum Load {
    /** Into an empty table without a key. */
    APPEND,
    /** Into an empty table with a primary key, which hardly ever comes twice. */
    NEW_KEYS,
    /** Into a table that has all keys already. */
    EXISTING_KEYS
  }

  /** What is compared with the official connector. */
  static final BenchmarkFigures.Ratio[] RATIOS = {
    new BenchmarkFigures.Ratio("inline", "B", "A"),
    new BenchmarkFigures.Ratio("staged", "C", "A"),
    new BenchmarkFigures.Ratio("at-least-once", "D", "A"),
    new BenchmarkFigures.Ratio("new-keys", "F", "E"),
    new BenchmarkFigures.Ratio("existing-keys", "H", "G")
  };

  private static final Map<String, String> INLINE = Map.of("sink.inline-max-size", "64 mb");
  private static final Map<String, String> AT_LEAST_ONCE =
      Map.of("sink.delivery-guarantee", "at-least-once");

  JdbcVariant {
    options = new TreeMap<>(options);
  }

  /** The variants of a round. */
  static List<JdbcVariant> of(BenchmarkOptions options) {
    Map<String, String> asked = options.options();
    Map<String, String> inline = new TreeMap<>(INLINE);
    inline.putAll(asked);
    List<String> peerAndCopy = List.of("A", "Y", "Z");
    List<JdbcVariant> variants = new ArrayList<>();
    variants.add(official("A", Load.APPEND, "append"));
    variants.add(txn("B", Load.APPEND, "append exactly-once inline", inline, peerAndCopy));
    variants.add(txn("C", Load.APPEND, "append exactly-once staged", asked, peerAndCopy));
    if (options.atLeastOnce()) {
      variants.add(txn("D", Load.APPEND, "append at-least-once", AT_LEAST_ONCE, peerAndCopy));
    }
    variants.add(official("E", Load.NEW_KEYS, "upsert new keys"));
    variants.add(txn("F", Load.NEW_KEYS, "upsert new keys exactly-once", asked, List.of("E")));
    variants.add(official("G", Load.EXISTING_KEYS, "upsert existing keys"));
    variants.add(
        txn("H", Load.EXISTING_KEYS, "upsert existing keys exactly-once", asked, List.of("G")));
    char name = 'I';
    for (Map<String, String> further : options.further()) {
      variants.add(
          txn(String.valueOf(name), Load.APPEND, "append exactly-once", further, peerAndCopy));
      name++;
    }
    variants.add(copy("Y", Way.COPY_TEXT, "COPY text without Flink"));
    variants.add(copy("Z", Way.COPY_BINARY, "COPY binary without Flink"));
    return variants.stream().filter(variant -> options.runs(variant.name())).toList();
  }

  private static JdbcVariant official(String name, Load load, String title) {
    return new JdbcVariant(name, Way.OFFICIAL, load, title, Map.of(), List.of());
  }

  private static JdbcVariant txn(
      String name, Load load, String title, Map<String, String> options, List<String> yardsticks) {
    return new JdbcVariant(name, Way.TXN, load, title, options, yardsticks);
  }

  private static JdbcVariant copy(String name, Way way, String title) {
    return new JdbcVariant(name, way, Load.APPEND, title, Map.of(), List.of());
  }

  /** Whether Flink has no part in it. */
  boolean bare() {
    return way.connector == null;
  }

  /** The WITH clause of the table {@code table}. */
  String clause(String table, PostgresAddress postgres) {
    Map<String, String> all = new TreeMap<>(options);
    all.put("connector", way.connector);
    all.put("url", postgres.url());
    all.put("table-name", table);
    if (way == Way.TXN && !options.equals(AT_LEAST_ONCE)) {
      all.put("sink.transactional-id-prefix", table);
    }
    return all.entrySet().stream()
        .map(option -> "  '" + option.getKey() + "' = '" + option.getValue() + "'")
        .collect(Collectors.joining(",\n"));
  }

  @Override
  public String toString() {
    String connector = bare() ? "" : way.connector + " ";
    String more = options.isEmpty() || options.equals(AT_LEAST_ONCE) ? "" : " " + options;
    return name + " " + connector + title + more;
  }
}
