// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.table.OptionNames;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.connector.source.lookup.LookupOptions;
import org.apache.flink.table.connector.source.lookup.LookupOptions.LookupCacheType;
import org.apache.flink.table.factories.FactoryUtil;

/** The option names of a {@code txn-jdbc} table. */
final class JdbcOptionNames {

  /** Names that users of the official connector bring along, with the answer. */
  private static final Map<String, String> ANSWERS =
      Map.of(
          "driver", "remove it: the PostgreSQL driver is part of this connector",
          "sink.max-retries",
              "remove it: a commit is tried again for as long as 'sink.transaction-timeout' says",
          "connection.max-retry-timeout", "use 'properties.connectTimeout' instead",
          "scan.partition.", "remove it: scans divide the table by themselves",
          "scan.auto-commit", "remove it: scans run in a transaction of their own",
          "lookup.full-cache.",
              "remove it: '%s' may be '%s'"
                  .formatted(LookupOptions.CACHE_TYPE.key(), LookupCacheType.PARTIAL),
          "lookup.cache.max-rows",
              "use '%s' instead".formatted(LookupOptions.PARTIAL_CACHE_MAX_ROWS.key()),
          "lookup.cache.ttl",
              "use '%s' instead".formatted(LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_WRITE.key()),
          "lookup.cache.caching-missing-key",
              "use '%s' instead".formatted(LookupOptions.PARTIAL_CACHE_CACHE_MISSING_KEY.key()));

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
