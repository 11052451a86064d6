// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;

/** A row of the simulated source: the split it came from and its offset there. */
final class Row {

  private Row() {}

  static RowData of(int split, long offset) {
    return GenericRowData.of(split, offset);
  }

  static long code(int split, long offset) {
    return ((long) split << 32) | offset;
  }

  static int split(long code) {
    return (int) (code >> 32);
  }

  static long offset(long code) {
    return code & 0xffff_ffffL;
  }
}
