// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import org.apache.flink.table.api.ValidationException;

/**
 * Puts refusals of one table into words: one sentence with table, option, value found, value needed
 * and what to do. Values of options that hold secrets are never shown.
 *
 * @param kind what is refused: a table, a catalog
 * @param table its full name
 */
public record Refusal(String kind, String table) {

  /** Words for a table. */
  public Refusal(String table) {
    this("Table", table);
  }

  /** The option {@code key} has the value {@code found}, which can not be. */
  public ValidationException value(String key, Object found, String needed, String remedy) {
    return of("option '%s' is '%s', but %s; %s".formatted(key, shown(key, found), needed, remedy));
  }

  /** The option {@code key} is not set, which can not be. */
  public ValidationException missing(String key, String needed, String remedy) {
    return of("option '%s' is not set, but %s; %s".formatted(key, needed, remedy));
  }

  /** Any other reason, as the rest of a sentence that begins with the name. */
  public ValidationException of(String reason) {
    return new ValidationException(kind + " " + table + ": " + reason + ".");
  }

  private static Object shown(String key, Object value) {
    return Secrets.named(key) ? "******" : value;
  }
}
