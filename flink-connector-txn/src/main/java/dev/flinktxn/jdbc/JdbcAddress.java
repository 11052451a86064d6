// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.table.OptionReader;
import dev.flinktxn.table.Refusal;
import java.io.Serializable;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;

/**
 * Where a table is and how to get there.
 *
 * @param url the JDBC URL without its parameters, hence without secrets
 * @param properties what the driver is given, the URL's parameters, user and password among them;
 *     never shown
 * @param tableName the table in the database
 */
record JdbcAddress(String url, Map<String, String> properties, TableName tableName)
    implements Serializable {

  private static final long serialVersionUID = 1L;

  /**
   * Reads it from the options of a table.
   *
   * @param purpose why it is needed, for messages
   * @param options the options as they are written
   */
  static JdbcAddress read(
      Refusal refusal, OptionReader reader, String purpose, Map<String, String> options) {
    JdbcUrl url =
        JdbcUrl.parse(
            required(
                refusal, reader, JdbcOptions.URL, purpose, "'jdbc:postgresql://host/database'"),
            refusal);
    return new JdbcAddress(
        url.address(),
        DriverProperties.of(options, url, refusal),
        tableName(refusal, reader, purpose));
  }

  private static TableName tableName(Refusal refusal, OptionReader reader, String purpose) {
    String found =
        required(refusal, reader, JdbcOptions.TABLE_NAME, purpose, "'table' or 'schema.table'");
    try {
      return TableName.parse(found);
    } catch (IllegalArgumentException e) {
      throw refusal.value(
          JdbcOptions.TABLE_NAME.key(),
          found,
          e.getMessage(),
          "write table or schema.table, and a name that holds a dot or a double quote in double"
              + " quotes, with the double quotes in it doubled");
    }
  }

  private static String required(
      Refusal refusal,
      OptionReader reader,
      ConfigOption<String> option,
      String purpose,
      String form) {
    return reader
        .options()
        .getOptional(option)
        .orElseThrow(() -> refusal.missing(option.key(), purpose, "set it to " + form));
  }

  /** The table in words, for messages. */
  String describe() {
    return "PostgreSQL table " + tableName;
  }

  /** Without the properties, which may hold secrets. */
  @Override
  public String toString() {
    return describe();
  }
}
