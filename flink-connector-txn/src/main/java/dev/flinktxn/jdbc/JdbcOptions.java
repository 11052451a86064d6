// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.table.SinkOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;

/** The options of {@code txn-jdbc}: names and meanings are those of the official connector. */
public final class JdbcOptions {

  /** Beginning of the options that are handed to the driver. */
  public static final String PROPERTIES = "properties.";

  /** See its description. */
  public static final ConfigOption<String> URL =
      ConfigOptions.key("url")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Where the database is: 'jdbc:postgresql://host:port/database'. Parameters go to the"
                  + " driver. Required.");

  /** See its description. */
  public static final ConfigOption<String> TABLE_NAME =
      ConfigOptions.key("table-name")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "The table: 'table' or 'schema.table', taken literally. A name that holds"
                  + " a dot has to be in double quotes. Required.");

  /** See its description. */
  public static final ConfigOption<String> USERNAME =
      ConfigOptions.key("username")
          .stringType()
          .noDefaultValue()
          .withDescription("The role to connect as.");

  /** See its description. */
  public static final ConfigOption<String> PASSWORD =
      ConfigOptions.key("password")
          .stringType()
          .noDefaultValue()
          .withDescription("The password of that role.");

  static final ConfigOption<CommitStrategy> COMMIT_STRATEGY =
      ConfigOptions.key("sink.commit-strategy")
          .enumType(CommitStrategy.class)
          .defaultValue(CommitStrategy.LEDGER)
          .withDescription(
              "How rows become visible exactly once: 'ledger' writes them in one short transaction"
                  + " after the checkpoint; 'prepared' writes them before and keeps locks until"
                  + " then (not with a PRIMARY KEY).");

  static final ConfigOption<OnExistingKey> ON_EXISTING_KEY =
      ConfigOptions.key("sink.on-existing-key")
          .enumType(OnExistingKey.class)
          .defaultValue(OnExistingKey.FAIL)
          .withDescription(
              "What happens to a row whose key exists already: 'fail' ends the job, 'ignore' keeps"
                  + " the row that is there, 'update' replaces it. The default is 'update' when a"
                  + " PRIMARY KEY is declared.");

  static final ConfigOption<MemorySize> INLINE_MAX_SIZE =
      ConfigOptions.key("sink.inline-max-size")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(1))
          .withDescription(
              "How much of a subtask's rows travels in checkpoints, over all that are pending; more"
                  + " goes to a staging table.");

  /** See its description. */
  public static final ConfigOption<String> SCHEMA =
      ConfigOptions.key("sink.schema")
          .stringType()
          .defaultValue("flink_txn")
          .withDescription("The schema that holds the ledger and the staging tables.");

  static final ConfigOption<Duration> LEDGER_RETENTION =
      ConfigOptions.key("sink.ledger-retention")
          .durationType()
          .defaultValue(Duration.ofDays(7))
          .withDescription(
              "How long the ledger remembers what was committed: a checkpoint restored later than"
                  + " that finds its transactions unknown. At least an hour more than checkpoint"
                  + " interval and timeout together.");

  static final ConfigOption<Integer> FLUSH_MAX_ROWS =
      ConfigOptions.key("sink.buffer-flush.max-rows")
          .intType()
          .defaultValue(5000)
          .withDescription("How many rows are written at once, without transactions.");

  static final ConfigOption<Duration> FLUSH_INTERVAL =
      ConfigOptions.key("sink.buffer-flush.interval")
          .durationType()
          .defaultValue(Duration.ofSeconds(1))
          .withDescription(
              "How long a row waits for others to be written with, without transactions; 0 means"
                  + " until the next checkpoint.");

  /** The common option, which has a default here. */
  static final ConfigOption<Duration> TRANSACTION_TIMEOUT =
      ConfigOptions.key(SinkOptions.TRANSACTION_TIMEOUT.key())
          .durationType()
          .defaultValue(Duration.ofMinutes(5))
          .withDescription(
              "The longest one commit transaction may take, its waits included. It has no relation"
                  + " to the checkpoint interval.");

  private JdbcOptions() {}

  static Set<ConfigOption<?>> required() {
    return Set.of(URL, TABLE_NAME);
  }

  static Set<ConfigOption<?>> optional() {
    Set<ConfigOption<?>> options = withoutCommonTimeout(SinkOptions.all());
    options.addAll(
        Set.of(
            USERNAME,
            PASSWORD,
            COMMIT_STRATEGY,
            ON_EXISTING_KEY,
            INLINE_MAX_SIZE,
            SCHEMA,
            LEDGER_RETENTION,
            FLUSH_MAX_ROWS,
            FLUSH_INTERVAL,
            TRANSACTION_TIMEOUT));
    options.addAll(ReadOptions.all());
    return options;
  }

  /**
   * Those that may change when a compiled plan is restored. Table, schema and strategy never may:
   * what is pending was written for them, and the ledger says whether it was committed.
   */
  static Set<ConfigOption<?>> forwarded() {
    Set<ConfigOption<?>> options = withoutCommonTimeout(SinkOptions.forwarded());
    options.addAll(
        Set.of(
            URL,
            USERNAME,
            PASSWORD,
            ON_EXISTING_KEY,
            INLINE_MAX_SIZE,
            LEDGER_RETENTION,
            FLUSH_MAX_ROWS,
            FLUSH_INTERVAL,
            TRANSACTION_TIMEOUT));
    options.addAll(ReadOptions.all());
    return options;
  }

  private static Set<ConfigOption<?>> withoutCommonTimeout(Set<ConfigOption<?>> common) {
    Set<ConfigOption<?>> options = new HashSet<>(common);
    options.remove(SinkOptions.TRANSACTION_TIMEOUT);
    return options;
  }
}
