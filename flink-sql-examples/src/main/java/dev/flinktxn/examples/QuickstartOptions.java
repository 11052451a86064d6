// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The command line of the quickstart.
 *
 * @param bootstrapServers the user's own cluster; empty: a broker is started
 * @param exactlyOnce false in the variant whose check has to fail
 * @param help whether only the usage is asked for
 */
record QuickstartOptions(Optional<String> bootstrapServers, boolean exactlyOnce, boolean help) {

  static final String USAGE =
      """
      Counts 20,000 flights into hourly delays per airport with Flink SQL, from Kafka to Kafka, kills
      Flink's TaskManager in the middle of a checkpoint, and checks that every row of the result is
      there exactly once.

      --bootstrap-servers HOST:PORT   use this Kafka cluster (no authentication) instead of starting a
                                      broker; two topics with names of their own are created on it,
                                      and deleted when the check has passed
      --sink-guarantee GUARANTEE      exactly-once (default), or at-least-once: see the check fail
      --help                          print this and do nothing
      """;

  /**
   * Reads the arguments.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  static QuickstartOptions parse(List<String> arguments) {
    Optional<String> bootstrapServers = Optional.empty();
    boolean exactlyOnce = true;
    Iterator<String> rest = arguments.iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--help" -> {
          return new QuickstartOptions(Optional.empty(), true, true);
        }
        case "--bootstrap-servers" -> bootstrapServers = Optional.of(servers(value(option, rest)));
        case "--sink-guarantee" -> exactlyOnce = isExactlyOnce(value(option, rest));
        default -> throw new IllegalArgumentException("unknown option " + option + "\n\n" + USAGE);
      }
    }
    return new QuickstartOptions(bootstrapServers, exactlyOnce, false);
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value\n\n" + USAGE);
    }
    return rest.next();
  }

  private static String servers(String value) {
    if (!value.matches("[^\\s',:]+:\\d+(,[^\\s',:]+:\\d+)*")) {
      throw new IllegalArgumentException(
          "--bootstrap-servers is HOST:PORT, or several separated by commas, not " + value);
    }
    return value;
  }

  private static boolean isExactlyOnce(String guarantee) {
    return switch (guarantee) {
      case "exactly-once" -> true;
      case "at-least-once" -> false;
      default ->
          throw new IllegalArgumentException(
              "--sink-guarantee is exactly-once or at-least-once, not " + guarantee);
    };
  }

  String guarantee() {
    return exactlyOnce ? "exactly-once" : "at-least-once";
  }
}
