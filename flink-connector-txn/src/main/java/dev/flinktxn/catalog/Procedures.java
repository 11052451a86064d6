// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.procedures.Procedure;

/** The procedures of database {@code sys}. */
final class Procedures {

  /**
   * The procedures of one catalog.
   *
   * @param catalogOptions the options of the catalog
   * @param loader loads what they need
   */
  Procedures(Map<String, String> catalogOptions, ClassLoader loader) {}

  List<String> names() {
    return List.of();
  }

  Optional<Procedure> find(String name) {
    return Optional.empty();
  }
}
