// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.table.OptionReader;
import dev.flinktxn.table.Refusal;
import dev.flinktxn.table.TxnTableSink;
import dev.flinktxn.table.WithheldOptions;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

/**
 * The connector {@code txn-jdbc}: writes to PostgreSQL exactly once, and reads from it. Everything
 * that can be refused while a statement is planned is refused then.
 */
public final class TxnJdbcTableFactory
    implements DynamicTableSinkFactory, DynamicTableSourceFactory {

  /** The value of {@code connector}. */
  public static final String IDENTIFIER = "txn-jdbc";

  @Override
  public String factoryIdentifier() {
    return IDENTIFIER;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return JdbcOptions.required();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return JdbcOptions.optional();
  }

  @Override
  public Set<ConfigOption<?>> forwardOptions() {
    return JdbcOptions.forwarded();
  }

  @Override
  public DynamicTableSource createDynamicTableSource(Context asked) {
    Context context = WithheldOptions.complete(asked);
    Refusal refusal = refusal(context);
    try {
      JdbcOptionNames.all().check(refusal, context.getCatalogTable().getOptions().keySet());
      OptionReader reader =
          new OptionReader(
              refusal, FactoryUtil.createTableFactoryHelper(this, context).getOptions());
      return new JdbcTableSource(
          refusal,
          JdbcAddress.read(
              refusal,
              reader,
              "the source has to know where rows are",
              context.getCatalogTable().getOptions()),
          ReadOptions.read(refusal, reader),
          (RowType) context.getPhysicalRowDataType().getLogicalType(),
          generated(context));
    } catch (ValidationException e) {
      return new RefusedTable(e);
    }
  }

  private static Map<String, DataType> generated(Context context) {
    Map<String, DataType> generated = new TreeMap<>();
    for (Column column : context.getCatalogTable().getResolvedSchema().getColumns()) {
      if (column instanceof Column.MetadataColumn metadata) {
        generated.put(metadata.getMetadataKey().orElse(metadata.getName()), metadata.getDataType());
      }
    }
    return generated;
  }

  @Override
  public DynamicTableSink createDynamicTableSink(Context context) {
    JdbcSinkAdapter adapter;
    try {
      adapter = adapter(WithheldOptions.complete(context));
    } catch (ValidationException e) {
      return new RefusedTable(e);
    }
    return new TxnTableSink(
        context.getObjectIdentifier(),
        adapter.options(),
        adapter.checkpoints(),
        adapter,
        context.getPhysicalRowDataType());
  }

  /** Reads the options of a table that is written to, and refuses what cannot be. */
  JdbcSinkAdapter adapter(Context context) {
    Refusal refusal = refusal(context);
    JdbcOptionNames.all().check(refusal, context.getCatalogTable().getOptions().keySet());
    return JdbcSinkReader.of(context, refusal, FactoryUtil.createTableFactoryHelper(this, context))
        .read();
  }

  private static Refusal refusal(Context context) {
    return new Refusal(context.getObjectIdentifier().asSummaryString());
  }
}
