// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.Collection;
import java.util.stream.Collectors;

/** Names as SQL text: always quoted, so that PostgreSQL takes them literally. */
public final class SqlNames {

  private SqlNames() {}

  /** One name. */
  public static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** A name and the schema it is in. */
  public static String quoted(String schema, String name) {
    return quoted(schema) + '.' + quoted(name);
  }

  /** The names in order, separated by commas. */
  public static String list(Collection<String> names) {
    return names.stream().map(SqlNames::quoted).collect(Collectors.joining(", "));
  }
}
