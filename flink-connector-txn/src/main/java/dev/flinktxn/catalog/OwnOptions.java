// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.jdbc.JdbcOptions;
import dev.flinktxn.jdbc.TableName;
import dev.flinktxn.jdbc.TxnJdbcTableFactory;
import dev.flinktxn.table.Refusal;
import dev.flinktxn.table.Secrets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.factories.FactoryUtil;

/**
 * Which options of a table are its own: those that it does not have from the catalog anyway. They
 * are what is kept.
 *
 * @param settings the catalog
 * @param path the table
 * @param refusal words for it
 */
record OwnOptions(CatalogSettings settings, ObjectPath path, Refusal refusal) {

  static OwnOptions of(CatalogSettings settings, ObjectPath path) {
    return new OwnOptions(settings, path, settings.refusal(path));
  }

  /** The connector that {@code options} name, or that of PostgreSQL's tables. */
  static String connector(Map<String, String> options) {
    return options.getOrDefault(FactoryUtil.CONNECTOR.key(), TxnJdbcTableFactory.IDENTIFIER);
  }

  /**
   * The own ones among {@code options}.
   *
   * @throws org.apache.flink.table.api.ValidationException if one holds a secret, or makes the
   *     table another one than its name says
   */
  Map<String, String> in(Map<String, String> options) {
    String connector = connector(options);
    Map<String, String> own = new TreeMap<>(options);
    if (connector.equals(TxnJdbcTableFactory.IDENTIFIER)) {
      checkSelf(own);
      CatalogSettings.tableOptions().check(refusal, options.keySet());
      own.remove(FactoryUtil.CONNECTOR.key());
    }
    settings
        .shownDefaults(connector, path)
        .forEach(
            (key, value) -> {
              if (!key.equals(FactoryUtil.CONNECTOR.key())) {
                own.remove(key, value);
              }
            });
    checkSecrets(connector, own);
    return own;
  }

  /** Refuses options that hold a secret. */
  void checkSecrets(String connector, Map<String, String> options) {
    options.forEach(
        (key, value) -> {
          if (Secrets.named(key) || Secrets.within(value)) {
            throw refusal.of(
                ("option '%s' holds a secret, which the database does not keep; remove it and give"
                        + " it to the catalog, as option '%s' of CREATE CATALOG")
                    .formatted(
                        key,
                        connector.equals(TxnJdbcTableFactory.IDENTIFIER)
                            ? key
                            : connector + "." + key));
          }
        });
  }

  /** Where the table is, is said by the catalog and by its name. */
  private void checkSelf(Map<String, String> own) {
    String url = own.remove(JdbcOptions.URL.key());
    if (url != null && !settings.isOwnUrl(url)) {
      throw refusal.of(
          "option 'url' is not that of the catalog, whose tables are those of its database; remove"
              + " the option, or declare a TEMPORARY TABLE");
    }
    String name = own.remove(JdbcOptions.TABLE_NAME.key());
    if (name != null && !isSelf(name)) {
      throw refusal.value(
          JdbcOptions.TABLE_NAME.key(),
          name,
          "a table of the catalog is the table of PostgreSQL that has its name",
          "remove the option (after LIKE, with EXCLUDING OPTIONS), or declare a TEMPORARY TABLE");
    }
    String user = own.remove(JdbcOptions.USERNAME.key());
    if (user != null && !user.equals(settings.options().get(JdbcOptions.USERNAME.key()))) {
      throw refusal.value(
          JdbcOptions.USERNAME.key(),
          user,
          "the catalog's role is that of its tables",
          "remove the option, or create another catalog");
    }
  }

  private boolean isSelf(String name) {
    try {
      TableName parsed = TableName.parse(name);
      return path.getObjectName().equals(parsed.table())
          && (parsed.schema() == null || path.getDatabaseName().equals(parsed.schema()));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
