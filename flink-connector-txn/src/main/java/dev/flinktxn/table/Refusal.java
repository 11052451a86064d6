// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import java.util.Locale;
import org.apache.flink.table.api.ValidationException;

/**
 * Puts refusals of one table into words: one sentence with table, option, value found, value needed
 * and what to do. Values of options that hold secrets are never shown.
 *
 * @param table the table's full name
 */
public record Refusal(String table) {

  /** The option {@code key} has the value {@code found}, which can not be. */
  public ValidationException value(String key, Object found, String needed, String remedy) {
    return of("option '%s' is '%s', but %s; %s".formatted(key, shown(key, found), needed, remedy));
  }

  /** The option {@code key} is not set, which can not be. */
  public ValidationException missing(String key, String needed, String remedy) {
    return of("option '%s' is not set, but %s; %s".formatted(key, needed, remedy));
  }

  /** Any other reason, as the rest of a sentence that begins with the table's name. */
  public ValidationException of(String reason) {
    return new ValidationException("Table " + table + ": " + reason + ".");
  }

  private static Object shown(String key, Object value) {
    String name = key.toLowerCase(Locale.ROOT);
    boolean secret =
        name.contains("password")
            || name.contains("secret")
            || name.contains("jaas")
            || name.contains("token")
            || name.contains("credential")
            || name.endsWith(".key");
    return secret ? "******" : value;
  }
}
