// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Compares the rights that writing takes with those that this role has on the table. A right on all
 * columns concerned is as good as one on the table.
 *
 * @param table the table in the database
 * @param role this role
 * @param target what is written to it, and how
 */
record TableRights(FoundTable table, String role, JdbcTarget target) {

  /** What is missing and what to run, in sentences; empty if nothing is missing. */
  List<String> missing() {
    List<String> findings = new ArrayList<>();
    String user = SqlNames.quoted(role);
    if (!table.schemaUsable()) {
      String schema = SqlNames.quoted(table.schema());
      findings.add(
          "Role %s lacks USAGE on schema %s. Run GRANT USAGE ON SCHEMA %s TO %s."
              .formatted(user, schema, schema, user));
    }
    List<String> rights = missingOnTable();
    if (!rights.isEmpty()) {
      String list = String.join(", ", rights);
      findings.add(
          "Role %s lacks %s on the table. Run GRANT %s ON %s TO %s."
              .formatted(user, list, list, table.quoted(), user));
    }
    for (FoundColumn column : table.columns().values()) {
      if (!written().contains(column.name())) {
        for (String sequence : column.deniedSequences()) {
          findings.add(
              "Role %s lacks USAGE on sequence %s, which fills column %s. Run GRANT USAGE ON"
                      .formatted(user, sequence, SqlNames.quoted(column.name()))
                  + " SEQUENCE %s TO %s.".formatted(sequence, user));
        }
      }
    }
    return findings;
  }

  private List<String> missingOnTable() {
    List<String> missing = new ArrayList<>();
    List<String> written = written();
    boolean upserts = !target.key().isEmpty() && target.onExistingKey() == OnExistingKey.UPDATE;
    if (!all(written, FoundColumn::insertable)) {
      missing.add("INSERT");
    }
    if (upserts) {
      List<String> replaced =
          written.stream().filter(name -> !target.key().contains(name)).toList();
      if (!all(replaced, FoundColumn::updatable)) {
        missing.add("UPDATE");
      }
      if (!table.deletable()) {
        missing.add("DELETE");
      }
    }
    // A staging table that is made LIKE the table takes the right to read all of it.
    boolean readable =
        target.prefix() != null
            ? table.selectable()
            : all(upserts ? written : uniqueColumns(), FoundColumn::selectable);
    if (!readable) {
      missing.add("SELECT");
    }
    return missing;
  }

  private List<String> written() {
    return target.rows().getFieldNames();
  }

  /** The columns by which existing rows are looked for. */
  private Set<String> uniqueColumns() {
    return table.uniqueKeys(written()).stream().flatMap(List::stream).collect(Collectors.toSet());
  }

  private boolean all(Iterable<String> names, Predicate<FoundColumn> allowed) {
    for (String name : names) {
      FoundColumn column = table.columns().get(name);
      if (column != null && !allowed.test(column)) {
        return false;
      }
    }
    return true;
  }
}
