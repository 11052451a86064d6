// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.flink.table.catalog.ObjectPath;

/**
 * The transactional id prefix that a table has from its catalog: {@code <prefix>.<schema>.<table>}.
 * Tables of different names have different ones.
 */
final class TablePrefix {

  private static final int LONGEST = 64;
  private static final int HASHED = 16;

  private TablePrefix() {}

  /**
   * The prefix of one table. In the names of schema and table a byte (of UTF-8) that is none of
   * {@code A-Z a-z 0-9 -} becomes {@code _} and two hexadecimal digits; of what is longer than a
   * prefix may be, the tail becomes a hash of the whole.
   */
  static String of(String catalogPrefix, ObjectPath table) {
    String whole =
        catalogPrefix
            + '.'
            + encoded(table.getDatabaseName())
            + '.'
            + encoded(table.getObjectName());
    return whole.length() <= LONGEST
        ? whole
        : whole.substring(0, LONGEST - HASHED - 1) + '.' + hash(whole);
  }

  private static String encoded(String name) {
    StringBuilder encoded = new StringBuilder();
    for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) (each & 0xFF);
      if ((letter >= 'A' && letter <= 'Z')
          || (letter >= 'a' && letter <= 'z')
          || (letter >= '0' && letter <= '9')
          || letter == '-') {
        encoded.append(letter);
      } else {
        encoded.append('_').append(HexFormat.of().toHexDigits(each));
      }
    }
    return encoded.toString();
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASHED / 2);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
