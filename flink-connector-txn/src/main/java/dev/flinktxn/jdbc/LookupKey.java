// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.table.Refusal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;
import org.postgresql.core.Oid;

/**
 * The columns that rows are looked up by. The database is asked in a way that lets it use an index
 * and finds all rows that Flink takes for equal; where it finds more (trailing spaces of char(n),
 * collations), {@link #of} tells them apart.
 *
 * @param types the columns' types in the DDL
 * @param columns the columns
 */
record LookupKey(List<LogicalType> types, List<ReadColumn> columns) {

  private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private static final long MILLISECOND = 1000;

  /** Refuses types that no rows can be looked up by. */
  static void check(Refusal refusal, String column, LogicalType type) {
    switch (type.getTypeRoot()) {
      case ARRAY, INTERVAL_YEAR_MONTH, INTERVAL_DAY_TIME ->
          throw refusal.of(
              "rows cannot be looked up by column '%s' of type %s; join by other columns"
                  .formatted(column, type.asSummaryString()));
      default -> {
        // Everything else that can be read can be compared.
      }
    }
  }

  /**
   * The values of the key for comparison.
   *
   * @param fields where they are in {@code row}
   * @return null where one of them equals nothing, not even itself
   */
  List<Object> of(RowData row, int[] fields) {
    List<Object> values = new ArrayList<>(fields.length);
    for (int i = 0; i < fields.length; i++) {
      Object value =
          comparable(RowData.createFieldGetter(types.get(i), fields[i]).getFieldOrNull(row));
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return values;
  }

  private static Object comparable(Object value) {
    if (value instanceof StringData text) {
      return text.toString();
    }
    if (value instanceof DecimalData decimal) {
      return decimal.toBigDecimal().stripTrailingZeros();
    }
    if (value instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes);
    }
    if (value instanceof Float || value instanceof Double) {
      double number = ((Number) value).doubleValue();
      // Both zeros are one.
      return Double.isNaN(number) ? null : number + 0.0;
    }
    return value;
  }

  /** The condition for one key; null if no row can have it. */
  String condition(RowData key) {
    List<String> conditions = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      String condition;
      try {
        condition = condition(key, i);
      } catch (UnfitValueException e) {
        return null;
      }
      if (condition == null) {
        return null;
      }
      conditions.add(condition);
    }
    return conditions.size() == 1
        ? conditions.get(0)
        : "(" + String.join(" AND ", conditions) + ")";
  }

  private String condition(RowData key, int i) throws UnfitValueException {
    LogicalType type = types.get(i);
    String column = SqlNames.quoted(columns.get(i).name());
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> key.getBoolean(i) ? column : "(NOT " + column + ")";
      case TINYINT, SMALLINT, INTEGER, BIGINT ->
          column + " = " + SqlLiterals.whole(IntegerReader.of(type).read(key, i));
      case DECIMAL ->
          column
              + " = "
              + SqlLiterals.decimal(
                  key.getDecimal(
                          i, LogicalTypeChecks.getPrecision(type), LogicalTypeChecks.getScale(type))
                      .toBigDecimal());
      case FLOAT ->
          (columns.get(i).type().base().oid() == Oid.FLOAT4 ? column : column + "::float4")
              + " = '"
              + key.getFloat(i)
              + "'::float4";
      case DOUBLE -> column + " = '" + key.getDouble(i) + "'::float8";
      case CHAR, VARCHAR -> text(columns.get(i), type, key.getString(i).toString());
      case BINARY, VARBINARY -> column + " = " + SqlLiterals.bytes(key.getBinary(i));
      case DATE -> column + " = " + SqlLiterals.date(key.getInt(i));
      case TIME_WITHOUT_TIME_ZONE -> {
        long micros = key.getInt(i) * MILLISECOND;
        yield between(
            column,
            SqlLiterals.time(micros),
            SqlLiterals.time(micros) + " + '1 millisecond'::interval");
      }
      default -> {
        int precision = LogicalTypeChecks.getPrecision(type);
        boolean instant = type.is(LogicalTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE);
        long step = PgTime.step(precision);
        long micros = PgTime.micros(key.getTimestamp(i, precision), step);
        yield step == 1
            ? column + " = " + SqlLiterals.timestamp(micros, instant)
            : between(
                column,
                SqlLiterals.timestamp(micros, instant),
                SqlLiterals.timestamp(micros + step, instant));
      }
    };
  }

  /** What has more digits in the database than in Flink is cut there. */
  private static String between(String column, String from, String to) {
    return "(" + column + " >= " + from + " AND " + column + " < " + to + ")";
  }

  private static String text(ReadColumn found, LogicalType type, String value) {
    if (value.indexOf('\0') >= 0) {
      return null;
    }
    String column = SqlNames.quoted(found.name());
    PgType base = found.type().base();
    int oid = base.kind() == PgType.Kind.BASE ? base.oid() : Oid.UNSPECIFIED;
    if (oid == Oid.BPCHAR) {
      return column + " = " + SqlLiterals.quoted(value) + "::bpchar";
    }
    if (type.is(LogicalTypeRoot.CHAR)) {
      return "rtrim("
          + found.expression()
          + ", ' ') = "
          + SqlLiterals.text(value.replaceFirst(" +$", ""));
    }
    return switch (oid) {
      case Oid.TEXT, Oid.VARCHAR -> column + " = " + SqlLiterals.text(value);
      case Oid.UUID -> UUID.matcher(value).matches() ? column + " = '" + value + "'::uuid" : null;
      default -> found.expression() + " = " + SqlLiterals.text(value);
    };
  }
}
