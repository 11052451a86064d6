// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One of the ways out of PostgreSQL that are compared.
 *
 * @param name a letter, in the order in which they run
 * @param way what is done
 * @param connector the value of {@code connector}; null without Flink
 * @param title in words
 * @param hint behind SELECT
 * @param yardsticks by whose rates this one's is divided
 */
record ReadVariant(
    String name, Way way, String connector, String title, String hint, List<String> yardsticks)
    implements Contender {

  /** What is done with the table. */
  enum Way {
    /** All rows are read. */
    SCAN,
    /** Rows are looked up one by one by their key, which is random. */
    LOOKUP
  }

  /** What is compared. */
  static final BenchmarkFigures.Ratio[] RATIOS = {
    new BenchmarkFigures.Ratio("scan-to-copy", "B", "Z"),
    new BenchmarkFigures.Ratio("scan", "B", "A"),
    new BenchmarkFigures.Ratio("lookup", "D", "C"),
    new BenchmarkFigures.Ratio("lookup-one-by-one", "E", "C")
  };

  /** How many rows are read for each that is looked up. */
  static final long SCANNED_PER_LOOKUP = 20;

  /** The variants of a round. */
  static List<ReadVariant> of(BenchmarkOptions options) {
    String sync = "/*+ LOOKUP('table' = 'r', 'async' = 'false') */ ";
    return Stream.of(
            new ReadVariant("A", Way.SCAN, "jdbc", "scan by id", "", List.of("Z")),
            new ReadVariant("B", Way.SCAN, "txn-jdbc", "scan", "", List.of("A", "Z")),
            new ReadVariant("C", Way.LOOKUP, "jdbc", "lookup join", "", List.of()),
            new ReadVariant("D", Way.LOOKUP, "txn-jdbc", "lookup join", "", List.of("C")),
            new ReadVariant(
                "E", Way.LOOKUP, "txn-jdbc", "lookup join one by one", sync, List.of("C")),
            new ReadVariant(
                "Z", Way.SCAN, null, "COPY TO STDOUT binary without Flink", "", List.of()))
        .filter(variant -> options.runs(variant.name()))
        .toList();
  }

  /** Whether Flink has no part in it. */
  boolean bare() {
    return connector == null;
  }

  /**
   * The WITH clause of the table {@code table} with {@code rows} rows, whose ids are 0 and so on.
   */
  String clause(String table, long rows, PostgresAddress postgres) {
    Map<String, String> all = new TreeMap<>();
    all.put("connector", connector);
    all.put("url", postgres.url());
    all.put("table-name", table);
    if (way == Way.SCAN && connector.equals("jdbc")) {
      all.put("scan.partition.column", "id");
      all.put("scan.partition.num", "2");
      all.put("scan.partition.lower-bound", "0");
      all.put("scan.partition.upper-bound", String.valueOf(rows - 1));
      all.put("scan.fetch-size", "1000");
    }
    return clause(all);
  }

  static String clause(Map<String, String> options) {
    return options.entrySet().stream()
        .map(option -> "  '" + option.getKey() + "' = '" + option.getValue() + "'")
        .collect(Collectors.joining(",\n"));
  }

  /** The query, which reads every column. */
  String query() {
    String counts = "COUNT(*), SUM(r.id), MAX(r.name), SUM(r.amount), COUNT(r.flag)";
    return switch (way) {
      case SCAN -> "SELECT " + counts + " FROM readable AS r";
      case LOOKUP ->
          "SELECT "
              + hint
              + counts
              + " FROM asked AS a JOIN readable FOR SYSTEM_TIME AS OF a.moment AS r ON a.id = r.id";
    };
  }

  /** How many rows it reads of a table of {@code rows}. */
  long expected(long rows) {
    return way == Way.SCAN ? rows : Math.max(1, rows / SCANNED_PER_LOOKUP);
  }

  @Override
  public String toString() {
    return name + " " + (bare() ? "" : connector + " ") + title;
  }
}
