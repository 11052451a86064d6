// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.Serializable;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A part of a scan: the rows of one relation, or those in a range of its blocks, as one snapshot
 * shows them.
 *
 * @param splitId its name within the scan
 * @param snapshot the exported snapshot
 * @param horizon what the snapshot sees (pg_current_snapshot), so that no other is taken for it
 * @param relation the relation for SQL, with ONLY where its descendants are read by themselves
 * @param fromBlock the first block; negative for a relation that is read as a whole, in no order
 * @param toBlock the block behind the last one; negative for no such bound
 * @param emitted how many of its rows have been emitted
 * @param restored whether it comes from a checkpoint, so that others count on what was emitted
 */
record ScanSplit(
    String splitId,
    String snapshot,
    String horizon,
    String relation,
    long fromBlock,
    long toBlock,
    long emitted,
    boolean restored)
    implements SourceSplit, Serializable {

  private static final long serialVersionUID = 1L;

  /** The split as a checkpoint holds it. */
  ScanSplit after(long rows) {
    return new ScanSplit(splitId, snapshot, horizon, relation, fromBlock, toBlock, rows, true);
  }

  /** Whether its rows come in the same order whenever they are read. */
  boolean ordered() {
    return fromBlock >= 0;
  }
}
