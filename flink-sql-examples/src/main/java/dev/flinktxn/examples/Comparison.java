// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What separates two multisets of result rows. A row with a wrong value counts twice: as lost, and
 * as duplicated, since nobody asked for it.
 *
 * @param <T> a row, equal to others with the same values
 * @param expected how many rows there should be
 * @param lost rows that should be there and are not, as often as they are missing
 * @param duplicated rows that are there more often than they should be
 */
record Comparison<T>(int expected, List<T> lost, List<T> duplicated) {

  static <T> Comparison<T> of(Collection<T> expected, Collection<T> found) {
    Map<T, Integer> missing = new HashMap<>();
    expected.forEach(row -> missing.merge(row, 1, Integer::sum));
    List<T> duplicated = new ArrayList<>();
    for (T row : found) {
      if (missing.getOrDefault(row, 0) > 0) {
        missing.merge(row, -1, Integer::sum);
      } else {
        duplicated.add(row);
      }
    }
    List<T> lost = new ArrayList<>();
    missing.forEach(
        (row, times) -> {
          for (int i = 0; i < times; i++) {
            lost.add(row);
          }
        });
    return new Comparison<>(expected.size(), lost, duplicated);
  }

  boolean exact() {
    return lost.isEmpty() && duplicated.isEmpty();
  }
}
