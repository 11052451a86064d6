// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.jdbc.PgType;
import java.util.Optional;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.CharType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.TimeType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.postgresql.core.Oid;

/**
 * Which SQL type a column of PostgreSQL has, and the other way round. A column whose values no SQL
 * type holds exactly is a STRING: what PostgreSQL prints, and reads again.
 */
final class ColumnTypes {

  private static final int MICROSECONDS = 6;

  /** The longest varchar(n) and char(n). */
  private static final int LONGEST_TEXT = 10_485_760;

  /** Fields of an interval, as bits of its modifier. */
  private static final int YEAR_TO_MONTH = 1 << 2 | 1 << 1;

  private static final int DAY_TO_SECOND = 1 << 3 | 1 << 10 | 1 << 11 | 1 << 12;

  /** An INTERVAL DAY TO SECOND counts milliseconds. */
  private static final int MILLISECONDS = 3;

  /** The most that the planner takes; it holds no value to them. */
  private static final int DAY_DIGITS = 3;

  private ColumnTypes() {}

  /**
   * The SQL type of a column.
   *
   * @param dimensions of an array, as declared; PostgreSQL does not hold values to it
   */
  static DataType flink(PgType column, int dimensions) {
    PgType type = column.base();
    if (type.kind() != PgType.Kind.ARRAY) {
      return scalar(type);
    }
    DataType array = scalar(type.element().base());
    for (int dimension = 0; dimension < Math.max(1, dimensions); dimension++) {
      array = DataTypes.ARRAY(array);
    }
    return array;
  }

  private static DataType scalar(PgType type) {
    if (type.kind() != PgType.Kind.BASE) {
      return DataTypes.STRING();
    }
    int modifier = type.modifier();
    return switch (type.oid()) {
      case Oid.BOOL -> DataTypes.BOOLEAN();
      case Oid.INT2 -> DataTypes.SMALLINT();
      case Oid.INT4 -> DataTypes.INT();
      case Oid.INT8 -> DataTypes.BIGINT();
      case Oid.FLOAT4 -> DataTypes.FLOAT();
      case Oid.FLOAT8 -> DataTypes.DOUBLE();
      case Oid.NUMERIC -> decimal(modifier);
      case Oid.VARCHAR -> modifier < 0 ? DataTypes.STRING() : DataTypes.VARCHAR(modifier - 4);
      case Oid.BPCHAR -> modifier < 0 ? DataTypes.STRING() : DataTypes.CHAR(modifier - 4);
      case Oid.BYTEA -> DataTypes.BYTES();
      case Oid.DATE -> DataTypes.DATE();
      case Oid.TIME -> DataTypes.TIME(fraction(modifier));
      case Oid.TIMESTAMP -> DataTypes.TIMESTAMP(fraction(modifier));
      case Oid.TIMESTAMPTZ -> DataTypes.TIMESTAMP_LTZ(fraction(modifier));
      case Oid.INTERVAL -> interval(modifier);
      default -> DataTypes.STRING();
    };
  }

  private static int fraction(int modifier) {
    return modifier < 0 ? MICROSECONDS : modifier;
  }

  /** A numeric without precision holds more digits than any DECIMAL. */
  private static DataType decimal(int modifier) {
    if (modifier < 0) {
      return DataTypes.STRING();
    }
    int digits = (modifier - 4) >> 16;
    // Eleven bits with a sign: numeric(2,-3) counts thousands, numeric(2,3) has no digit before
    // 0.0.
    int scale = ((modifier - 4) & 0x7FF ^ 0x400) - 0x400;
    int precision = scale < 0 ? digits - scale : Math.max(digits, scale);
    return precision > DecimalType.MAX_PRECISION
        ? DataTypes.STRING()
        : DataTypes.DECIMAL(precision, Math.max(0, scale));
  }

  /** Months, days and seconds together have no SQL type. */
  private static DataType interval(int modifier) {
    if (modifier < 0) {
      return DataTypes.STRING();
    }
    int fields = modifier >> 16 & 0x7FFF;
    if (fields == YEAR_TO_MONTH) {
      return DataTypes.INTERVAL(DataTypes.YEAR(4), DataTypes.MONTH());
    }
    return fields == DAY_TO_SECOND && (modifier & 0xFFFF) <= MILLISECONDS
        ? DataTypes.INTERVAL(DataTypes.DAY(DAY_DIGITS), DataTypes.SECOND(MILLISECONDS))
        : DataTypes.STRING();
  }

  /** The column for values of a SQL type, as it is declared; empty if none is written. */
  static Optional<String> postgres(LogicalType type) {
    return Optional.ofNullable(
        switch (type.getTypeRoot()) {
          case BOOLEAN -> "boolean";
          case TINYINT, SMALLINT -> "smallint";
          case INTEGER -> "integer";
          case BIGINT -> "bigint";
          case FLOAT -> "real";
          case DOUBLE -> "double precision";
          case DECIMAL -> {
            DecimalType decimal = (DecimalType) type;
            yield "numeric(%d,%d)".formatted(decimal.getPrecision(), decimal.getScale());
          }
          case CHAR -> text("char", ((CharType) type).getLength());
          case VARCHAR -> text("varchar", ((VarCharType) type).getLength());
          case BINARY, VARBINARY -> "bytea";
          case DATE -> "date";
          case TIME_WITHOUT_TIME_ZONE -> moment("time", ((TimeType) type).getPrecision(), "");
          case TIMESTAMP_WITHOUT_TIME_ZONE ->
              moment("timestamp", ((TimestampType) type).getPrecision(), "");
          case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
              moment(
                  "timestamp", ((LocalZonedTimestampType) type).getPrecision(), " with time zone");
          case INTERVAL_YEAR_MONTH -> "interval year to month";
          case INTERVAL_DAY_TIME -> "interval day to second(" + MILLISECONDS + ")";
          case ARRAY ->
              postgres(((ArrayType) type).getElementType())
                  .map(element -> element + "[]")
                  .orElse(null);
          default -> null;
        });
  }

  private static String text(String name, int length) {
    return length < 1 || length > LONGEST_TEXT ? "text" : name + "(" + length + ")";
  }

  private static String moment(String name, int precision, String zone) {
    return "%s(%d)%s".formatted(name, Math.min(precision, MICROSECONDS), zone);
  }
}
