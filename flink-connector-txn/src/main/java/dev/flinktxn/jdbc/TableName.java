// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The name of a table in the database, taken literally.
 *
 * @param schema its schema; null where the search path decides
 * @param table the table
 */
public record TableName(String schema, String table) implements Serializable {

  private static final long serialVersionUID = 1L;

  /**
   * Reads {@code table} or {@code schema.table}. A part in double quotes may hold dots, and quotes
   * doubled; no part is folded to lower case.
   *
   * @throws IllegalArgumentException if it is neither; the message is the rest of a sentence that
   *     begins "... is 'x', but"
   */
  public static TableName parse(String name) {
    List<String> parts = new ArrayList<>();
    int position = 0;
    do {
      StringBuilder part = new StringBuilder();
      position = readPart(name, position, part);
      if (part.isEmpty()) {
        throw new IllegalArgumentException("it has an empty part");
      }
      parts.add(part.toString());
      // What ends a part is a dot or the end of the name.
    } while (position++ < name.length());
    if (parts.size() > 2) {
      throw new IllegalArgumentException(
          "it has " + parts.size() + " parts and may have two, a schema and a table");
    }
    return parts.size() == 1
        ? new TableName(null, parts.get(0))
        : new TableName(parts.get(0), parts.get(1));
  }

  /** Appends the part that begins at {@code from}; answers where it ends. */
  private static int readPart(String name, int from, StringBuilder part) {
    return from < name.length() && name.charAt(from) == '"'
        ? readQuoted(name, from + 1, part)
        : readPlain(name, from, part);
  }

  private static int readPlain(String name, int from, StringBuilder part) {
    int dot = name.indexOf('.', from);
    int end = dot < 0 ? name.length() : dot;
    part.append(name, from, end);
    if (part.indexOf("\"") >= 0) {
      throw new IllegalArgumentException("it has a double quote inside a part without quotes");
    }
    return end;
  }

  private static int readQuoted(String name, int from, StringBuilder part) {
    int position = from;
    while (true) {
      int quote = name.indexOf('"', position);
      if (quote < 0) {
        throw new IllegalArgumentException("it has a double quote that is never closed");
      }
      part.append(name, position, quote);
      position = quote + 1;
      if (position == name.length() || name.charAt(position) == '.') {
        return position;
      }
      if (name.charAt(position) != '"') {
        throw new IllegalArgumentException("something follows a closing double quote");
      }
      part.append('"');
      position++;
    }
  }

  /** The name for SQL. */
  String quoted() {
    return schema == null ? SqlNames.quoted(table) : SqlNames.quoted(schema, table);
  }

  /** The name as option {@code table-name} spells it. */
  public String spelled() {
    return schema == null ? spelled(table) : spelled(schema) + '.' + spelled(table);
  }

  private static String spelled(String part) {
    return part.indexOf('.') < 0 && part.indexOf('"') < 0 ? part : SqlNames.quoted(part);
  }

  @Override
  public String toString() {
    return quoted();
  }
}
