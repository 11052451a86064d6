// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/** Rows of {@code (id INT, name STRING, qty INT)} as JSON, the same on the way in and out. */
final class Rows {

  static final String COLUMNS = "id INT, name STRING, qty INT";

  private Rows() {}

  static String row(int id, String name, int qty) {
    return String.format("{\"id\":%d,\"name\":\"%s\",\"qty\":%d}", id, name, qty);
  }

  /** The rows with ids from {@code first} up to, not including, {@code end}. */
  static List<String> ids(int first, int end) {
    return IntStream.range(first, end).mapToObj(id -> row(id, "r" + id, 10 * id)).toList();
  }

  @SafeVarargs
  static List<String> all(Collection<String>... parts) {
    List<String> all = new ArrayList<>();
    for (Collection<String> part : parts) {
      all.addAll(part);
    }
    return all;
  }
}
