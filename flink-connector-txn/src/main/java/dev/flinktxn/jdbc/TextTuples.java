// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.nio.charset.StandardCharsets;

/**
 * Lines of COPY's text format: tabs between fields, <code>\N</code> for NULL, backslash escapes.
 */
final class TextTuples implements TupleFormat {

  private static final BackslashEscapes ESCAPES = new BackslashEscapes("\\\\", "\nn", "\rr", "\tt");
  private static final String NULL = "\\N";

  @Override
  public void beginRow(int fields, CopyBuffer out) {}

  @Override
  public void putNull(int field, CopyBuffer out) {
    beginField(field, out);
    PlainText.put(NULL, out);
  }

  @Override
  public int beginField(int field, CopyBuffer out) {
    if (field > 0) {
      out.putByte('\t');
    }
    return out.size();
  }

  @Override
  public void endField(int start, CopyBuffer out) {
    ESCAPES.escape(out, start);
  }

  @Override
  public void putChange(long order, short operation, CopyBuffer out) {
    out.putByte('\t');
    PlainText.put(order, out);
    out.putByte('\t');
    PlainText.put(operation, out);
  }

  @Override
  public void endRow(CopyBuffer out) {
    out.putByte('\n');
  }

  @Override
  public String[] read(byte[] encoded, int offset, int length, long number, int[] fields) {
    int end = offset + length;
    int start = offset;
    for (long row = 1; row < number && start < end; row++) {
      start = indexOf('\n', encoded, start, end) + 1;
    }
    if (start >= end) {
      return null;
    }
    int lineEnd = indexOf('\n', encoded, start, end);
    String[] values = new String[fields.length];
    for (int i = 0; i < fields.length; i++) {
      int at = start;
      for (int field = 0; field < fields[i]; field++) {
        at = indexOf('\t', encoded, at, lineEnd) + 1;
      }
      int fieldEnd = indexOf('\t', encoded, at, lineEnd);
      String text = new String(encoded, at, fieldEnd - at, StandardCharsets.UTF_8);
      values[i] = text.equals(NULL) ? "NULL" : plain(text);
    }
    return values;
  }

  /** Where a byte is found; the end if it is not. */
  private static int indexOf(char wanted, byte[] bytes, int start, int end) {
    int at = start;
    while (at < end && bytes[at] != wanted) {
      at++;
    }
    return at;
  }

  private static String plain(String escaped) {
    StringBuilder plain = new StringBuilder();
    for (int at = 0; at < escaped.length(); at++) {
      char next = escaped.charAt(at);
      if (next == '\\') {
        char letter = escaped.charAt(++at);
        next = letter == 'n' ? '\n' : letter == 'r' ? '\r' : letter == 't' ? '\t' : letter;
      }
      plain.append(next);
    }
    return plain.toString();
  }
}
