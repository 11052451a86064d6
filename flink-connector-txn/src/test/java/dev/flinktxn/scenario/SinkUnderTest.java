// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which connector the scenarios run on: {@code txn-kafka} and {@code txn-jdbc}, exactly once. To
 * see that a scenario can fail, {@code -Dscenario.connector=kafka} takes the official connector for
 * topics and {@code -Dscenario.guarantee=at-least-once} does without transactions.
 */
final class SinkUnderTest {

  private static final String CONNECTOR = System.getProperty("scenario.connector", "txn-kafka");

  private static final String GUARANTEE = System.getProperty("scenario.guarantee", "exactly-once");

  private SinkUnderTest() {}

  static boolean isOurs() {
    return CONNECTOR.equals("txn-kafka");
  }

  /** The options of a table that writes to a topic. */
  static Map<String, String> options(String bootstrapServers, String topic, String prefix) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("connector", CONNECTOR);
    options.put("topic", topic);
    options.put("properties.bootstrap.servers", bootstrapServers);
    options.put("format", "json");
    options.put("sink.delivery-guarantee", GUARANTEE);
    options.put("sink.transactional-id-prefix", prefix);
    if (!isOurs()) {
      // Its default of one hour is more than any broker allows by default.
      options.put("properties.transaction.timeout.ms", "600000");
    }
    return options;
  }

  /** The options of a table that writes to a table in PostgreSQL. */
  static Map<String, String> options(
      String url, String user, String table, String prefix, TargetKind kind) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("connector", "txn-jdbc");
    options.put("url", url);
    options.put("username", user);
    options.put("table-name", table);
    options.put("sink.delivery-guarantee", GUARANTEE);
    options.put("sink.transactional-id-prefix", prefix);
    if (kind.isStaged()) {
      options.put("sink.inline-max-size", "1 b");
    }
    return options;
  }

  /** Whether a transactional id was made from this prefix, and not from one that only begins so. */
  static Predicate<String> idsOf(String prefix) {
    return isOurs()
        ? id -> id.startsWith(prefix + "~")
        : id -> id.matches(java.util.regex.Pattern.quote(prefix) + "-\\d+-\\d+");
  }
}
