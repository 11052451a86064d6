// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.table.Refusal;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.connector.source.abilities.SupportsFilterPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsLimitPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsProjectionPushDown;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

/** The table source: bounded scans and lookups of one table. Used by the planner's thread. */
final class JdbcTableSource
    implements ScanTableSource,
        LookupTableSource,
        SupportsProjectionPushDown,
        SupportsFilterPushDown,
        SupportsLimitPushDown {

  private static final long NO_LIMIT = -1;

  private final Refusal refusal;
  private final JdbcAddress address;
  private final ReadOptions options;
  private final RowType declared;
  private RowType rows;
  private List<PushedCondition> conditions = List.of();
  private long limit = NO_LIMIT;

  /**
   * A source whose options have been checked.
   *
   * @param refusal words for the table
   * @param declared the table's physical columns
   */
  JdbcTableSource(Refusal refusal, JdbcAddress address, ReadOptions options, RowType declared) {
    this.refusal = refusal;
    this.address = address;
    this.options = options;
    this.declared = declared;
    this.rows = declared;
  }

  @Override
  public ChangelogMode getChangelogMode() {
    return ChangelogMode.insertOnly();
  }

  @Override
  public boolean supportsNestedProjection() {
    return false;
  }

  @Override
  public void applyProjection(int[][] projectedFields, DataType producedDataType) {
    rows = (RowType) producedDataType.getLogicalType();
  }

  @Override
  public Result applyFilters(List<ResolvedExpression> filters) {
    ConditionTranslation.Divided divided = new ConditionTranslation(declared).divide(filters);
    conditions = List.copyOf(divided.conditions());
    return Result.of(divided.accepted(), divided.remaining());
  }

  @Override
  public void applyLimit(long rowsWanted) {
    limit = rowsWanted;
  }

  @Override
  public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
    return SourceProvider.of(
        new JdbcScan(target(limit), options.fetchSize()), options.parallelism());
  }

  @Override
  public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
    int[] keys = Arrays.stream(context.getKeys()).mapToInt(path -> path[0]).toArray();
    for (int key : keys) {
      LookupKey.check(refusal, rows.getFieldNames().get(key), rows.getTypeAt(key));
    }
    return JdbcLookupProvider.of(target(NO_LIMIT), keys, options.maxRetries(), options.cache());
  }

  private ReadTarget target(long enough) {
    return new ReadTarget(refusal.table(), address, declared, rows, conditions, enough);
  }

  @Override
  public DynamicTableSource copy() {
    JdbcTableSource copy = new JdbcTableSource(refusal, address, options, declared);
    copy.rows = rows;
    copy.conditions = conditions;
    copy.limit = limit;
    return copy;
  }

  @Override
  public String asSummaryString() {
    return address.describe();
  }
}
