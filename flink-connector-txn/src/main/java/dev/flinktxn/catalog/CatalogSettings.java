// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.jdbc.DriverProperties;
import dev.flinktxn.jdbc.JdbcOptions;
import dev.flinktxn.jdbc.JdbcUrl;
import dev.flinktxn.jdbc.TableName;
import dev.flinktxn.jdbc.TxnJdbcTableFactory;
import dev.flinktxn.kafka.TxnKafkaTableFactory;
import dev.flinktxn.protocol.TransactionName;
import dev.flinktxn.table.OptionNames;
import dev.flinktxn.table.Refusal;
import dev.flinktxn.table.Secrets;
import dev.flinktxn.table.SinkOptions;
import dev.flinktxn.table.WithheldOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.catalog.CommonCatalogOptions;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.factories.FactoryUtil;

/**
 * The options of a catalog, and what its tables have from them.
 *
 * @param name the catalog's name
 * @param options its options, secrets among them
 * @param url the option {@code url}, taken apart
 * @param driver what the driver is given, secrets among it
 */
record CatalogSettings(
    String name, Map<String, String> options, JdbcUrl url, Map<String, String> driver) {

  /** Beginnings of the options that are defaults of {@code txn-jdbc} tables. */
  private static final List<String> TABLE_DEFAULTS =
      List.of("sink.", "scan.", "lookup.", JdbcOptions.PROPERTIES);

  private static final String PREFIX = SinkOptions.TRANSACTIONAL_ID_PREFIX.key();

  /** Connectors that have transactions to name. */
  private static final Set<String> TRANSACTIONAL =
      Set.of(TxnJdbcTableFactory.IDENTIFIER, TxnKafkaTableFactory.IDENTIFIER);

  /**
   * Reads and checks the options.
   *
   * @throws org.apache.flink.table.api.ValidationException if they cannot be used
   */
  static CatalogSettings of(String name, Map<String, String> options) {
    Refusal refusal = new Refusal("Catalog", name);
    checkNames(refusal, options);
    String url = options.get(JdbcOptions.URL.key());
    if (url == null) {
      throw refusal.missing(
          JdbcOptions.URL.key(),
          "the catalog has to know the database",
          "set it to 'jdbc:postgresql://host/database'");
    }
    String prefix = options.get(PREFIX);
    if (prefix != null && !TransactionName.isPrefix(prefix)) {
      throw refusal.value(
          PREFIX,
          prefix,
          "it has to be 1 to 64 characters of A-Z a-z 0-9 . _ -",
          "correct the value");
    }
    JdbcUrl parsed = JdbcUrl.parse(url, refusal);
    return new CatalogSettings(
        name, Map.copyOf(options), parsed, DriverProperties.of(options, parsed, refusal));
  }

  /** The options that {@code txn-jdbc} tables may have. */
  static OptionNames tableOptions() {
    TxnJdbcTableFactory factory = new TxnJdbcTableFactory();
    return new OptionNames(
        Stream.of(
                factory.requiredOptions(),
                factory.optionalOptions(),
                Set.<ConfigOption<?>>of(FactoryUtil.CONNECTOR, FactoryUtil.PROPERTY_VERSION))
            .flatMap(Set::stream)
            .map(ConfigOption::key)
            .collect(Collectors.toSet()),
        Set.of(JdbcOptions.PROPERTIES),
        Map.of());
  }

  /** A dot in any other name ends the name of a connector, unless that is a misspelt beginning. */
  private static void checkNames(Refusal refusal, Map<String, String> options) {
    Set<String> known =
        new HashSet<>(
            Set.of(
                CommonCatalogOptions.CATALOG_TYPE.key(),
                FactoryUtil.PROPERTY_VERSION.key(),
                TxnCatalogFactory.DEFAULT_DATABASE.key(),
                JdbcOptions.URL.key(),
                JdbcOptions.USERNAME.key(),
                JdbcOptions.PASSWORD.key()));
    tableOptions().known().stream()
        .filter(key -> TABLE_DEFAULTS.stream().anyMatch(key::startsWith))
        .forEach(known::add);
    Set<String> connectors =
        options.keySet().stream()
            .filter(key -> key.indexOf('.') > 0)
            .map(key -> key.substring(0, key.indexOf('.') + 1))
            .filter(
                connector ->
                    TABLE_DEFAULTS.stream()
                        .noneMatch(own -> OptionNames.distance(connector, own) <= 2))
            .collect(Collectors.toSet());
    connectors.add(JdbcOptions.PROPERTIES);
    new OptionNames(known, connectors, Map.of()).check(refusal, options.keySet());
  }

  String defaultDatabase() {
    return options.getOrDefault(
        TxnCatalogFactory.DEFAULT_DATABASE.key(),
        TxnCatalogFactory.DEFAULT_DATABASE.defaultValue());
  }

  /** The schema that holds the ledger, the staging tables and the definitions. */
  String ledgerSchema() {
    return options.getOrDefault(JdbcOptions.SCHEMA.key(), JdbcOptions.SCHEMA.defaultValue());
  }

  /** Words for one of its tables. */
  Refusal refusal(ObjectPath table) {
    return new Refusal(name + "." + table.getFullName());
  }

  /** What a table has from the catalog, secrets included. */
  Map<String, String> defaults(String connector, ObjectPath table) {
    Map<String, String> defaults = new TreeMap<>();
    if (TRANSACTIONAL.contains(connector) && options.containsKey(PREFIX)) {
      defaults.put(PREFIX, TablePrefix.of(options.get(PREFIX), table));
    }
    String beginning = connector + ".";
    options.forEach(
        (key, value) -> {
          if (key.startsWith(beginning)) {
            defaults.put(key.substring(beginning.length()), value);
          }
        });
    if (connector.equals(TxnJdbcTableFactory.IDENTIFIER)) {
      options.forEach(
          (key, value) -> {
            if (TABLE_DEFAULTS.stream().anyMatch(key::startsWith) && !key.equals(PREFIX)) {
              defaults.put(key, value);
            }
          });
      Stream.of(JdbcOptions.URL, JdbcOptions.USERNAME, JdbcOptions.PASSWORD)
          .map(ConfigOption::key)
          .filter(options::containsKey)
          .forEach(key -> defaults.put(key, options.get(key)));
      defaults.put(
          JdbcOptions.TABLE_NAME.key(),
          new TableName(table.getDatabaseName(), table.getObjectName()).spelled());
    }
    defaults.put(FactoryUtil.CONNECTOR.key(), connector);
    return defaults;
  }

  /** What a table shows of {@link #defaults}. */
  Map<String, String> shownDefaults(String connector, ObjectPath table) {
    Map<String, String> shown = new TreeMap<>();
    defaults(connector, table)
        .forEach(
            (key, value) -> {
              if (!Secrets.named(key) && !Secrets.within(value)) {
                shown.put(key, value);
              }
            });
    if (connector.equals(TxnJdbcTableFactory.IDENTIFIER)) {
      shown.put(JdbcOptions.URL.key(), shownUrl());
    }
    return shown;
  }

  /** The options of a table as it shows them; what it has besides is withheld. */
  Map<String, String> tableOptions(String connector, ObjectPath table, Map<String, String> own) {
    Map<String, String> shown = shownDefaults(connector, table);
    Map<String, String> withheld = defaults(connector, table);
    withheld.entrySet().removeAll(shown.entrySet());
    withheld.keySet().removeAll(own.keySet());
    shown.putAll(own);
    return new WithheldOptions(shown, withheld);
  }

  /**
   * The options of a table as its connector needs them. A table that an OPTIONS hint sends to
   * another database gets no credentials of this one.
   */
  Map<String, String> complete(String connector, ObjectPath table, Map<String, String> given) {
    Map<String, String> complete = defaults(connector, table);
    String url = given.get(JdbcOptions.URL.key());
    boolean elsewhere =
        connector.equals(TxnJdbcTableFactory.IDENTIFIER) && url != null && !isOwnUrl(url);
    if (elsewhere) {
      complete.keySet().removeIf(key -> isCredential(key, complete.get(key)));
    }
    complete.putAll(given);
    if (!elsewhere && connector.equals(TxnJdbcTableFactory.IDENTIFIER)) {
      complete.put(JdbcOptions.URL.key(), options.get(JdbcOptions.URL.key()));
    }
    return complete;
  }

  private static boolean isCredential(String key, String value) {
    return key.equals(JdbcOptions.USERNAME.key()) || Secrets.named(key) || Secrets.within(value);
  }

  /** Whether a URL is the catalog's, as it was given or as it is shown. */
  boolean isOwnUrl(String other) {
    return other.equals(options.get(JdbcOptions.URL.key())) || other.equals(shownUrl());
  }

  /** The URL without the parameters that hold secrets. */
  private String shownUrl() {
    if (!Secrets.within(options.get(JdbcOptions.URL.key()))
        && url.parameters().keySet().stream().noneMatch(Secrets::named)) {
      return options.get(JdbcOptions.URL.key());
    }
    return url.parameters().entrySet().stream()
        .filter(parameter -> !Secrets.named(parameter.getKey()))
        .map(parameter -> parameter.getKey() + "=" + encoded(parameter.getValue()))
        .reduce((left, right) -> left + "&" + right)
        .map(parameters -> url.address() + "?" + parameters)
        .orElse(url.address());
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** Without the options, which may hold secrets. */
  @Override
  public String toString() {
    return name + " at " + url;
  }
}
