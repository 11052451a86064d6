// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.table.Refusal;
import dev.flinktxn.table.TxnTableSink;
import dev.flinktxn.table.WithheldOptions;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.SerializationFormatFactory;

/**
 * The connector {@code txn-kafka}: writes to Kafka exactly once, reads through the official
 * connector. Everything that can be refused while a statement is planned is refused here.
 */
public final class TxnKafkaTableFactory
    implements DynamicTableSinkFactory, DynamicTableSourceFactory {

  /** The value of {@code connector}. */
  public static final String IDENTIFIER = "txn-kafka";

  @Override
  public String factoryIdentifier() {
    return IDENTIFIER;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return KafkaOptions.required();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return KafkaOptions.optional();
  }

  @Override
  public Set<ConfigOption<?>> forwardOptions() {
    return KafkaOptions.forwarded();
  }

  @Override
  public DynamicTableSource createDynamicTableSource(Context context) {
    Refusal refusal = new Refusal(context.getObjectIdentifier().asSummaryString());
    KafkaOptionNames.of(this, context, DeserializationFormatFactory.class)
        .check(refusal, context.getCatalogTable().getOptions().keySet());
    return KafkaReading.source(
        context, FactoryUtil.createTableFactoryHelper(this, context), refusal);
  }

  @Override
  public DynamicTableSink createDynamicTableSink(Context context) {
    KafkaSinkAdapter adapter = adapter(WithheldOptions.complete(context));
    return new TxnTableSink(
        context.getObjectIdentifier(),
        adapter.options(),
        adapter.checkpoints(),
        adapter,
        context.getPhysicalRowDataType());
  }

  /** Reads the options of a table that is written to, and refuses what cannot be. */
  KafkaSinkAdapter adapter(Context context) {
    Refusal refusal = new Refusal(context.getObjectIdentifier().asSummaryString());
    KafkaOptionNames.of(this, context, SerializationFormatFactory.class)
        .check(refusal, context.getCatalogTable().getOptions().keySet());
    return new KafkaSinkReader(context, refusal)
        .read(FactoryUtil.createTableFactoryHelper(this, RegistrySubject.complete(context)));
  }
}
