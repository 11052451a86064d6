// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;
import org.postgresql.core.Oid;
import org.postgresql.util.ByteConverter;

/** Encoded values in words, for messages. */
final class PgValue {

  private PgValue() {}

  /** What {@link BinaryValues} has encoded for a column of this type. */
  static String shown(PgType declared, ByteBuffer value) {
    PgType type = declared.base();
    byte[] bytes = new byte[value.remaining()];
    value.duplicate().get(bytes);
    if (type.kind() == PgType.Kind.ENUM) {
      return text(bytes, 0);
    }
    return switch (type.oid()) {
      case Oid.TEXT, Oid.VARCHAR, Oid.BPCHAR, Oid.JSON -> text(bytes, 0);
      case Oid.JSONB -> text(bytes, 1);
      case Oid.BOOL -> String.valueOf(bytes[0] != 0);
      case Oid.INT2 -> String.valueOf(value.getShort());
      case Oid.INT4 -> String.valueOf(value.getInt());
      case Oid.INT8 -> String.valueOf(value.getLong());
      case Oid.FLOAT4 -> String.valueOf(value.getFloat());
      case Oid.FLOAT8 -> String.valueOf(value.getDouble());
      case Oid.NUMERIC -> numeric(ByteConverter.numeric(bytes));
      case Oid.UUID -> new UUID(value.getLong(), value.getLong()).toString();
      case Oid.DATE -> PgTime.dateText(value.getInt());
      case Oid.TIME -> PgTime.timeText(value.getLong());
      case Oid.TIMESTAMP -> PgTime.timestampText(value.getLong(), "");
      case Oid.TIMESTAMPTZ -> PgTime.timestampText(value.getLong(), "+00");
      default -> "\\x" + HexFormat.of().formatHex(bytes);
    };
  }

  private static String numeric(Number value) {
    return value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString();
  }

  private static String text(byte[] bytes, int start) {
    return new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8);
  }
}
