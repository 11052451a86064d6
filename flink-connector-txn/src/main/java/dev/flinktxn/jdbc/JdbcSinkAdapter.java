// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.ExternalSystem;
import dev.flinktxn.table.CheckpointSettings;
import dev.flinktxn.table.CommonOptions;
import dev.flinktxn.table.PrimaryKey;
import dev.flinktxn.table.Refusal;
import dev.flinktxn.table.SinkAdapter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans one INSERT into PostgreSQL. The components without a line here are those of {@link
 * JdbcTarget}.
 *
 * @param refusal words for the table
 * @param options the common options, the transaction timeout among them
 * @param checkpoints how the job takes checkpoints
 * @param address where the table is
 * @param key positions of the PRIMARY KEY, in its order
 */
record JdbcSinkAdapter(
    Refusal refusal,
    CommonOptions options,
    CheckpointSettings checkpoints,
    JdbcAddress address,
    CommitStrategy strategy,
    OnExistingKey onExistingKey,
    long inlineMaxBytes,
    String schema,
    Duration ledgerRetention,
    int flushMaxRows,
    Duration flushInterval,
    int[] key)
    implements SinkAdapter {

  private static final Logger LOG = LoggerFactory.getLogger(JdbcSinkAdapter.class);

  private static final Duration ANSWER = Duration.ofSeconds(10);

  @Override
  public ChangelogMode changelogMode(ChangelogMode requested) {
    boolean changes = !requested.containsOnly(RowKind.INSERT);
    if (changes && key.length == 0) {
      throw refusal.of(
          "the query updates or deletes rows, but the table has no key to do so by; declare"
              + " PRIMARY KEY (...) NOT ENFORCED");
    }
    if (changes && onExistingKey != OnExistingKey.UPDATE) {
      throw refusal.value(
          JdbcOptions.ON_EXISTING_KEY.key(),
          onExistingKey,
          "the query updates or deletes rows",
          "set it to '%s' or remove it".formatted(OnExistingKey.UPDATE));
    }
    return key.length == 0 ? ChangelogMode.insertOnly() : PrimaryKey.CHANGES;
  }

  @Override
  public Optional<String> obstacle() {
    try (Database database = new Database(refusal.table(), address, ANSWER)) {
      return LedgerRights.ask(database.connection(), schema)
          .missing()
          .map(missing -> "the ledger cannot be used (" + missing + ")");
    } catch (SQLException e) {
      // The tasks will say what is wrong; without an answer nothing is given up.
      LOG.info(
          "Table {}: the database could not be asked about '{}' while planning: {}",
          refusal.table(),
          JdbcOptions.SCHEMA.key(),
          Trouble.words(e));
      return Optional.empty();
    }
  }

  /** Nothing of a transaction is open in the database between checkpoints. */
  @Override
  public Optional<Duration> transactionLimit() {
    return Optional.empty();
  }

  @Override
  public Map<String, DataType> writableMetadata() {
    return Map.of();
  }

  @Override
  public ExternalSystem system(
      DataType consumed, List<String> metadata, DynamicTableSink.Context context) {
    return new JdbcSystem(target((RowType) consumed.getLogicalType()));
  }

  /** What the tasks are given to write {@code rows}. */
  JdbcTarget target(RowType rows) {
    return new JdbcTarget(
        refusal.table(),
        address.url(),
        address.properties(),
        address.tableName(),
        rows,
        Arrays.stream(key).mapToObj(rows.getFieldNames()::get).toList(),
        options.prefix().orElse(null),
        strategy,
        onExistingKey,
        inlineMaxBytes,
        schema,
        ledgerRetention,
        flushMaxRows,
        flushInterval,
        options.transactionTimeout().orElseThrow(),
        preparedPerSubtask());
  }

  /** That of each checkpoint under way, and that of one whose completion is still being told. */
  private int preparedPerSubtask() {
    if (strategy == CommitStrategy.LEDGER) {
      return 0;
    }
    // Without checkpoints there is one at the end of the input.
    return checkpoints.enabled() ? checkpoints.concurrent() + 1 : 1;
  }

  @Override
  public String summary() {
    return address.describe();
  }

  /** Without the properties, which may hold secrets. */
  @Override
  public String toString() {
    return summary();
  }
}
