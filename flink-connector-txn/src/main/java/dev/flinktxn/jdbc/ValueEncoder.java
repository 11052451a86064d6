// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import org.apache.flink.table.data.RowData;

/** Encodes the values of one column; chosen once. Used by the task thread. */
@FunctionalInterface
interface ValueEncoder {

  /**
   * Appends the bytes of a field that is not NULL: in binary format what follows its length, in
   * text format its text before COPY's escapes.
   *
   * @throws UnfitValueException if the column cannot hold the value
   */
  void encode(RowData row, int field, CopyBuffer out) throws UnfitValueException;
}
