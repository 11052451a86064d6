// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.Set;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * What a reader tells the scan's coordinator of its splits.
 *
 * @param starting whether the reader is starting: {@code splits} are all that it has; otherwise
 *     they are those that it has finished
 */
record ScanReport(boolean starting, Set<String> splits) implements SourceEvent {
  private static final long serialVersionUID = 1L;
}
