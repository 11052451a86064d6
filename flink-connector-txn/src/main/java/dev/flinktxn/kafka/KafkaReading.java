// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.table.Refusal;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;

/** Reads a table by handing it to the official Kafka connector, if that is on the class path. */
final class KafkaReading {

  private static final String OFFICIAL = "kafka";
  private static final String ISOLATION = KafkaOptions.PROPERTIES + "isolation.level";

  private KafkaReading() {}

  /** The official connector's source for the table of {@code context}. */
  static DynamicTableSource source(DynamicTableFactory.Context context, Refusal refusal) {
    DynamicTableSourceFactory official = official(context.getClassLoader(), refusal);
    return FactoryUtil.createDynamicTableSource(
        official,
        context.getObjectIdentifier(),
        context.getCatalogTable().copy(handedOver(context.getCatalogTable().getOptions())),
        withoutSink(context.getEnrichmentOptions()),
        context.getConfiguration(),
        context.getClassLoader(),
        context.isTemporary());
  }

  private static DynamicTableSourceFactory official(ClassLoader loader, Refusal refusal) {
    try {
      return FactoryUtil.discoverFactory(loader, DynamicTableSourceFactory.class, OFFICIAL);
    } catch (ValidationException e) {
      ValidationException refused =
          refusal.of(
              ("'%s' writes to Kafka and hands reading to the official connector '%s', which is"
                      + " not on the class path; add the jar flink-sql-connector-kafka of your"
                      + " Flink version")
                  .formatted(TxnKafkaTableFactory.IDENTIFIER, OFFICIAL));
      refused.addSuppressed(e);
      throw refused;
    }
  }

  /** What the official connector has to know: only what is committed is read unless told so. */
  private static Map<String, String> handedOver(Map<String, String> options) {
    Map<String, String> reading = withoutSink(options);
    reading.put(FactoryUtil.CONNECTOR.key(), OFFICIAL);
    reading.putIfAbsent(ISOLATION, "read_committed");
    return reading;
  }

  private static Map<String, String> withoutSink(Map<String, String> options) {
    Map<String, String> reading = new HashMap<>(options);
    reading.keySet().removeIf(key -> key.startsWith("sink."));
    return reading;
  }
}
