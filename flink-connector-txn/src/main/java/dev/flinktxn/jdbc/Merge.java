// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The statements that move rows from a table of encoded rows into the target. Of the rows of one
 * key the last one decides; deletes come first, so that a unique value that moves to another key is
 * free; writes go in key order, so that two writers of the same keys wait for each other in the
 * same order.
 *
 * @param target the target, quoted
 * @param columns its columns that are written
 * @param key its key; empty for appended rows
 * @param onExistingKey what happens to a row whose key exists
 * @param deletes whether some rows delete
 */
record Merge(
    String target,
    List<String> columns,
    List<String> key,
    OnExistingKey onExistingKey,
    boolean deletes) {

  static Merge of(Unit unit, OnExistingKey onExistingKey) {
    return new Merge(
        unit.quotedTarget(), unit.columns(), unit.key(), onExistingKey, unit.deletes());
  }

  /** The statements for rows in {@code source}, a quoted table. */
  List<String> from(String source) {
    List<String> statements = new ArrayList<>();
    if (key.isEmpty() || onExistingKey != OnExistingKey.UPDATE) {
      statements.add(append(source));
      return statements;
    }
    if (deletes) {
      statements.add(delete(source));
    }
    statements.add(upsert(source));
    return statements;
  }

  private String append(String source) {
    String order =
        key.isEmpty() ? "" : " ORDER BY " + SqlNames.list(key) + ", " + SqlNames.quoted(Unit.ORDER);
    return "INSERT INTO "
        + target
        + " ("
        + SqlNames.list(columns)
        + ") SELECT "
        + SqlNames.list(columns)
        + " FROM "
        + source
        + order
        + (onExistingKey == OnExistingKey.IGNORE ? " ON CONFLICT DO NOTHING" : "");
  }

  /** The last row of each key, in key order. */
  private String folded(String source) {
    return "(SELECT DISTINCT ON ("
        + SqlNames.list(key)
        + ") * FROM "
        + source
        + " ORDER BY "
        + SqlNames.list(key)
        + ", "
        + SqlNames.quoted(Unit.ORDER)
        + " DESC) last";
  }

  private String delete(String source) {
    return "DELETE FROM "
        + target
        + " target USING "
        + folded(source)
        + " WHERE last."
        + SqlNames.quoted(Unit.OPERATION)
        + " = "
        + RowEncoder.DELETE
        + key.stream()
            .map(SqlNames::quoted)
            .map(column -> " AND target." + column + " = last." + column)
            .collect(Collectors.joining());
  }

  private String upsert(String source) {
    List<String> others = columns.stream().filter(column -> !key.contains(column)).toList();
    String update =
        others.isEmpty()
            ? "NOTHING"
            : "UPDATE SET "
                + others.stream()
                    .map(SqlNames::quoted)
                    .map(column -> column + " = EXCLUDED." + column)
                    .collect(Collectors.joining(", "));
    return "INSERT INTO "
        + target
        + " ("
        + SqlNames.list(columns)
        + ") SELECT "
        + SqlNames.list(columns)
        + " FROM "
        + folded(source)
        + (deletes ? " WHERE " + SqlNames.quoted(Unit.OPERATION) + " = " + RowEncoder.UPSERT : "")
        + " ORDER BY "
        + SqlNames.list(key)
        + " ON CONFLICT ("
        + SqlNames.list(key)
        + ") DO "
        + update;
  }
}
