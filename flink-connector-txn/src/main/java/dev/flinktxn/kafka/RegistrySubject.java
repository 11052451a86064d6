// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil;

/**
 * Names the subject of formats that use a schema registry by the topic, as the official connector
 * does: {@code <topic>-key} and {@code <topic>-value}.
 */
final class RegistrySubject {

  private static final Set<String> FORMATS = Set.of("avro-confluent", "debezium-avro-confluent");

  private RegistrySubject() {}

  /** The context with the subjects that its table leaves out. */
  static DynamicTableFactory.Context complete(DynamicTableFactory.Context context) {
    Map<String, String> given = context.getCatalogTable().getOptions();
    String topic = given.get(KafkaOptions.TOPIC.key());
    if (topic == null || topic.contains(";")) {
      return context;
    }
    Map<String, String> completed = new HashMap<>(given);
    String format = KafkaOptions.FORMAT.key();
    complete(completed, format, topic + "-value");
    if (!given.containsKey(format)) {
      complete(completed, KafkaOptions.VALUE_FORMAT.key(), topic + "-value");
    }
    complete(completed, KafkaOptions.KEY_FORMAT.key(), topic + "-key");
    return completed.size() == given.size()
        ? context
        : new FactoryUtil.DefaultDynamicTableContext(
            context.getObjectIdentifier(),
            context.getCatalogTable().copy(completed),
            context.getEnrichmentOptions(),
            context.getConfiguration(),
            context.getClassLoader(),
            context.isTemporary());
  }

  private static void complete(Map<String, String> options, String formatOption, String subject) {
    String format = options.get(formatOption);
    if (format == null || !FORMATS.contains(format)) {
      return;
    }
    String beginning =
        formatOption.substring(0, formatOption.length() - KafkaOptions.FORMAT.key().length())
            + format
            + ".";
    if (!options.containsKey(beginning + "subject")) {
      options.putIfAbsent(beginning + "schema-registry.subject", subject);
    }
  }
}
