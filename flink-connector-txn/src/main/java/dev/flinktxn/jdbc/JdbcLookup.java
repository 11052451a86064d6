// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.LookupFunction;

/** Looks rows up one key after the other, on the task's thread. */
public final class JdbcLookup extends LookupFunction {
  private static final long serialVersionUID = 1L;

  private final ReadTarget target;
  private final int[] keyFields;
  private final int maxRetries;
  private transient LookupQuery query;

  JdbcLookup(ReadTarget target, int[] keyFields, int maxRetries) {
    this.target = target;
    this.keyFields = keyFields;
    this.maxRetries = maxRetries;
  }

  @Override
  public void open(FunctionContext context) throws IOException {
    query = new LookupQuery(target, keyFields, maxRetries);
    query.open();
  }

  @Override
  public Collection<RowData> lookup(RowData keyRow) throws IOException {
    return query.find(List.of(keyRow)).values().stream().findAny().orElse(List.of());
  }

  @Override
  public void close() {
    if (query != null) {
      query.close();
    }
  }
}
