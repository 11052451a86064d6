// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.table.OptionReader;
import dev.flinktxn.table.Refusal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.connector.source.lookup.LookupOptions;
import org.apache.flink.table.connector.source.lookup.LookupOptions.LookupCacheType;
import org.apache.flink.table.connector.source.lookup.cache.DefaultLookupCache;
import org.apache.flink.table.connector.source.lookup.cache.LookupCache;
import org.apache.flink.table.factories.FactoryUtil;

/**
 * The options of reading.
 *
 * @param fetchSize how many rows a reading thread hands over at once
 * @param parallelism the parallelism of a scan; null for that of the job
 * @param maxRetries how often a lookup is tried again
 * @param cache the cache of lookups; null for none
 */
record ReadOptions(int fetchSize, Integer parallelism, int maxRetries, LookupCache cache) {

  static final ConfigOption<Integer> FETCH_SIZE =
      ConfigOptions.key("scan.fetch-size")
          .intType()
          .defaultValue(1000)
          .withDescription(
              "How many rows the thread that reads hands over to the task at once; a few such"
                  + " batches wait in memory.");

  static final ConfigOption<Integer> PARALLELISM = FactoryUtil.SOURCE_PARALLELISM;

  private static final List<ConfigOption<?>> BOUNDS =
      List.of(
          LookupOptions.PARTIAL_CACHE_MAX_ROWS,
          LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_WRITE,
          LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_ACCESS);

  private static final List<ConfigOption<?>> CACHE =
      Stream.concat(BOUNDS.stream(), Stream.of(LookupOptions.PARTIAL_CACHE_CACHE_MISSING_KEY))
          .toList();

  /** All options of this class. */
  static Set<ConfigOption<?>> all() {
    Set<ConfigOption<?>> all = new HashSet<>(CACHE);
    all.addAll(
        Set.of(FETCH_SIZE, PARALLELISM, LookupOptions.CACHE_TYPE, LookupOptions.MAX_RETRIES));
    return all;
  }

  static ReadOptions read(Refusal refusal, OptionReader reader) {
    String positive = "it has to be a whole number above 0";
    Integer parallelism = reader.read(PARALLELISM, positive).orElse(null);
    if (parallelism != null && parallelism < 1) {
      throw refusal.value(PARALLELISM.key(), parallelism, positive, "correct the value");
    }
    return new ReadOptions(
        reader.wholeNumber(FETCH_SIZE, 1, positive),
        parallelism,
        reader.wholeNumber(
            LookupOptions.MAX_RETRIES, 0, "it has to be a whole number, 0 for no other try"),
        cache(refusal, reader));
  }

  private static LookupCache cache(Refusal refusal, OptionReader reader) {
    LookupCacheType type = reader.oneOf(LookupOptions.CACHE_TYPE, LookupCacheType.class);
    if (type == LookupCacheType.FULL) {
      throw refusal.value(
          LookupOptions.CACHE_TYPE.key(),
          type,
          "only '%s' and '%s' are there".formatted(LookupCacheType.NONE, LookupCacheType.PARTIAL),
          "set it to one of them");
    }
    for (ConfigOption<?> option : CACHE) {
      reader.read(option, "it has to be " + kind(option));
      if (type == LookupCacheType.NONE && reader.options().getOptional(option).isPresent()) {
        throw refusal.of(
            "option '%s' is set, but '%s' is '%s'; set that to '%s'"
                .formatted(
                    option.key(), LookupOptions.CACHE_TYPE.key(), type, LookupCacheType.PARTIAL));
      }
    }
    if (type == LookupCacheType.PARTIAL
        && BOUNDS.stream().noneMatch(bound -> reader.options().getOptional(bound).isPresent())) {
      throw refusal.value(
          LookupOptions.CACHE_TYPE.key(),
          type,
          "nothing bounds the cache",
          BOUNDS.stream()
              .map(bound -> "'" + bound.key() + "'")
              .collect(Collectors.joining(", ", "set one of ", "")));
    }
    return type == LookupCacheType.NONE ? null : DefaultLookupCache.fromConfig(reader.options());
  }

  private static String kind(ConfigOption<?> option) {
    if (option.equals(LookupOptions.PARTIAL_CACHE_CACHE_MISSING_KEY)) {
      return "'true' or 'false'";
    }
    return option.equals(LookupOptions.PARTIAL_CACHE_MAX_ROWS)
        ? "a whole number"
        : "a duration, such as '10 min'";
  }
}
