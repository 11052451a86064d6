// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.Serializable;

/**
 * The name of a table in the database, taken literally.
 *
 * @param schema its schema; null where the search path decides
 * @param table the table
 */
record TableName(String schema, String table) implements Serializable {

  /** The name for SQL. */
  String quoted() {
    return schema == null ? SqlNames.quoted(table) : SqlNames.quoted(schema, table);
  }

  @Override
  public String toString() {
    return quoted();
  }
}
