// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil;

/**
 * The options of a table in a catalog. What the catalog withholds (passwords) is no entry, so that
 * nothing that shows or stores the options has it. A compiled plan is restored without asking the
 * catalog's factory for the sink; the connector's factory finds it here then.
 */
public final class WithheldOptions extends AbstractMap<String, String> {

  private final Map<String, String> shown;
  private final Map<String, String> withheld;

  /**
   * Options with two faces.
   *
   * @param shown the entries
   * @param withheld what the connector gets besides, or instead of the entry of that name
   */
  public WithheldOptions(Map<String, String> shown, Map<String, String> withheld) {
    this.shown = new TreeMap<>(shown);
    this.withheld = Map.copyOf(withheld);
  }

  @Override
  public Set<Entry<String, String>> entrySet() {
    return shown.entrySet();
  }

  /** The table with what its catalog withholds, where the options come from a catalog. */
  public static DynamicTableFactory.Context complete(DynamicTableFactory.Context context) {
    if (context.getEnrichmentOptions() instanceof WithheldOptions catalog) {
      return catalog.added(context);
    }
    return context.getCatalogTable().getOptions() instanceof WithheldOptions own
        ? own.added(context)
        : context;
  }

  private DynamicTableFactory.Context added(DynamicTableFactory.Context context) {
    return new FactoryUtil.DefaultDynamicTableContext(
        context.getObjectIdentifier(),
        context.getCatalogTable().copy(with(context.getCatalogTable().getOptions())),
        with(context.getEnrichmentOptions()),
        context.getConfiguration(),
        context.getClassLoader(),
        context.isTemporary());
  }

  private Map<String, String> with(Map<String, String> options) {
    Map<String, String> all = new TreeMap<>(options);
    all.putAll(withheld);
    return all;
  }
}
