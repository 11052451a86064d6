// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.Set;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.CharType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.postgresql.core.Oid;
import org.postgresql.util.ByteConverter;

/**
 * Chooses how a column is selected and decoded. What {@link TextValues} writes can be read back
 * into the same type; besides, numbers can be read into wider types, and everything into strings.
 */
final class ReadTypes {

  /** Types whose binary form is their text. */
  private static final Set<Integer> TEXTS = Set.of(Oid.TEXT, Oid.VARCHAR);

  /** Types whose text is the same whatever the settings of the session. */
  private static final Set<Integer> PLAIN =
      Set.of(
          Oid.TEXT,
          Oid.VARCHAR,
          Oid.BPCHAR,
          Oid.JSON,
          Oid.JSONB,
          Oid.UUID,
          Oid.INET,
          Oid.BOOL,
          Oid.INT2,
          Oid.INT4,
          Oid.INT8,
          Oid.NUMERIC);

  private ReadTypes() {}

  /** How a column of {@code from} is read into {@code to}; null if it cannot be. */
  static ReadColumn column(String name, LogicalType to, PgType from) {
    ValueDecoder decoder = decoder(to, from.base());
    return decoder == null
        ? null
        : new ReadColumn(name, expression(SqlNames.quoted(name), to, from), from, decoder);
  }

  /** Whether columns of {@code from} can be read into {@code to}. */
  static boolean readable(LogicalType to, PgType from) {
    return decoder(to, from.base()) != null;
  }

  /** Whether what is selected depends on settings such as TimeZone and DateStyle. */
  static boolean dependsOnSettings(LogicalType to, PgType from) {
    PgType type = from.base();
    if (to instanceof ArrayType array) {
      return type.kind() == PgType.Kind.ARRAY
          && dependsOnSettings(array.getElementType(), type.element());
    }
    return BinaryValues.isString(to)
        && type.kind() != PgType.Kind.ENUM
        && !(type.kind() == PgType.Kind.BASE && PLAIN.contains(type.oid()));
  }

  /**
   * Strings are selected as the text that the type's output function gives. A cast to text gives
   * the same except for inet, to which it adds a mask.
   */
  private static String expression(String column, LogicalType to, PgType from) {
    LogicalType leaf = to;
    PgType type = from.base();
    boolean array = to instanceof ArrayType;
    while (leaf instanceof ArrayType inner) {
      leaf = inner.getElementType();
    }
    if (array) {
      type = type.element().base();
    }
    boolean base = type.kind() == PgType.Kind.BASE;
    if (!BinaryValues.isString(leaf) || base && TEXTS.contains(type.oid())) {
      return column;
    }
    if (base && type.oid() == Oid.INET) {
      return array ? column + "::text::text[]" : "textin(inet_out(" + column + "))";
    }
    return column + (array ? "::text[]" : "::text");
  }

  /** The decoder for a type that is no domain. */
  private static ValueDecoder decoder(LogicalType to, PgType from) {
    if (to instanceof ArrayType array) {
      return from.kind() == PgType.Kind.ARRAY ? array(array, from) : null;
    }
    if (BinaryValues.isString(to)) {
      return to instanceof CharType fixed
          ? StringReading.padded(fixed.getLength())
          : StringReading.limited(((VarCharType) to).getLength());
    }
    return from.kind() == PgType.Kind.BASE ? scalar(to, from.oid()) : null;
  }

  private static ValueDecoder array(ArrayType to, PgType from) {
    int dimensions = 1;
    LogicalType leaf = to.getElementType();
    while (leaf instanceof ArrayType inner) {
      dimensions++;
      leaf = inner.getElementType();
    }
    ValueDecoder element = decoder(leaf, from.element().base());
    return element == null ? null : new ArrayReading(dimensions, element);
  }

  private static ValueDecoder scalar(LogicalType to, int from) {
    return switch (to.getTypeRoot()) {
      case BOOLEAN -> from == Oid.BOOL ? (bytes, at, length) -> bytes[at] != 0 : null;
      case TINYINT, SMALLINT, INTEGER, BIGINT -> NumberReading.integer(to.getTypeRoot(), from);
      case DECIMAL -> NumberReading.decimal((DecimalType) to, from);
      case FLOAT -> NumberReading.real(from);
      case DOUBLE -> NumberReading.doublePrecision(from);
      case BINARY, VARBINARY -> from == Oid.BYTEA ? StringReading.bytes(to) : null;
      default -> moment(to, from);
    };
  }

  private static ValueDecoder moment(LogicalType to, int from) {
    return switch (to.getTypeRoot()) {
      case DATE ->
          from == Oid.DATE
              ? (bytes, at, length) -> PgTime.epochDay(ByteConverter.int4(bytes, at))
              : null;
      case TIME_WITHOUT_TIME_ZONE ->
          from == Oid.TIME
              ? (bytes, at, length) -> PgTime.millisOfDay(ByteConverter.int8(bytes, at))
              : null;
      case TIMESTAMP_WITHOUT_TIME_ZONE ->
          from == Oid.TIMESTAMP ? timestamp(((TimestampType) to).getPrecision()) : null;
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          from == Oid.TIMESTAMPTZ ? timestamp(((LocalZonedTimestampType) to).getPrecision()) : null;
      case INTERVAL_YEAR_MONTH, INTERVAL_DAY_TIME ->
          from == Oid.INTERVAL ? interval(to.getTypeRoot()) : null;
      default -> null;
    };
  }

  private static ValueDecoder timestamp(int precision) {
    long step = PgTime.step(precision);
    return (bytes, at, length) -> PgTime.timestamp(ByteConverter.int8(bytes, at), step);
  }

  private static ValueDecoder interval(LogicalTypeRoot to) {
    return (bytes, at, length) -> {
      long micros = ByteConverter.int8(bytes, at);
      int days = ByteConverter.int4(bytes, at + 8);
      int months = ByteConverter.int4(bytes, at + 12);
      if (to == LogicalTypeRoot.INTERVAL_YEAR_MONTH) {
        return PgTime.months(micros, days, months);
      }
      return PgTime.intervalMillis(micros, days, months);
    };
  }
}
