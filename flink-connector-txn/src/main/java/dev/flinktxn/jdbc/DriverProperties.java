// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.table.Refusal;
import java.util.Map;
import java.util.TreeMap;
import org.postgresql.Driver;

/**
 * What the driver is given, from {@code properties.*}, from {@code username} and {@code password}
 * and from the URL. May hold secrets: it is never printed.
 */
public final class DriverProperties {

  /**
   * What names of the driver's classes begin with in its documentation. Joined at run time: the jar
   * holds the driver in another package, and the tool that moves it there rewrites every constant
   * that looks like a name in the old one.
   */
  private static final String DOCUMENTED = String.join(".", "org", "postgresql", "");

  /** What they begin with in this jar. */
  private static final String ACTUAL = Driver.class.getPackageName() + ".";

  private final Map<String, String> values = new TreeMap<>();
  private final Map<String, String> origins = new TreeMap<>();
  private final Refusal refusal;

  /** No properties yet; {@code refusal} has the words for contradictions. */
  private DriverProperties(Refusal refusal) {
    this.refusal = refusal;
  }

  /**
   * Everything that the options of a table or catalog and the URL's parameters say, secrets among
   * it.
   *
   * @throws org.apache.flink.table.api.ValidationException if two of them contradict each other
   */
  public static Map<String, String> of(Map<String, String> options, JdbcUrl url, Refusal refusal) {
    DriverProperties properties = new DriverProperties(refusal);
    options.forEach(
        (key, value) -> {
          if (key.startsWith(JdbcOptions.PROPERTIES)) {
            properties.put(origin(key), key.substring(JdbcOptions.PROPERTIES.length()), value);
          }
        });
    Map.of(JdbcOptions.USERNAME.key(), "user", JdbcOptions.PASSWORD.key(), "password")
        .forEach(
            (key, name) -> {
              if (options.containsKey(key)) {
                properties.put(origin(key), name, options.get(key));
              }
            });
    url.parameters()
        .forEach((name, value) -> properties.put(origin(JdbcOptions.URL.key()), name, value));
    return properties.values();
  }

  private static String origin(String option) {
    return "option '" + option + "'";
  }

  /**
   * Adds one property.
   *
   * @param origin who sets it, for messages
   * @throws org.apache.flink.table.api.ValidationException if it is set to something else already
   */
  private void put(String origin, String name, String value) {
    String before = values.put(name, here(value));
    String beforeOrigin = origins.put(name, origin);
    if (before != null && !before.equals(here(value))) {
      throw refusal.of(
          "%s and %s set '%s' of the driver to different values; remove one of them"
              .formatted(beforeOrigin, origin, name));
    }
  }

  /** The properties as the driver knows them. */
  public Map<String, String> values() {
    return new TreeMap<>(values);
  }

  /** A value in which a class of the driver has the name it really has. */
  private static String here(String value) {
    return value.startsWith(DOCUMENTED) ? ACTUAL + value.substring(DOCUMENTED.length()) : value;
  }
}
