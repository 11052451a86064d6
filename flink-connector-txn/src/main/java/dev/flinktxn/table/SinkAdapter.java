// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import dev.flinktxn.protocol.ExternalSystem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.types.DataType;

/**
 * What differs between the connectors while a statement is planned. Immutable; used by the
 * planner's thread.
 */
public interface SinkAdapter {

  /**
   * The kinds of rows the target takes from a query that produces {@code requested}.
   *
   * @throws org.apache.flink.table.api.ValidationException if the query's kinds cannot be written
   */
  ChangelogMode changelogMode(ChangelogMode requested);

  /** Positions of the declared PRIMARY KEY among the physical columns; empty without one. */
  int[] key();

  /**
   * How long a transaction may stay open, from its first row to the commit after a checkpoint;
   * empty when the statement does not limit it.
   */
  Optional<Duration> transactionLimit();

  /**
   * Why the target takes no transactions from this user, as a part of a sentence, as far as it can
   * be asked while planning. Asked only where the sink may fall back to idempotent upserts: the
   * decision is one for all subtasks.
   */
  Optional<String> obstacle();

  /** The metadata columns that can be written, with their types, in the order of the target. */
  Map<String, DataType> writableMetadata();

  /**
   * The target itself.
   *
   * @param consumed the type of the rows: the physical columns, then the metadata columns
   * @param metadata the keys of the metadata columns, in the rows' order
   * @param context what formats need to create their encoders
   */
  ExternalSystem system(DataType consumed, List<String> metadata, DynamicTableSink.Context context);

  /** The connector and its target in a few words, for plans; no secrets. */
  String summary();
}
