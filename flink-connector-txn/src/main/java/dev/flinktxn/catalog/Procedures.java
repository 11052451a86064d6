// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.table.procedures.Procedure;

/** The procedures of one catalog, all in its database {@link #DATABASE}. */
final class Procedures {

  /** Where {@code CALL} finds them. */
  static final String DATABASE = "sys";

  private final Map<String, Procedure> byName = new TreeMap<>();

  /**
   * Makes the procedures of a catalog; connects to nothing.
   *
   * @param catalogOptions its options; may hold secrets
   * @param loader finds the classes of state in checkpoints
   */
  Procedures(Map<String, String> catalogOptions, ClassLoader loader) {
    Systems systems = new Systems(Map.copyOf(catalogOptions));
    byName.put("list_transactions", new ListTransactions(systems));
    byName.put("abort_transactions", new AbortTransactions(systems));
    byName.put("finish_transactions", new FinishTransactions(systems, loader));
    byName.put("drop_orphaned_staging", new DropOrphanedStaging(systems));
    byName.put("prune_ledger", new PruneLedger(systems));
  }

  /** Their names, sorted. */
  List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /** The procedure of that name. */
  Optional<Procedure> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }
}
