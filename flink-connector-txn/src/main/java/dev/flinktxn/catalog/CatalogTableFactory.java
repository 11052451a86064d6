// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.table.WithheldOptions;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;

/**
 * The factory that the planner asks for sources and sinks of the catalog's tables: adds what the
 * catalog has for them, secrets too, and leaves the rest to the factory of the connector. Flink
 * shows the options of the table it asked for, never those that are added here.
 *
 * @param settings the catalog
 */
record CatalogTableFactory(CatalogSettings settings)
    implements DynamicTableSinkFactory, DynamicTableSourceFactory {

  @Override
  public DynamicTableSink createDynamicTableSink(Context context) {
    DynamicTableFactory.Context complete = complete(context);
    return factory(DynamicTableSinkFactory.class, complete).createDynamicTableSink(complete);
  }

  @Override
  public DynamicTableSource createDynamicTableSource(Context context) {
    DynamicTableFactory.Context complete = complete(context);
    return factory(DynamicTableSourceFactory.class, complete).createDynamicTableSource(complete);
  }

  private static <T extends DynamicTableFactory> T factory(
      Class<T> type, DynamicTableFactory.Context table) {
    return FactoryUtil.discoverFactory(
        table.getClassLoader(),
        type,
        table.getCatalogTable().getOptions().get(FactoryUtil.CONNECTOR.key()));
  }

  private DynamicTableFactory.Context complete(DynamicTableFactory.Context asked) {
    DynamicTableFactory.Context context = WithheldOptions.complete(asked);
    ResolvedCatalogTable table = context.getCatalogTable();
    Map<String, String> given = table.getOptions();
    return new FactoryUtil.DefaultDynamicTableContext(
        context.getObjectIdentifier(),
        table.copy(
            settings.complete(
                OwnOptions.connector(given), context.getObjectIdentifier().toObjectPath(), given)),
        context.getEnrichmentOptions(),
        context.getConfiguration(),
        context.getClassLoader(),
        context.isTemporary());
  }

  @Override
  public String factoryIdentifier() {
    return TxnCatalogFactory.IDENTIFIER;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of();
  }

  /** Without the options, which may hold secrets. */
  @Override
  public String toString() {
    return settings.toString();
  }
}
