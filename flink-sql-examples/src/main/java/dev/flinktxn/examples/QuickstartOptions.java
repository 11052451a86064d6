// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The command line of the quickstart.
 *
 * @param bootstrapServers the user's own cluster; empty: a broker is started
 * @param postgres the user's own database; empty: a server is started
 * @param exactlyOnce false in the variant whose check has to fail
 * @param help whether only the usage is asked for
 */
record QuickstartOptions(
    Optional<String> bootstrapServers,
    Optional<PostgresAddress> postgres,
    boolean exactlyOnce,
    boolean help) {

  static final String USAGE =
      """
      Reads 20,000 flights from Kafka with Flink SQL, writes hourly delays per airport to Kafka, delayed
      flights and hourly statistics to PostgreSQL, kills Flink's TaskManager in the middle of a
      checkpoint, and checks that every row of the results is there exactly once.

      --bootstrap-servers HOST:PORT   use this Kafka cluster (no authentication) instead of starting a
                                      broker; two topics with names of their own are created on it,
                                      and deleted when the check has passed
      --jdbc-url URL                  use this PostgreSQL database instead of starting a server,
                                      jdbc:postgresql://HOST:PORT/DATABASE?user=...&password=...; two
                                      tables with names of their own are created in it, and deleted
                                      when the check has passed; the sink's schema flink_txn stays.
                                      The URL stands in the logs, which a failed run keeps
      --jdbc-user, --jdbc-password    instead of parameters of the URL
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
    Optional<PostgresAddress> postgres = Optional.empty();
    Map<String, String> login = new TreeMap<>();
    boolean exactlyOnce = true;
    Iterator<String> rest = arguments.iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--help" -> {
          return new QuickstartOptions(Optional.empty(), Optional.empty(), true, true);
        }
        case "--bootstrap-servers" -> bootstrapServers = Optional.of(servers(value(option, rest)));
        case "--jdbc-url" -> postgres = Optional.of(address(value(option, rest)));
        case "--jdbc-user" -> login.put("user", value(option, rest));
        case "--jdbc-password" -> login.put("password", value(option, rest));
        case "--sink-guarantee" -> exactlyOnce = isExactlyOnce(value(option, rest));
        default -> throw new IllegalArgumentException("unknown option " + option + "\n\n" + USAGE);
      }
    }
    return new QuickstartOptions(bootstrapServers, with(login, postgres), exactlyOnce, false);
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

  private static PostgresAddress address(String value) {
    if (!value.matches("jdbc:postgresql:[^\\s'\\\\]+")) {
      // Not shown: what is no such URL may be a password.
      throw new IllegalArgumentException(
          "--jdbc-url is jdbc:postgresql://HOST:PORT/DATABASE, with parameters behind a question mark"
              + " if need be");
    }
    return new PostgresAddress(value);
  }

  private static Optional<PostgresAddress> with(
      Map<String, String> login, Optional<PostgresAddress> postgres) {
    if (postgres.isEmpty() && !login.isEmpty()) {
      throw new IllegalArgumentException(
          "--jdbc-user and --jdbc-password are for a database that --jdbc-url names");
    }
    return postgres.map(
        address -> {
          PostgresAddress complete = address;
          for (Map.Entry<String, String> parameter : login.entrySet()) {
            complete = complete.with(parameter.getKey(), parameter.getValue());
          }
          return complete;
        });
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
