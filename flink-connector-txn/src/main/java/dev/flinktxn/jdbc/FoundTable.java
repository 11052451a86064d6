// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.List;
import java.util.Map;

/**
 * The table as the catalogs describe it.
 *
 * @param schema its schema
 * @param name its name
 * @param kind pg_class.relkind
 * @param insertable whether rows can be inserted, which a view may not allow
 * @param copyable whether COPY reaches it: not a view, and no row security for this role
 * @param checked whether more is checked than types, lengths, NOT NULL and unique keys
 * @param filling whether a trigger may fill in what a row leaves out
 * @param schemaUsable whether this role has USAGE on the schema
 * @param selectable whether this role has SELECT on the table as a whole
 * @param deletable whether this role has DELETE
 * @param columns all columns by name, in the table's order
 * @param uniqueIndexes all unique indexes, that of the primary key first
 */
public record FoundTable(
    String schema,
    String name,
    char kind,
    boolean insertable,
    boolean copyable,
    boolean checked,
    boolean filling,
    boolean schemaUsable,
    boolean selectable,
    boolean deletable,
    Map<String, FoundColumn> columns,
    List<FoundIndex> uniqueIndexes) {

  /** The name for SQL. */
  String quoted() {
    return SqlNames.quoted(schema, name);
  }

  /** The unique keys that consist of {@code written} columns alone, each once. */
  List<List<String>> uniqueKeys(List<String> written) {
    return uniqueIndexes.stream()
        .filter(FoundIndex::unique)
        .map(FoundIndex::columns)
        .filter(written::containsAll)
        .distinct()
        .toList();
  }

  /** The NOT NULL columns that are not among the {@code written} ones. */
  List<FoundColumn> omittedNotNull(List<String> written) {
    return columns.values().stream()
        .filter(column -> column.notNull() && !written.contains(column.name()))
        .toList();
  }
}
