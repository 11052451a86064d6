// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The handle of a unit of the simulated ledger adapter.
 *
 * @param id never used twice
 * @param staged whether its rows are in a staging table, not in the handle
 * @param mintedAt when the id was drawn, by the database's clock or earlier
 * @param rowCount how many rows it has
 * @param predecessors units of the same writer that were not seen committed, for upserts
 * @param rows the rows of an inline unit
 */
record LedgerUnit(
    long id,
    boolean staged,
    long mintedAt,
    int rowCount,
    List<Predecessor> predecessors,
    List<Long> rows) {

  /**
   * A unit that comes first.
   *
   * @param id its id
   * @param staged whether it is staged
   * @param mintedAt when its id was drawn
   */
  record Predecessor(long id, boolean staged, long mintedAt) {}

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(29 + 17 * predecessors.size() + 8 * rows.size());
    out.putLong(id).put((byte) (staged ? 1 : 0)).putLong(mintedAt).putInt(rowCount);
    out.putInt(predecessors.size());
    for (Predecessor predecessor : predecessors) {
      out.putLong(predecessor.id());
      out.put((byte) (predecessor.staged() ? 1 : 0));
      out.putLong(predecessor.mintedAt());
    }
    out.putInt(rows.size());
    rows.forEach(out::putLong);
    return out.array();
  }

  static LedgerUnit decode(byte[] handle) {
    ByteBuffer in = ByteBuffer.wrap(handle);
    long id = in.getLong();
    boolean staged = in.get() == 1;
    long mintedAt = in.getLong();
    int rowCount = in.getInt();
    List<Predecessor> predecessors = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      predecessors.add(new Predecessor(in.getLong(), in.get() == 1, in.getLong()));
    }
    List<Long> rows = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      rows.add(in.getLong());
    }
    return new LedgerUnit(id, staged, mintedAt, rowCount, predecessors, rows);
  }
}
