// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Where a unit stands in the database.
 *
 * @param committed whether the ledger has it
 * @param staged whether its staging table is registered
 * @param prepared whether its transaction is prepared
 * @param pruned whether the ledger was pruned since it was minted
 */
record Standing(boolean committed, boolean staged, boolean prepared, boolean pruned) {

  /**
   * A unit that is asked for.
   *
   * @param id its id
   * @param mintedAt when the id was drawn, in microseconds of the database's clock
   * @param gid of its transaction, were it prepared
   */
  record Question(UUID id, long mintedAt, String gid) {}

  /**
   * Where units stand, and the database's clock.
   *
   * @param units by id
   * @param clock in microseconds since the epoch
   */
  record Answer(Map<UUID, Standing> units, long clock) {}

  private static final String CLOCK = "(extract(epoch FROM clock_timestamp()) * 1000000)::int8";

  /**
   * Asks for all units in one statement, which sees one moment: a commit enters the ledger and
   * leaves the registry at once.
   */
  static Answer ask(
      Connection connection, String schema, String prefix, Collection<Question> questions)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT u.id, EXISTS (SELECT FROM "
                + SqlNames.quoted(schema, "ledger")
                + " l WHERE l.id = u.id), EXISTS (SELECT FROM "
                + SqlNames.quoted(schema, "staging")
                + " s WHERE s.id = u.id), u.gid IN (SELECT gid FROM pg_prepared_xacts), EXISTS"
                + " (SELECT FROM "
                + SqlNames.quoted(schema, "horizon")
                + " h WHERE h.prefix = ? AND (extract(epoch FROM h.pruned_before) * 1000000)::int8"
                + " > u.minted_at), "
                + CLOCK
                + " FROM unnest(?, ?, ?) u (id, minted_at, gid)")) {
      select.setString(1, prefix);
      select.setArray(2, array(connection, "uuid", questions, Question::id));
      select.setArray(3, array(connection, "int8", questions, Question::mintedAt));
      select.setArray(4, array(connection, "text", questions, Question::gid));
      Map<UUID, Standing> units = new HashMap<>();
      long clock = 0;
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          units.put(
              rows.getObject(1, UUID.class),
              new Standing(
                  rows.getBoolean(2), rows.getBoolean(3), rows.getBoolean(4), rows.getBoolean(5)));
          clock = rows.getLong(6);
        }
      }
      return new Answer(units, clock);
    }
  }

  private static Array array(
      Connection connection,
      String type,
      Collection<Question> questions,
      Function<Question, Object> part)
      throws SQLException {
    return connection.createArrayOf(type, questions.stream().map(part).toArray());
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
