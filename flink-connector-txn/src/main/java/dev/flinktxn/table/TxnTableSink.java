// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.abilities.SupportsWritingMetadata;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

/** The table sink of both connectors: one INSERT into one table. Used by the planner's thread. */
public final class TxnTableSink implements DynamicTableSink, SupportsWritingMetadata {

  private final ObjectIdentifier table;
  private final CommonOptions options;
  private final CheckpointSettings checkpoints;
  private final SinkAdapter adapter;
  private DataType consumed;
  private List<String> metadata = List.of();

  /**
   * A sink whose options have been checked.
   *
   * @param consumed the table's physical row type
   */
  public TxnTableSink(
      ObjectIdentifier table,
      CommonOptions options,
      CheckpointSettings checkpoints,
      SinkAdapter adapter,
      DataType consumed) {
    this.table = table;
    this.options = options;
    this.checkpoints = checkpoints;
    this.adapter = adapter;
    this.consumed = consumed;
  }

  @Override
  public ChangelogMode getChangelogMode(ChangelogMode requestedMode) {
    return adapter.changelogMode(requestedMode);
  }

  @Override
  public Map<String, DataType> listWritableMetadata() {
    return adapter.writableMetadata();
  }

  @Override
  public void applyWritableMetadata(List<String> metadataKeys, DataType consumedDataType) {
    metadata = List.copyOf(metadataKeys);
    consumed = consumedDataType;
  }

  @Override
  public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
    boolean batch = context.isBounded();
    return new SinkPlacement(
        table,
        options,
        checkpoints,
        batch,
        adapter.transactionLimit(),
        adapter.key().length == 0
            ? Optional.empty()
            : Optional.of(KeyHash.of((RowType) consumed.getLogicalType(), adapter.key())),
        adapter::obstacle,
        adapter.system(consumed, metadata, context));
  }

  @Override
  public DynamicTableSink copy() {
    TxnTableSink copy = new TxnTableSink(table, options, checkpoints, adapter, consumed);
    copy.metadata = metadata;
    return copy;
  }

  @Override
  public String asSummaryString() {
    return adapter.summary();
  }
}
