// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.RefusedException;
import org.apache.flink.table.data.RowData;

/**
 * Encodes rows as COPY takes them. For a table with a declared key each row is followed by two more
 * fields: its order (int8) and its operation (int2: {@link #UPSERT} or {@link #DELETE}). Used by
 * the task thread.
 */
interface RowEncoder {

  short UPSERT = 0;
  short DELETE = 1;

  CopyFormat format();

  /**
   * Appends one row.
   *
   * @param order the row's place among all rows of its unit; ignored without a key
   * @throws RefusedException if a column cannot hold its value; names table, column and key
   */
  void encode(RowData row, long order, CopyBuffer out) throws RefusedException;

  /**
   * Whether everything encoded is certain to be taken by the columns' types. If not, only the
   * server can tell, and it is asked before the barrier.
   */
  boolean proven();

  /**
   * Names a row that the server refused, for messages: {@code row 3, key (id) = (7)}.
   *
   * @param encoded rows as written by {@link #encode}, {@code length} bytes from {@code offset} on
   * @param number which of them, counted from 1
   */
  String nameOf(byte[] encoded, int offset, int length, long number);
}
