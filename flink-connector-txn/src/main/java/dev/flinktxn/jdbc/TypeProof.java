// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.postgresql.core.Oid;

/**
 * Which columns take everything that their encoder lets through. It is assumed that the database's
 * encoding is UTF8; another one may lack characters.
 */
final class TypeProof {

  private TypeProof() {}

  /** Whether a column of {@code to} takes all encoded values of {@code from}. */
  static boolean proven(LogicalType from, PgType to) {
    return switch (to.kind()) {
      case BASE -> BinaryValues.isString(from) ? checksText(to) : takesAll(from, to);
      case ARRAY ->
          from instanceof ArrayType array
              && !(array.getElementType() instanceof ArrayType)
              && proven(array.getElementType(), to.element());
      default -> false;
    };
  }

  /** Whether the encoder of strings knows what is valid. */
  private static boolean checksText(PgType to) {
    return switch (to.oid()) {
      case Oid.TEXT, Oid.VARCHAR, Oid.BPCHAR, Oid.UUID -> true;
      default -> false;
    };
  }

  private static boolean takesAll(LogicalType from, PgType to) {
    if (to.oid() != Oid.NUMERIC || to.modifier() < 0) {
      return true;
    }
    if (from.is(LogicalTypeRoot.FLOAT) || from.is(LogicalTypeRoot.DOUBLE)) {
      return false;
    }
    int precision = (to.modifier() - 4) >> 16;
    // Eleven bits with a sign.
    int scale = ((to.modifier() - 4) & 0x7FF ^ 0x400) - 0x400;
    int scaleFrom = from instanceof DecimalType decimal ? decimal.getScale() : 0;
    return scaleFrom <= scale && IntegerReader.digits(from) <= precision - scale;
  }
}
