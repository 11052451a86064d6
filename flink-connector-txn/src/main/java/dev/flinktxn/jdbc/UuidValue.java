// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.nio.charset.StandardCharsets;
import org.apache.flink.table.data.RowData;

/**
 * UUIDs from text, in every form PostgreSQL takes: upper or lower case, in braces or not, a hyphen
 * or none after each four digits.
 */
final class UuidValue implements ValueEncoder {

  private static final int BYTES = 16;

  private final ValueEncoder text = StringValue.unlimited();
  private final byte[] parsed = new byte[BYTES];
  private final CopyFormat format;

  UuidValue(CopyFormat format) {
    this.format = format;
  }

  @Override
  public void encode(RowData row, int field, CopyBuffer out) throws UnfitValueException {
    int start = out.size();
    text.encode(row, field, out);
    if (!parse(out.bytes(), start, out.size())) {
      throw new UnfitValueException(
          new String(out.bytes(), start, out.size() - start, StandardCharsets.UTF_8),
          "a UUID has 32 hexadecimal digits; correct it in the query");
    }
    if (format == CopyFormat.BINARY) {
      out.truncate(start);
      out.put(parsed, 0, BYTES);
    }
  }

  private boolean parse(byte[] bytes, int start, int end) {
    int at = start;
    int last = end;
    if (end - start >= 2 && bytes[start] == '{' && bytes[end - 1] == '}') {
      at++;
      last--;
    }
    for (int i = 0; i < BYTES; i++) {
      if (last - at < 2) {
        return false;
      }
      int high = Character.digit(bytes[at], 16);
      int low = Character.digit(bytes[at + 1], 16);
      if (high < 0 || low < 0) {
        return false;
      }
      parsed[i] = (byte) (high << 4 | low);
      at += 2;
      if (at < last && bytes[at] == '-' && i % 2 == 1 && i < BYTES - 1) {
        at++;
      }
    }
    return at == last;
  }
}
