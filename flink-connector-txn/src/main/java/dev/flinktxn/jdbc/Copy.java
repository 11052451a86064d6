// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Sends encoded rows by COPY FROM STDIN. */
final class Copy {

  /** Signature, no flags, no extension (reference of COPY, "Binary Format"). */
  private static final byte[] HEADER = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
  };

  private static final byte[] TRAILER = {(byte) 0xff, (byte) 0xff};

  private static final int PIECE = 1 << 16;

  private Copy() {}

  /** The statement that takes rows into {@code quotedTable}. */
  static String into(String quotedTable, Collection<String> columns, CopyFormat format) {
    return "COPY "
        + quotedTable
        + " ("
        + SqlNames.list(columns)
        + ") FROM STDIN"
        + (format == CopyFormat.BINARY ? " (FORMAT binary)" : "");
  }

  /** Sends rows; returns when the server has taken them all. */
  static void send(
      Connection connection, String sql, CopyFormat format, byte[] rows, int offset, int length)
      throws SQLException {
    CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql);
    try {
      if (format == CopyFormat.BINARY) {
        copy.writeToCopy(HEADER, 0, HEADER.length);
      }
      for (int sent = 0; sent < length; sent += PIECE) {
        copy.writeToCopy(rows, offset + sent, Math.min(PIECE, length - sent));
      }
      if (format == CopyFormat.BINARY) {
        copy.writeToCopy(TRAILER, 0, TRAILER.length);
      }
      copy.endCopy();
    } catch (SQLException e) {
      if (copy.isActive()) {
        try {
          copy.cancelCopy();
        } catch (SQLException cancelling) {
          // The server ends a COPY that it refuses by itself; the first error is the one to tell.
          e.addSuppressed(cancelling);
        }
      }
      throw e;
    }
  }
}
