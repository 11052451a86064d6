// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import org.apache.flink.table.connector.source.LookupTableSource.LookupRuntimeProvider;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.PartialCachingAsyncLookupProvider;
import org.apache.flink.table.connector.source.lookup.PartialCachingLookupProvider;
import org.apache.flink.table.connector.source.lookup.cache.LookupCache;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.LookupFunction;

/** Offers the planner both ways of looking rows up, of which it takes what a query allows. */
final class JdbcLookupProvider {

  private JdbcLookupProvider() {}

  private record Plain(LookupFunction now, AsyncLookupFunction later)
      implements LookupFunctionProvider, AsyncLookupFunctionProvider {

    @Override
    public LookupFunction createLookupFunction() {
      return now;
    }

    @Override
    public AsyncLookupFunction createAsyncLookupFunction() {
      return later;
    }
  }

  private record Cached(LookupFunction now, AsyncLookupFunction later, LookupCache cache)
      implements PartialCachingLookupProvider, PartialCachingAsyncLookupProvider {

    @Override
    public LookupFunction createLookupFunction() {
      return now;
    }

    @Override
    public AsyncLookupFunction createAsyncLookupFunction() {
      return later;
    }

    @Override
    public LookupCache getCache() {
      return cache;
    }
  }

  /**
   * The provider of a lookup.
   *
   * @param cache what is looked up again is taken from; null for none
   */
  static LookupRuntimeProvider of(
      ReadTarget target, int[] keyFields, int maxRetries, LookupCache cache) {
    LookupFunction now = new JdbcLookup(target, keyFields, maxRetries);
    AsyncLookupFunction later = new JdbcAsyncLookup(target, keyFields, maxRetries);
    return cache == null ? new Plain(now, later) : new Cached(now, later, cache);
  }
}
