// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;

/** What the planner tells a factory of table {@code c.d.orders}. */
final class TableContexts {

  private TableContexts() {}

  /** A table of {@code columns} with {@code options}, whose factories {@code loader} finds. */
  static DynamicTableFactory.Context table(
      Map<String, String> options, ClassLoader loader, Column... columns) {
    ResolvedSchema resolved = ResolvedSchema.of(columns);
    return new FactoryUtil.DefaultDynamicTableContext(
        ObjectIdentifier.of("c", "d", "orders"),
        new ResolvedCatalogTable(
            CatalogTable.newBuilder()
                .schema(Schema.newBuilder().fromResolvedSchema(resolved).build())
                .options(options)
                .build(),
            resolved),
        Map.of(),
        new Configuration(),
        loader,
        false);
  }

  /** What formats are told when they create their encoders. */
  static DynamicTableSink.Context sink() {
    return new DynamicTableSink.Context() {
      @Override
      public boolean isBounded() {
        return false;
      }

      @Override
      public <T> TypeInformation<T> createTypeInformation(DataType type) {
        throw new UnsupportedOperationException();
      }

      @Override
      public <T> TypeInformation<T> createTypeInformation(LogicalType type) {
        throw new UnsupportedOperationException();
      }

      @Override
      public DynamicTableSink.DataStructureConverter createDataStructureConverter(DataType type) {
        throw new UnsupportedOperationException();
      }

      @Override
      public Optional<int[][]> getTargetColumns() {
        return Optional.empty();
      }
    };
  }

  /** The target of an INSERT into the table. */
  static KafkaTarget target(Map<String, String> options, List<String> metadata, Column... columns) {
    DynamicTableFactory.Context context =
        table(options, TableContexts.class.getClassLoader(), columns);
    return new TxnKafkaTableFactory().adapter(context).target(metadata, sink());
  }
}
