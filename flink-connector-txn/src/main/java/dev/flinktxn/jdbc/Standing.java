// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Where a unit stands in the database.
 *
 * @param committed whether the ledger has it
 * @param staged whether its staging table is registered
 * @param prepared whether its transaction is prepared
 */
record Standing(boolean committed, boolean staged, boolean prepared) {

  /**
   * Where units stand, and the database's clock.
   *
   * @param units by id
   * @param clock in microseconds since the epoch
   */
  record Answer(Map<UUID, Standing> units, long clock) {}

  private static final String CLOCK = "(extract(epoch FROM clock_timestamp()) * 1000000)::int8";

  /**
   * Asks for all of {@code ids} in one statement, which sees one moment: a commit enters the ledger
   * and leaves the registry at once.
   *
   * @param gids the gid of each id's transaction, were it prepared
   */
  static Answer ask(Connection connection, String schema, Collection<UUID> ids, List<String> gids)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT u.id, EXISTS (SELECT FROM "
                + SqlNames.quoted(schema, "ledger")
                + " l WHERE l.id = u.id), EXISTS (SELECT FROM "
                + SqlNames.quoted(schema, "staging")
                + " s WHERE s.id = u.id), u.gid IN (SELECT gid FROM pg_prepared_xacts), "
                + CLOCK
                + " FROM unnest(?, ?) u (id, gid)")) {
      select.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
      select.setArray(2, connection.createArrayOf("text", gids.toArray()));
      Map<UUID, Standing> units = new HashMap<>();
      long clock = 0;
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          units.put(
              rows.getObject(1, UUID.class),
              new Standing(rows.getBoolean(2), rows.getBoolean(3), rows.getBoolean(4)));
          clock = rows.getLong(5);
        }
      }
      return new Answer(units, clock);
    }
  }

  /** The database's clock alone. */
  static long clock(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement("SELECT " + CLOCK);
        ResultSet row = select.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }
}
