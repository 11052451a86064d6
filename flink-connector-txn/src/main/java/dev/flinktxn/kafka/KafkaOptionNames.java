// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.table.OptionNames;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.FallbackKey;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.Factory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.FormatFactory;

/** The option names of a {@code txn-kafka} table, those of its formats among them. */
final class KafkaOptionNames {

  private final Set<String> known = new HashSet<>();
  private final Set<String> open =
      new HashSet<>(Set.of(KafkaOptions.PROPERTIES, "scan.watermark."));

  private KafkaOptionNames() {}

  /**
   * The names a table may use.
   *
   * @param formats the kind of formats the table is used with
   */
  static OptionNames of(
      Factory factory,
      DynamicTableFactory.Context context,
      Class<? extends FormatFactory> formats) {
    KafkaOptionNames names = new KafkaOptionNames();
    names.known.add(FactoryUtil.CONNECTOR.key());
    names.known.add(FactoryUtil.PROPERTY_VERSION.key());
    options(factory).map(ConfigOption::key).forEach(names.known::add);
    Map<String, String> given = context.getCatalogTable().getOptions();
    for (ConfigOption<String> option :
        Set.of(KafkaOptions.FORMAT, KafkaOptions.VALUE_FORMAT, KafkaOptions.KEY_FORMAT)) {
      String format = given.get(option.key());
      if (format != null) {
        String beginning = FactoryUtil.getFormatPrefix(option, format);
        names.addFormat(beginning, format, context.getClassLoader(), formats);
      }
    }
    return new OptionNames(names.known, names.open, Map.of());
  }

  private void addFormat(
      String beginning, String format, ClassLoader loader, Class<? extends FormatFactory> formats) {
    Factory factory;
    try {
      factory = FactoryUtil.discoverFactory(loader, formats, format);
    } catch (ValidationException e) {
      // The format is looked for again, and missed in Flink's own words, when it is created.
      open.add(beginning);
      return;
    }
    options(factory)
        .flatMap(KafkaOptionNames::keys)
        .map(beginning::concat)
        .forEach(
            name -> {
              known.add(name);
              // Options of type map are given as name.key.
              open.add(name + ".");
            });
  }

  private static Stream<ConfigOption<?>> options(Factory factory) {
    return Stream.of(factory.requiredOptions(), factory.optionalOptions())
        .flatMap(Collection::stream);
  }

  private static Stream<String> keys(ConfigOption<?> option) {
    return Stream.concat(
        Stream.of(option.key()),
        StreamSupport.stream(option.fallbackKeys().spliterator(), false).map(FallbackKey::getKey));
  }
}
