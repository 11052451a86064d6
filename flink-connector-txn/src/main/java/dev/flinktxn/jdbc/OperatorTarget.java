// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.RefusedException;
import dev.flinktxn.table.Refusal;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.types.logical.RowType;

/**
 * The database of a catalog, as its procedures see it.
 *
 * @param options the catalog's options, named as those of a table; may hold secrets
 * @param words what stands for the table in messages
 */
record OperatorTarget(Map<String, String> options, String words) {

  /** What stores are given who work for {@code prefix} and write, if at all, to {@code table}. */
  JdbcTarget of(String prefix, TableName table, boolean keyed) {
    Refusal refusal = new Refusal(words);
    String given = options.get(JdbcOptions.URL.key());
    if (given == null) {
      throw refusal.missing(
          JdbcOptions.URL.key(), "the catalog has to know its database", "set it in the catalog");
    }
    JdbcUrl url = JdbcUrl.parse(given, refusal);
    return new JdbcTarget(
        words,
        url.address(),
        DriverProperties.of(options, url, refusal),
        table,
        RowType.of(),
        List.of(),
        prefix,
        CommitStrategy.LEDGER,
        onExistingKey(keyed),
        0,
        option(JdbcOptions.SCHEMA),
        Duration.ZERO,
        0,
        Duration.ZERO,
        option(JdbcOptions.TRANSACTION_TIMEOUT),
        0);
  }

  /** As the sink decides it. */
  private OnExistingKey onExistingKey(boolean keyed) {
    return options.containsKey(JdbcOptions.ON_EXISTING_KEY.key())
        ? option(JdbcOptions.ON_EXISTING_KEY)
        : keyed ? OnExistingKey.UPDATE : OnExistingKey.FAIL;
  }

  private <T> T option(ConfigOption<T> option) {
    try {
      return Configuration.fromMap(options).get(option);
    } catch (IllegalArgumentException e) {
      throw new Refusal(words)
          .value(option.key(), options.get(option.key()), "it cannot be read", "correct the value");
    }
  }

  /** What the caller throws when the database refused something or did not answer. */
  IOException failed(String what, SQLException e) throws InterruptedException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedException("Interrupted while asking PostgreSQL");
    }
    String message = "Table %s: cannot %s: %s".formatted(words, what, Trouble.words(e));
    return Trouble.passes(e) ? new IOException(message, e) : new RefusedException(message, e);
  }

  /** Without the options, which may hold secrets. */
  @Override
  public String toString() {
    return words;
  }
}
