// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.table.PrimaryKey;
import dev.flinktxn.table.Refusal;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.FactoryUtil.TableFactoryHelper;
import org.apache.flink.types.RowKind;

/**
 * Reads a table by handing it to the official connector, if that is on the class path: to {@code
 * upsert-kafka} what is written by key, to {@code kafka} the rest.
 */
final class KafkaReading {

  private static final String APPENDED = "kafka";
  private static final String UPSERTED = "upsert-kafka";
  private static final String ISOLATION = KafkaOptions.PROPERTIES + "isolation.level";

  private KafkaReading() {}

  /**
   * The official connector's source for the table of {@code context}.
   *
   * @param helper knows the formats
   */
  static DynamicTableSource source(
      DynamicTableFactory.Context context, TableFactoryHelper helper, Refusal refusal) {
    boolean upserted = PrimaryKey.of(context).length > 0 && isInsertOnly(helper);
    String official = upserted ? UPSERTED : APPENDED;
    Map<String, String> options = handedOver(context.getCatalogTable().getOptions(), official);
    if (upserted) {
      nameAsUpsertKafkaDoes(options);
    }
    return FactoryUtil.createDynamicTableSource(
        official(official, context.getClassLoader(), refusal),
        context.getObjectIdentifier(),
        context.getCatalogTable().copy(options),
        withoutSink(context.getEnrichmentOptions()),
        context.getConfiguration(),
        context.getClassLoader(),
        context.isTemporary());
  }

  private static boolean isInsertOnly(TableFactoryHelper helper) {
    return Stream.of(KafkaOptions.FORMAT, KafkaOptions.VALUE_FORMAT)
        .flatMap(
            option ->
                helper
                    .discoverOptionalDecodingFormat(DeserializationFormatFactory.class, option)
                    .stream())
        .allMatch(format -> format.getChangelogMode().containsOnly(RowKind.INSERT));
  }

  private static DynamicTableSourceFactory official(
      String official, ClassLoader loader, Refusal refusal) {
    try {
      return FactoryUtil.discoverFactory(loader, DynamicTableSourceFactory.class, official);
    } catch (ValidationException e) {
      ValidationException refused =
          refusal.of(
              ("'%s' writes to Kafka and hands reading to the official connector '%s', which is"
                      + " not on the class path; add the jar flink-sql-connector-kafka of your"
                      + " Flink version")
                  .formatted(TxnKafkaTableFactory.IDENTIFIER, official));
      refused.addSuppressed(e);
      throw refused;
    }
  }

  /** What the official connector has to know: only what is committed is read unless told so. */
  private static Map<String, String> handedOver(Map<String, String> options, String official) {
    Map<String, String> reading = withoutSink(options);
    reading.put(FactoryUtil.CONNECTOR.key(), official);
    reading.putIfAbsent(ISOLATION, "read_committed");
    return reading;
  }

  /** It has neither {@code format} nor {@code key.fields}. */
  private static void nameAsUpsertKafkaDoes(Map<String, String> options) {
    options.remove(KafkaOptions.KEY_FIELDS.key());
    String format = options.remove(KafkaOptions.FORMAT.key());
    if (format != null) {
      options.put(KafkaOptions.VALUE_FORMAT.key(), format);
      String beginning = FactoryUtil.getFormatPrefix(KafkaOptions.VALUE_FORMAT, format);
      for (String key : Set.copyOf(options.keySet())) {
        if (key.startsWith(format + ".")) {
          options.put(beginning + key.substring(format.length() + 1), options.remove(key));
        }
      }
    }
  }

  private static Map<String, String> withoutSink(Map<String, String> options) {
    Map<String, String> reading = new HashMap<>(options);
    reading.keySet().removeIf(key -> key.startsWith("sink."));
    return reading;
  }
}
