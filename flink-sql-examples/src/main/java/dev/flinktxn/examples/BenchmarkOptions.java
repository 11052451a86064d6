// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The command line of the benchmark.
 *
 * @param jdbc whether the target is PostgreSQL instead of Kafka
 * @param reading whether rows are read from PostgreSQL instead of written
 * @param only names of the variants that run; empty for all
 * @param rows how many rows each job writes
 * @param repetitions how many rounds count
 * @param atLeastOnce whether variants at-least-once run
 * @param options table options of the exactly-once variants of this project
 * @param further table options of further such variants
 * @param help whether only the usage is asked for
 */
record BenchmarkOptions(
    boolean jdbc,
    boolean reading,
    Set<String> only,
    long rows,
    int repetitions,
    boolean atLeastOnce,
    Map<String, String> options,
    List<Map<String, String>> further,
    boolean help) {

  static final long ROWS = 4_000_000;
  static final int REPETITIONS = 3;

  static final String USAGE =
      """
      Writes random rows with Flink SQL through the official Kafka connector and through txn-kafka, in
      turns: A kafka exactly-once, B txn-kafka exactly-once, C kafka at-least-once, D txn-kafka
      at-least-once. A first round is not counted. Prints rows per second, medians and ratios.

      With --jdbc the same for PostgreSQL, fsync on. Rows appended to a table without a key: A jdbc, B
      txn-jdbc exactly-once inline, C the same staged, D txn-jdbc at-least-once. Upserts of new keys:
      E jdbc, F txn-jdbc exactly-once. Upserts of keys that exist: G jdbc, H txn-jdbc exactly-once.
      As the yardstick, the driver alone, without Flink: Y COPY text, Z COPY binary.

      With --read the way back, from a table with a key: all its rows, A jdbc (in two parts, by id), B
      txn-jdbc; a twentieth of them one by one, by random keys, C jdbc, D txn-jdbc, E txn-jdbc without
      taking keys together. As the yardstick, the driver alone: Z COPY TO STDOUT binary.

      --jdbc                   PostgreSQL instead of Kafka
      --read                   reading from PostgreSQL
      --rows N                 rows of each job (default 4000000: some 10 s each on a quiet machine)
      --repetitions N          rounds that count (default 3)
      --exactly-once-only      without at-least-once
      --only A,B,...           only these variants
      --option KEY=VALUE       a table option for B, e.g. properties.batch.size=65536 (with --jdbc for B,
                               C, F and H); may be repeated
      --also KEY=VALUE[,...]   one more variant in each round: like B (with --jdbc like C), but with
                               these table options instead; may be repeated
      --help                   print this and do nothing
      """;

  /**
   * Reads the arguments.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  static BenchmarkOptions parse(List<String> arguments) {
    boolean jdbc = false;
    boolean reading = false;
    Set<String> only = new TreeSet<>();
    long rows = ROWS;
    int repetitions = REPETITIONS;
    boolean atLeastOnce = true;
    boolean help = false;
    Map<String, String> options = new TreeMap<>();
    List<Map<String, String>> further = new ArrayList<>();
    Iterator<String> rest = arguments.iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--help" -> help = true;
        case "--jdbc" -> jdbc = true;
        case "--read" -> reading = true;
        case "--only" -> only.addAll(List.of(value(option, rest).split(",")));
        case "--exactly-once-only" -> atLeastOnce = false;
        case "--rows" -> rows = count(option, rest);
        case "--repetitions" -> repetitions = Math.toIntExact(count(option, rest));
        case "--option" -> options.putAll(pairs(option, rest));
        case "--also" -> further.add(pairs(option, rest));
        default -> throw new IllegalArgumentException("unknown option " + option + "\n\n" + USAGE);
      }
    }
    return new BenchmarkOptions(
        jdbc, reading, only, rows, repetitions, atLeastOnce, options, further, help);
  }

  /** Whether the variant of that name is wanted. */
  boolean runs(String variant) {
    return only.isEmpty() || only.contains(variant);
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value\n\n" + USAGE);
    }
    return rest.next();
  }

  private static long count(String option, Iterator<String> rest) {
    String value = value(option, rest);
    if (!value.matches("[1-9][0-9]{0,8}")) {
      throw new IllegalArgumentException(
          option + " is a whole number from 1 to 999999999, not " + value);
    }
    return Long.parseLong(value);
  }

  private static Map<String, String> pairs(String option, Iterator<String> rest) {
    Map<String, String> pairs = new TreeMap<>();
    for (String pair : value(option, rest).split(",", -1)) {
      if (!pair.matches("[^\\s'=]+=[^']+")) {
        throw new IllegalArgumentException(option + " is KEY=VALUE without quotes, not " + pair);
      }
      int end = pair.indexOf('=');
      pairs.put(pair.substring(0, end), pair.substring(end + 1));
    }
    return pairs;
  }
}
