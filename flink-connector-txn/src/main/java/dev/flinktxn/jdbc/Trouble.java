// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.sql.SQLException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * What an error of the database means: passing, or final (PostgreSQL, appendix A, "Error Codes").
 */
final class Trouble {

  static final String FEATURE_NOT_SUPPORTED = "0A000";
  static final String LOCK_NOT_AVAILABLE = "55P03";
  static final String OBJECT_IN_USE = "55006";
  static final String NOT_IN_PREREQUISITE_STATE = "55000";
  static final String UNDEFINED_OBJECT = "42704";
  static final String UNDEFINED_TABLE = "42P01";

  /** Classes of errors that another try, later or on another connection, may not meet. */
  private static final Set<String> PASSING_CLASSES =
      // connection, transaction rollback, resources, operator intervention, system errors
      Set.of("08", "40", "53", "57", "58", "XX");

  private static final Set<String> PASSING =
      // lock not available, object in use, read-only transaction (a standby that was promoted late)
      Set.of(LOCK_NOT_AVAILABLE, OBJECT_IN_USE, "25006");

  private static final Pattern COPY_LINE = Pattern.compile("(?m)^COPY .+?, line (\\d{1,18})");

  private Trouble() {}

  /** Whether the same statements may succeed on another try. */
  static boolean passes(SQLException error) {
    String state = error.getSQLState();
    return !isRefusedParameter(error)
        && (state == null
            || state.length() < 2
            || PASSING_CLASSES.contains(state.substring(0, 2))
            || PASSING.contains(state));
  }

  /**
   * Whether a pooling proxy turns a connection away for a parameter that it could not give to every
   * session; in PgBouncer's words, for its error code says nothing.
   */
  static boolean isRefusedParameter(SQLException error) {
    ServerErrorMessage message =
        error instanceof PSQLException driver ? driver.getServerErrorMessage() : null;
    return message != null
        && message.getMessage() != null
        && message.getMessage().startsWith("unsupported startup parameter");
  }

  /** Whether the database turns this user away, which says nothing about any rows. */
  static boolean denies(SQLException error) {
    String state = error.getSQLState();
    return isRefusedParameter(error)
        || state != null
            // invalid authorization, no such database, no right
            && (state.startsWith("28") || state.equals("3D000") || state.equals("42501"));
  }

  static boolean is(SQLException error, String state) {
    return state.equals(error.getSQLState());
  }

  /** The server's words in one line, with what it says of the values, and the error code. */
  static String words(SQLException error) {
    StringBuilder words = new StringBuilder();
    ServerErrorMessage message =
        error instanceof PSQLException driver ? driver.getServerErrorMessage() : null;
    if (message == null) {
      words.append(error.getMessage());
    } else {
      words.append(message.getMessage());
      append(words, message.getDetail());
      append(words, message.getWhere());
    }
    return words.append(" (SQL state ").append(error.getSQLState()).append(')').toString();
  }

  private static void append(StringBuilder words, String more) {
    if (more != null) {
      words.append("; ").append(more.replace('\n', ' '));
    }
  }

  /** The line of a COPY that the server refused, counted from 1; 0 when it does not say. */
  static long copyLine(SQLException error) {
    ServerErrorMessage message =
        error instanceof PSQLException driver ? driver.getServerErrorMessage() : null;
    String where = message == null ? null : message.getWhere();
    // What the value's type has to say stands in lines before that of COPY.
    Matcher copy = COPY_LINE.matcher(where == null ? "" : where);
    return copy.find() ? Long.parseLong(copy.group(1)) : 0;
  }
}
