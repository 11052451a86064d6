// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.List;
import java.util.Set;

/**
 * A unique index, of a constraint or of its own.
 *
 * @param name its name
 * @param columns its columns, without included ones and expressions
 * @param plain whether it covers all rows by columns alone: no WHERE, no expression
 * @param valid whether it was built to the end
 * @param immediate whether it is checked with each row, not at the end of the transaction
 */
public record FoundIndex(
    String name, List<String> columns, boolean plain, boolean valid, boolean immediate) {

  /** Whether the values of its columns are unique. */
  boolean unique() {
    return plain && valid;
  }

  /** Whether a row can be upserted by {@code key}. */
  boolean serves(List<String> key) {
    return unique() && immediate && Set.copyOf(columns).equals(Set.copyOf(key));
  }

  /** The columns, and what keeps the index from serving as a key. */
  String describe() {
    String unfit = "";
    if (!plain) {
      unfit = " in index " + SqlNames.quoted(name) + ", which has a WHERE clause or an expression";
    } else if (!valid) {
      unfit = " in index " + SqlNames.quoted(name) + ", which is invalid";
    } else if (!immediate) {
      unfit = " in index " + SqlNames.quoted(name) + ", which is deferrable";
    }
    return "(" + SqlNames.list(columns) + ")" + unfit;
  }
}
