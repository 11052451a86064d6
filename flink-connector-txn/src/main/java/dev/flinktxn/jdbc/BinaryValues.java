// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.TimestampType;
import org.postgresql.core.Oid;

/** Chooses the encoder of a column in binary format: what the type's receive function reads. */
final class BinaryValues {

  private static final int JSONB_VERSION = 1;

  private BinaryValues() {}

  /** The encoder for values of {@code from} in a column of {@code to}; null if there is none. */
  static ValueEncoder of(LogicalType from, PgType to) {
    PgType type = to.base();
    return switch (type.kind()) {
      case ARRAY -> array(from, type.element());
      case ENUM -> isString(from) ? StringValue.unlimited() : null;
      case BASE -> scalar(from, type);
      default -> null;
    };
  }

  private static ValueEncoder array(LogicalType from, PgType element) {
    if (!(from instanceof ArrayType array) || array.getElementType() instanceof ArrayType) {
      return null;
    }
    ValueEncoder encoder = of(array.getElementType(), element);
    return encoder == null ? null : new BinaryArray(array.getElementType(), element.oid(), encoder);
  }

  private static ValueEncoder scalar(LogicalType from, PgType to) {
    return isString(from)
        ? string(to)
        : switch (from.getTypeRoot()) {
          case BOOLEAN ->
              to.oid() != Oid.BOOL
                  ? null
                  : (row, field, out) -> out.putByte(row.getBoolean(field) ? 1 : 0);
          case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, FLOAT, DOUBLE -> number(from, to);
          case BINARY, VARBINARY -> to.oid() == Oid.BYTEA ? BinaryValues::putBytes : null;
          default -> moment(from, to);
        };
  }

  private static ValueEncoder string(PgType to) {
    return switch (to.oid()) {
      case Oid.TEXT, Oid.JSON -> StringValue.unlimited();
      case Oid.VARCHAR, Oid.BPCHAR -> StringValue.limited(to.modifier());
      case Oid.UUID -> new UuidValue(CopyFormat.BINARY);
      case Oid.JSONB -> jsonb(StringValue.unlimited());
      default -> null;
    };
  }

  private static ValueEncoder jsonb(ValueEncoder text) {
    return (row, field, out) -> {
      out.putByte(JSONB_VERSION);
      text.encode(row, field, out);
    };
  }

  private static ValueEncoder number(LogicalType from, PgType to) {
    if (to.oid() == Oid.NUMERIC) {
      return NumericValue.of(from);
    }
    if (IntegerReader.fits(from, to)) {
      IntegerReader reader = IntegerReader.of(from);
      return switch (to.oid()) {
        case Oid.INT2 -> (row, field, out) -> out.putShort((int) reader.read(row, field));
        case Oid.INT4 -> (row, field, out) -> out.putInt((int) reader.read(row, field));
        default -> (row, field, out) -> out.putLong(reader.read(row, field));
      };
    }
    boolean isFloat = from.is(LogicalTypeRoot.FLOAT);
    if (isFloat && to.oid() == Oid.FLOAT4) {
      return (row, field, out) -> out.putInt(Float.floatToIntBits(row.getFloat(field)));
    }
    if (isFloat && to.oid() == Oid.FLOAT8) {
      return (row, field, out) -> out.putLong(Double.doubleToLongBits(row.getFloat(field)));
    }
    return from.is(LogicalTypeRoot.DOUBLE) && to.oid() == Oid.FLOAT8
        ? (row, field, out) -> out.putLong(Double.doubleToLongBits(row.getDouble(field)))
        : null;
  }

  private static ValueEncoder moment(LogicalType from, PgType to) {
    long step = PgTime.step(to.modifier());
    return switch (from.getTypeRoot()) {
      case DATE ->
          to.oid() != Oid.DATE
              ? null
              : (row, field, out) -> out.putInt(PgTime.days(row.getInt(field)));
      case TIME_WITHOUT_TIME_ZONE ->
          to.oid() != Oid.TIME
              ? null
              : (row, field, out) -> out.putLong(PgTime.time(row.getInt(field), step));
      case TIMESTAMP_WITHOUT_TIME_ZONE ->
          to.oid() != Oid.TIMESTAMP ? null : timestamp(((TimestampType) from).getPrecision(), step);
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          to.oid() != Oid.TIMESTAMPTZ
              ? null
              : timestamp(((LocalZonedTimestampType) from).getPrecision(), step);
      case INTERVAL_YEAR_MONTH ->
          to.oid() != Oid.INTERVAL
              ? null
              : (row, field, out) -> putInterval(0, 0, row.getInt(field), out);
      case INTERVAL_DAY_TIME ->
          to.oid() != Oid.INTERVAL
              ? null
              : (row, field, out) -> {
                long millis = row.getLong(field);
                putInterval(PgTime.intervalMicros(millis), PgTime.intervalDays(millis), 0, out);
              };
      default -> null;
    };
  }

  private static ValueEncoder timestamp(int precision, long step) {
    return (row, field, out) ->
        out.putLong(PgTime.micros(row.getTimestamp(field, precision), step));
  }

  private static void putInterval(long micros, int days, int months, CopyBuffer out) {
    out.putLong(micros);
    out.putInt(days);
    out.putInt(months);
  }

  private static void putBytes(RowData row, int field, CopyBuffer out) {
    byte[] bytes = row.getBinary(field);
    out.put(bytes, 0, bytes.length);
  }

  static boolean isString(LogicalType from) {
    return from.is(LogicalTypeRoot.CHAR) || from.is(LogicalTypeRoot.VARCHAR);
  }
}
