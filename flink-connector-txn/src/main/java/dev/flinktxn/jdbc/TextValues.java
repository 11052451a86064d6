// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.TimestampType;
import org.postgresql.core.Oid;

/**
 * Chooses the encoder of a column in text format: what the type's input function reads, under any
 * DateStyle, IntervalStyle and TimeZone. Every writable column has one.
 */
final class TextValues {

  private TextValues() {}

  /** The encoder for values of {@code from} in a column of {@code to}; null if not writable. */
  static ValueEncoder of(LogicalType from, PgType to) {
    PgType type = to.base();
    return BinaryValues.isString(from)
        ? string(type)
        : switch (type.kind()) {
          case ARRAY -> from instanceof ArrayType array ? array(array, type) : null;
          case BASE -> scalar(from, type);
          default -> null;
        };
  }

  private static ValueEncoder string(PgType to) {
    return switch (to.oid()) {
      case Oid.VARCHAR, Oid.BPCHAR -> StringValue.limited(to.modifier());
      case Oid.UUID -> new UuidValue(CopyFormat.TEXT);
      default -> StringValue.unlimited();
    };
  }

  /** In PostgreSQL an array of arrays has the type of an array with more dimensions. */
  private static ValueEncoder array(ArrayType from, PgType to) {
    LogicalType type = from.getElementType();
    PgType element = to.element();
    ValueEncoder encoder = type instanceof ArrayType inner ? array(inner, to) : of(type, element);
    return encoder == null
        ? null
        : new TextArray(type, encoder, element.oid() == Oid.BOX ? ';' : ',');
  }

  private static ValueEncoder scalar(LogicalType from, PgType to) {
    return switch (from.getTypeRoot()) {
      case BOOLEAN ->
          to.oid() != Oid.BOOL
              ? null
              : (row, field, out) -> out.putByte(row.getBoolean(field) ? 't' : 'f');
      case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, FLOAT, DOUBLE -> number(from, to);
      case BINARY, VARBINARY -> to.oid() == Oid.BYTEA ? TextValues::putBytes : null;
      default -> moment(from, to);
    };
  }

  private static ValueEncoder number(LogicalType from, PgType to) {
    boolean numeric = to.oid() == Oid.NUMERIC;
    IntegerReader reader = IntegerReader.of(from);
    if (reader != null && (numeric || IntegerReader.fits(from, to))) {
      return (row, field, out) -> PlainText.put(reader.read(row, field), out);
    }
    if (from instanceof DecimalType decimal && numeric) {
      int precision = decimal.getPrecision();
      int scale = decimal.getScale();
      return (row, field, out) ->
          PlainText.put(
              row.getDecimal(field, precision, scale).toBigDecimal().toPlainString(), out);
    }
    boolean isFloat = from.is(LogicalTypeRoot.FLOAT);
    if (isFloat && (numeric || to.oid() == Oid.FLOAT4)) {
      return (row, field, out) -> PlainText.put(Float.toString(row.getFloat(field)), out);
    }
    if (isFloat && to.oid() == Oid.FLOAT8) {
      return (row, field, out) -> PlainText.put(Double.toString(row.getFloat(field)), out);
    }
    return from.is(LogicalTypeRoot.DOUBLE) && (numeric || to.oid() == Oid.FLOAT8)
        ? (row, field, out) -> PlainText.put(Double.toString(row.getDouble(field)), out)
        : null;
  }

  private static ValueEncoder moment(LogicalType from, PgType to) {
    long step = PgTime.step(to.modifier());
    return switch (from.getTypeRoot()) {
      case DATE ->
          to.oid() != Oid.DATE
              ? null
              : (row, field, out) ->
                  PlainText.put(PgTime.dateText(PgTime.days(row.getInt(field))), out);
      case TIME_WITHOUT_TIME_ZONE ->
          to.oid() != Oid.TIME
              ? null
              : (row, field, out) ->
                  PlainText.put(PgTime.timeText(PgTime.time(row.getInt(field), step)), out);
      case TIMESTAMP_WITHOUT_TIME_ZONE ->
          to.oid() != Oid.TIMESTAMP
              ? null
              : timestamp(((TimestampType) from).getPrecision(), step, "");
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          to.oid() != Oid.TIMESTAMPTZ
              ? null
              : timestamp(((LocalZonedTimestampType) from).getPrecision(), step, "+00");
      case INTERVAL_YEAR_MONTH ->
          to.oid() != Oid.INTERVAL
              ? null
              : (row, field, out) -> PlainText.put(row.getInt(field) + " months", out);
      case INTERVAL_DAY_TIME ->
          to.oid() != Oid.INTERVAL
              ? null
              : (row, field, out) -> {
                long millis = row.getLong(field);
                PlainText.put(
                    PgTime.intervalDays(millis)
                        + " days "
                        + PgTime.intervalMicros(millis)
                        + " microseconds",
                    out);
              };
      default -> null;
    };
  }

  private static ValueEncoder timestamp(int precision, long step, String offset) {
    return (row, field, out) ->
        PlainText.put(
            PgTime.timestampText(PgTime.micros(row.getTimestamp(field, precision), step), offset),
            out);
  }

  private static void putBytes(RowData row, int field, CopyBuffer out) {
    PlainText.put("\\x", out);
    PlainText.putHex(row.getBinary(field), out);
  }
}
