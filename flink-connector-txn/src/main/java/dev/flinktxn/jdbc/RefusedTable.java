// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;

/**
 * A table that cannot be used: says why as soon as the planner asks it anything. A factory that
 * throws has its exception wrapped by Flink, together with all options of the table, and Flink does
 * not know that the URL may hold a password.
 *
 * @param why the refusal
 */
record RefusedTable(ValidationException why)
    implements DynamicTableSink, ScanTableSource, LookupTableSource {

  @Override
  public ChangelogMode getChangelogMode(ChangelogMode requestedMode) {
    throw why;
  }

  @Override
  public ChangelogMode getChangelogMode() {
    throw why;
  }

  @Override
  public SinkRuntimeProvider getSinkRuntimeProvider(DynamicTableSink.Context context) {
    throw why;
  }

  @Override
  public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
    throw why;
  }

  @Override
  public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
    throw why;
  }

  @Override
  public RefusedTable copy() {
    return this;
  }

  @Override
  public String asSummaryString() {
    return "refused table";
  }
}
