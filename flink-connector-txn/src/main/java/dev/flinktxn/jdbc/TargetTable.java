// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.List;

/**
 * The table that is written to, as the database's catalogs describe it.
 *
 * @param schema its schema
 * @param name its name
 * @param columns the columns that are written, in the order of the rows' fields
 * @param key the declared PRIMARY KEY, in the DDL's order; empty without one
 * @param uniqueKeys the columns of each unique constraint and unique index of the database (without
 *     WHERE and expressions), all of whose columns are written
 * @param copyable whether COPY can write to it; if not, rows go by INSERT
 * @param checked whether the database checks more than types, lengths and NOT NULL: CHECK
 *     constraints, exclusion constraints
 * @param omittedNotNull NOT NULL columns that are not written (they have defaults)
 */
record TargetTable(
    String schema,
    String name,
    List<TargetColumn> columns,
    List<String> key,
    List<List<String>> uniqueKeys,
    boolean copyable,
    boolean checked,
    List<String> omittedNotNull) {

  /** The name for SQL. */
  String quoted() {
    return SqlNames.quoted(schema, name);
  }

  List<String> columnNames() {
    return columns.stream().map(TargetColumn::name).toList();
  }

  boolean keyed() {
    return !key.isEmpty();
  }
}
