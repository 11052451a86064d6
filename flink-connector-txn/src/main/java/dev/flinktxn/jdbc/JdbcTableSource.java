// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.table.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.connector.source.abilities.SupportsFilterPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsLimitPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsProjectionPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsReadingMetadata;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

/** The table source: bounded scans and lookups of one table. Used by the planner's thread. */
final class JdbcTableSource
    implements ScanTableSource,
        LookupTableSource,
        SupportsProjectionPushDown,
        SupportsFilterPushDown,
        SupportsLimitPushDown,
        SupportsReadingMetadata {

  private static final long NO_LIMIT = -1;

  private final Refusal refusal;
  private final JdbcAddress address;
  private final ReadOptions options;
  private final RowType declared;
  private final Map<String, DataType> generated;
  private List<RowType.RowField> physical;
  private List<String> wanted = List.of();
  private List<PushedCondition> conditions = List.of();
  private long limit = NO_LIMIT;

  /**
   * A source whose options have been checked.
   *
   * @param refusal words for the table
   * @param declared the table's physical columns
   * @param generated its metadata columns, by key: the columns that only the database writes
   */
  JdbcTableSource(
      Refusal refusal,
      JdbcAddress address,
      ReadOptions options,
      RowType declared,
      Map<String, DataType> generated) {
    this.refusal = refusal;
    this.address = address;
    this.options = options;
    this.declared = declared;
    this.generated = generated;
    this.physical = declared.getFields();
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
    physical =
        Arrays.stream(projectedFields).map(path -> declared.getFields().get(path[0])).toList();
  }

  @Override
  public Map<String, DataType> listReadableMetadata() {
    return generated;
  }

  @Override
  public void applyReadableMetadata(List<String> metadataKeys, DataType producedDataType) {
    wanted = List.copyOf(metadataKeys);
  }

  /** Of columns in the database, metadata columns behind the others. */
  private RowType with(List<RowType.RowField> columns, Collection<String> keys) {
    List<RowType.RowField> fields = new ArrayList<>(columns);
    keys.forEach(key -> fields.add(new RowType.RowField(key, generated.get(key).getLogicalType())));
    return new RowType(false, fields);
  }

  private RowType rows() {
    return with(physical, wanted);
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
    RowType rows = rows();
    int[] keys = Arrays.stream(context.getKeys()).mapToInt(path -> path[0]).toArray();
    for (int key : keys) {
      LookupKey.check(refusal, rows.getFieldNames().get(key), rows.getTypeAt(key));
    }
    return JdbcLookupProvider.of(target(NO_LIMIT), keys, options.maxRetries(), options.cache());
  }

  private ReadTarget target(long enough) {
    RowType all = with(declared.getFields(), generated.keySet());
    return new ReadTarget(refusal.table(), address, all, rows(), conditions, enough);
  }

  @Override
  public DynamicTableSource copy() {
    JdbcTableSource copy = new JdbcTableSource(refusal, address, options, declared, generated);
    copy.physical = physical;
    copy.wanted = wanted;
    copy.conditions = conditions;
    copy.limit = limit;
    return copy;
  }

  @Override
  public String asSummaryString() {
    return address.describe();
  }
}
