// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.table.CheckpointSettings;
import dev.flinktxn.table.CommonOptions;
import dev.flinktxn.table.IdempotentUpsert;
import dev.flinktxn.table.OptionReader;
import dev.flinktxn.table.PrimaryKey;
import dev.flinktxn.table.Refusal;
import dev.flinktxn.table.SinkOptions;
import java.time.Duration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil.TableFactoryHelper;
import org.apache.flink.util.TimeUtils;

/**
 * Reads the options of a table that is written to, and refuses what cannot be.
 *
 * @param context the table
 * @param refusal words for it
 * @param reader reads its options
 */
record JdbcSinkReader(DynamicTableFactory.Context context, Refusal refusal, OptionReader reader) {

  /** One committable is one array of bytes. */
  private static final MemorySize LARGEST_INLINE = MemorySize.ofMebiBytes(1024);

  /** More than a unit counts as older than it is, and time for restarts. */
  static final Duration SHORTEST_RETENTION = Duration.ofHours(1);

  /** PostgreSQL counts timeouts in milliseconds, as an integer. */
  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(24);

  static JdbcSinkReader of(
      DynamicTableFactory.Context context, Refusal refusal, TableFactoryHelper helper) {
    return new JdbcSinkReader(context, refusal, new OptionReader(refusal, helper.getOptions()));
  }

  /** The plan of an INSERT into the table. */
  JdbcSinkAdapter read() {
    CommonOptions options = common();
    CheckpointSettings checkpoints = CheckpointSettings.read(context.getConfiguration());
    checkpoints.check(refusal, options);
    JdbcAddress address =
        JdbcAddress.read(
            refusal,
            reader,
            "the sink has to know where rows go",
            context.getCatalogTable().getOptions());
    return new JdbcSinkAdapter(
        refusal,
        options,
        checkpoints,
        address,
        strategy(),
        onExistingKey(options),
        inlineMaxSize().getBytes(),
        schema(),
        ledgerRetention(checkpoints),
        reader.wholeNumber(JdbcOptions.FLUSH_MAX_ROWS, 1, "it has to be a whole number above 0"),
        reader
            .read(JdbcOptions.FLUSH_INTERVAL, "it has to be a duration such as '1 s'")
            .orElseGet(JdbcOptions.FLUSH_INTERVAL::defaultValue),
        PrimaryKey.of(context));
  }

  private boolean keyed() {
    return context.getPrimaryKeyIndexes().length > 0;
  }

  private CommonOptions common() {
    CommonOptions options = CommonOptions.read(reader);
    options.checkKey(refusal, keyed());
    Duration timeout =
        options.transactionTimeout().orElseGet(JdbcOptions.TRANSACTION_TIMEOUT::defaultValue);
    if (timeout.compareTo(LONGEST_TIMEOUT) > 0) {
      throw refusal.value(
          JdbcOptions.TRANSACTION_TIMEOUT.key(),
          timeout,
          "PostgreSQL takes at most 24 days",
          "set it to less");
    }
    return options.withTransactionTimeout(timeout);
  }

  private CommitStrategy strategy() {
    CommitStrategy strategy = reader.oneOf(JdbcOptions.COMMIT_STRATEGY, CommitStrategy.class);
    if (strategy == CommitStrategy.PREPARED && keyed()) {
      throw refusal.value(
          JdbcOptions.COMMIT_STRATEGY.key(),
          strategy,
          "a PRIMARY KEY is declared, and a prepared transaction would wait for another that holds"
              + " the same key",
          "set it to '%s' or remove it".formatted(CommitStrategy.LEDGER));
    }
    return strategy;
  }

  private OnExistingKey onExistingKey(CommonOptions options) {
    String key = JdbcOptions.ON_EXISTING_KEY.key();
    OnExistingKey found =
        reader
            .given(JdbcOptions.ON_EXISTING_KEY, OnExistingKey.class)
            .orElse(keyed() ? OnExistingKey.UPDATE : OnExistingKey.FAIL);
    if (found == OnExistingKey.UPDATE && !keyed()) {
      throw refusal.value(
          key,
          found,
          "the table has no key to update by",
          "declare PRIMARY KEY (...) NOT ENFORCED, or remove the option");
    }
    if (found != OnExistingKey.UPDATE && options.idempotentUpsert() != IdempotentUpsert.NEVER) {
      throw refusal.value(
          key,
          found,
          "'%s' is '%s', and upserts replace the row that is there"
              .formatted(SinkOptions.IDEMPOTENT_UPSERT.key(), options.idempotentUpsert()),
          "remove one of them");
    }
    return found;
  }

  private MemorySize inlineMaxSize() {
    String needed = "it has to be a size of at most '1 gb', such as '1 mb'";
    MemorySize size =
        reader
            .read(JdbcOptions.INLINE_MAX_SIZE, needed)
            .orElseGet(JdbcOptions.INLINE_MAX_SIZE::defaultValue);
    if (size.compareTo(LARGEST_INLINE) > 0) {
      throw refusal.value(JdbcOptions.INLINE_MAX_SIZE.key(), size, needed, "correct the value");
    }
    return size;
  }

  private String schema() {
    String schema = reader.options().get(JdbcOptions.SCHEMA);
    if (schema.isEmpty()) {
      throw refusal.value(
          JdbcOptions.SCHEMA.key(),
          schema,
          "ledger and staging tables need a schema",
          "set it to a name, or remove it for '%s'".formatted(JdbcOptions.SCHEMA.defaultValue()));
    }
    return schema;
  }

  /** A ledger that forgets sooner would take rows that were just written for forgotten ones. */
  private Duration ledgerRetention(CheckpointSettings checkpoints) {
    Duration least =
        checkpoints.enabled()
            ? SHORTEST_RETENTION.plus(checkpoints.interval().get()).plus(checkpoints.timeout())
            : SHORTEST_RETENTION;
    String needed =
        ("it has to be a duration of at least '%s', which is an hour more than checkpoint interval"
                + " and timeout together")
            .formatted(TimeUtils.formatWithHighestUnit(least));
    Duration found =
        reader
            .read(JdbcOptions.LEDGER_RETENTION, needed)
            .orElseGet(JdbcOptions.LEDGER_RETENTION::defaultValue);
    if (found.compareTo(least) < 0) {
      throw refusal.value(
          JdbcOptions.LEDGER_RETENTION.key(),
          TimeUtils.formatWithHighestUnit(found),
          needed,
          "set it to more, such as '7 d'");
    }
    return found;
  }
}
