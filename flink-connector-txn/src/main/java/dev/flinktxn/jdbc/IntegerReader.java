// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.postgresql.core.Oid;

/** Reads whole numbers of some SQL type. */
@FunctionalInterface
interface IntegerReader {

  long read(RowData row, int field);

  /** A reader for a type of whole numbers that fit into a long; null for other types. */
  static IntegerReader of(LogicalType from) {
    return switch (from.getTypeRoot()) {
      case TINYINT -> RowData::getByte;
      case SMALLINT -> RowData::getShort;
      case INTEGER -> RowData::getInt;
      case BIGINT -> RowData::getLong;
      case DECIMAL -> decimal((DecimalType) from);
      default -> null;
    };
  }

  private static IntegerReader decimal(DecimalType type) {
    int precision = type.getPrecision();
    return type.getScale() != 0 || precision > 18
        ? null
        : (row, field) -> row.getDecimal(field, precision, 0).toUnscaledLong();
  }

  /** Whether every number of a type fits into a column of whole numbers. */
  static boolean fits(LogicalType from, PgType to) {
    int most =
        switch (to.oid()) {
          case Oid.INT2 -> from.is(LogicalTypeRoot.SMALLINT) ? 5 : 4;
          case Oid.INT4 -> from.is(LogicalTypeRoot.INTEGER) ? 10 : 9;
          case Oid.INT8 -> 19;
          default -> 0;
        };
    return of(from) != null && digits(from) <= most;
  }

  /** How many digits numbers of a type may have before the point; 0 for types without a bound. */
  static int digits(LogicalType from) {
    return switch (from.getTypeRoot()) {
      case TINYINT -> 3;
      case SMALLINT -> 5;
      case INTEGER -> 10;
      case BIGINT -> 19;
      case DECIMAL -> ((DecimalType) from).getPrecision() - ((DecimalType) from).getScale();
      default -> 0;
    };
  }
}
