// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import org.apache.flink.table.types.logical.LogicalType;

/** Stands in until the encoders are there. */
final class RowEncoders {

  private RowEncoders() {}

  /** Whether values of {@code from} can be written to columns of {@code to}. */
  static boolean writable(LogicalType from, PgType to) {
    return true;
  }
}
