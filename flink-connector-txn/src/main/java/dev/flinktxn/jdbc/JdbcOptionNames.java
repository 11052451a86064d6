// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.table.OptionNames;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.factories.FactoryUtil;

/** The option names of a {@code txn-jdbc} table. */
final class JdbcOptionNames {

  private static final String NOT_READ = "remove it: reading is not available yet in this version";

  /** Names that users of the official connector bring along, with the answer. */
  private static final Map<String, String> ANSWERS =
      Map.of(
          "driver", "remove it: the PostgreSQL driver is part of this connector",
          "sink.max-retries",
              "remove it: a commit is tried again for as long as 'sink.transaction-timeout' says",
          "connection.max-retry-timeout", "use 'properties.connectTimeout' instead",
          "scan.", NOT_READ,
          "lookup.", NOT_READ);

  private JdbcOptionNames() {}

  /** The names a table may use. */
  static OptionNames all() {
    Set<String> known =
        Stream.of(
                JdbcOptions.required(),
                JdbcOptions.optional(),
                Set.<ConfigOption<?>>of(FactoryUtil.CONNECTOR, FactoryUtil.PROPERTY_VERSION))
            .flatMap(Set::stream)
            .map(ConfigOption::key)
            .collect(Collectors.toSet());
    return new OptionNames(known, Set.of(JdbcOptions.PROPERTIES), ANSWERS);
  }
}
