// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Compares the declared PRIMARY KEY with the unique keys of the database. They must agree as sets:
 * rows upserted by fewer or more columns than the database compares would overwrite strangers or be
 * refused.
 *
 * @param table the table in the database
 * @param key the declared key, not empty
 */
record KeyChecks(FoundTable table, List<String> key) {

  /** What does not fit and the ways out, in sentences; empty if the key fits. */
  Optional<String> finding() {
    if (table.uniqueIndexes().stream().anyMatch(index -> index.serves(key))) {
      return Optional.empty();
    }
    String found =
        table.uniqueIndexes().isEmpty()
            ? "has no unique key"
            : table.uniqueIndexes().stream()
                .map(FoundIndex::describe)
                .distinct()
                .collect(Collectors.joining(", ", "has unique keys ", ""));
    return Optional.of(
        "The DDL declares PRIMARY KEY (%s), but the table %s. %s CREATE UNIQUE INDEX ON %s (%s)."
            .formatted(SqlNames.list(key), found, remedy(), table.quoted(), SqlNames.list(key)));
  }

  /** First the way out by another declaration, where a key of the database would do. */
  private String remedy() {
    return table.uniqueIndexes().stream()
        .filter(index -> index.serves(index.columns()))
        .findFirst()
        .map(
            index ->
                index.columns().stream()
                    .map(column -> '`' + column.replace("`", "``") + '`')
                    .collect(
                        Collectors.joining(
                            ", ", "Declare PRIMARY KEY (", ") NOT ENFORCED in the DDL, or run")))
        .orElse("Run");
  }
}
