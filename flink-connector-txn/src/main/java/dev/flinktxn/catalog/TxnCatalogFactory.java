// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.jdbc.JdbcOptions;
import dev.flinktxn.table.SinkOptions;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.factories.CatalogFactory;

/** Makes catalogs of type {@code txn}. */
public final class TxnCatalogFactory implements CatalogFactory {

  /** The value of {@code type}. */
  public static final String IDENTIFIER = "txn";

  static final ConfigOption<String> DEFAULT_DATABASE =
      ConfigOptions.key("default-database")
          .stringType()
          .defaultValue("public")
          .withDescription("The schema that is current after USE CATALOG.");

  @Override
  public String factoryIdentifier() {
    return IDENTIFIER;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of(JdbcOptions.URL);
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of(
        JdbcOptions.USERNAME,
        JdbcOptions.PASSWORD,
        DEFAULT_DATABASE,
        JdbcOptions.SCHEMA,
        SinkOptions.TRANSACTIONAL_ID_PREFIX);
  }

  @Override
  public Catalog createCatalog(Context context) {
    return new TxnCatalog(
        CatalogSettings.of(context.getName(), context.getOptions()), context.getClassLoader());
  }
}
