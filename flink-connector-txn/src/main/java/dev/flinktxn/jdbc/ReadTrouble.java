// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;

/** Errors of the database in the words of those who read. */
final class ReadTrouble {

  /** What the server says of a snapshot that it does not have any more, in various versions. */
  private static final Set<String> NO_SNAPSHOT =
      Set.of("22023", Trouble.UNDEFINED_OBJECT, Trouble.NOT_IN_PREREQUISITE_STATE, "0A000");

  private ReadTrouble() {}

  /** Whether the server does not know the snapshot that was asked for. */
  static boolean isWithoutSnapshot(SQLException error) {
    return NO_SNAPSHOT.contains(error.getSQLState());
  }

  /** A start that failed: refused for good, or for now. */
  static IOException atStart(ReadTarget target, SQLException e) {
    String advice =
        Trouble.isRefusedParameter(e)
            ? "A proxy that pools transactions cannot keep such a parameter: remove it from option"
                + " 'url' or 'properties.*'; instead of currentSchema write 'schema.table' in"
                + " 'table-name'."
            : "Check the options 'url', 'username' and 'password', and whether the server answers.";
    String message =
        "Table %s: the start-up checks of %s failed: %s. %s"
            .formatted(target.table(), target.describe(), Trouble.words(e), advice);
    return Trouble.passes(e) ? new IOException(message, e) : new RefusedException(message, e);
  }

  /** Reading that failed. */
  static IOException whileReading(ReadTarget target, SQLException e) {
    String message =
        "Table %s: reading %s failed: %s."
            .formatted(target.table(), target.describe(), Trouble.words(e));
    return Trouble.passes(e) ? new IOException(message, e) : new RefusedException(message, e);
  }
}
