// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Random rows like those of the jobs straight into a table, by nothing but the driver: as fast as
 * rows can get there. A commit every 100,000 rows.
 *
 * @param table a table with the columns of the benchmark
 * @param binary which of COPY's formats
 */
record CopyLoop(String table, boolean binary) {

  private static final int ROWS_OF_A_COPY = 100_000;
  private static final int FULL = 1 << 16;
  private static final int ROOM = 256;

  /** Signature, no flags, no extension. */
  private static final byte[] HEADER =
      "PGCOPY\n\u00ff\r\n\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

  private static final byte[] TRAILER = {-1, -1};

  /** Writes {@code rows} rows; the connection is in auto-commit mode. */
  void write(Connection connection, long rows) throws SQLException, IOException {
    SplittableRandom random = new SplittableRandom();
    ByteBuffer buffer = ByteBuffer.allocate(FULL + ROOM);
    String format = binary ? "binary" : "text";
    for (long written = 0; written < rows; written += ROWS_OF_A_COPY) {
      CopyIn copy =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn("COPY " + table + " FROM STDIN WITH (FORMAT " + format + ")");
      if (binary) {
        buffer.put(HEADER);
      }
      for (long row = Math.min(ROWS_OF_A_COPY, rows - written); row > 0; row--) {
        put(random, buffer);
        if (buffer.position() >= FULL) {
          send(copy, buffer);
        }
      }
      if (binary) {
        buffer.put(TRAILER);
      }
      send(copy, buffer);
      copy.endCopy();
    }
  }

  private void put(SplittableRandom random, ByteBuffer buffer) {
    long id = random.nextLong();
    byte[] name =
        HexFormat.of().toHexDigits(random.nextLong()).getBytes(StandardCharsets.ISO_8859_1);
    double amount = random.nextDouble();
    boolean flag = random.nextBoolean();
    if (binary) {
      buffer.putShort((short) 4).putInt(8).putLong(id);
      buffer.putInt(name.length).put(name);
      buffer.putInt(8).putDouble(amount);
      buffer.putInt(1).put((byte) (flag ? 1 : 0));
    } else {
      buffer.put(Long.toString(id).getBytes(StandardCharsets.ISO_8859_1));
      buffer.put((byte) '\t').put(name).put((byte) '\t');
      buffer.put(Double.toString(amount).getBytes(StandardCharsets.ISO_8859_1));
      buffer.put((byte) '\t').put((byte) (flag ? 't' : 'f')).put((byte) '\n');
    }
  }

  private static void send(CopyIn copy, ByteBuffer buffer) throws SQLException {
    copy.writeToCopy(buffer.array(), 0, buffer.position());
    buffer.clear();
  }
}
