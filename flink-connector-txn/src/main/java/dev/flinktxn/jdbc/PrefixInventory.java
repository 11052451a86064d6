// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.Remnant;
import dev.flinktxn.protocol.TransactionName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Lists what one prefix has in a database. Names that do not parse under the prefix are others'.
 *
 * @param connection in the caller's transaction
 * @param schema the schema of ledger and staging tables
 * @param prefix matched exactly
 */
record PrefixInventory(Connection connection, String schema, String prefix) {

  private static final String PREPARED =
      "SELECT gid, prepared, owner FROM pg_prepared_xacts WHERE database = current_database() AND"
          + " starts_with(gid, ?) ORDER BY prepared";

  /** The size of a table waits for its lock, which a merge or a prepared transaction may hold. */
  private static final String STAGED =
      """
      SELECT s.id, s.transaction, s.created_at, s.table_name, pg_get_userbyid(c.relowner),
        pg_stat_get_live_tuples(c.oid),
        CASE WHEN NOT EXISTS (SELECT FROM pg_locks l WHERE l.relation = c.oid AND l.granted
            AND l.mode = 'AccessExclusiveLock'
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))
          THEN pg_total_relation_size(c.oid) END
      FROM %s s LEFT JOIN (pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace)
        ON n.nspname = ? AND c.relname = s.table_name AND c.relkind = 'r'
      WHERE s.prefix = ? ORDER BY s.created_at
      """;

  private static final String WRITER =
      """
      SELECT a.pid, a.usename, s.table_name FROM %s s
      JOIN pg_namespace n ON n.nspname = ?
      JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = s.table_name
      JOIN pg_locks l ON l.relation = c.oid AND l.granted AND l.mode <> 'AccessShareLock'
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      JOIN pg_stat_activity a ON a.pid = l.pid AND a.backend_type = 'client backend'
      WHERE s.prefix = ? AND a.pid <> pg_backend_pid() LIMIT 1
      """;

  private static final String LEDGER =
      """
      SELECT count(*), sum(l.rows)::int8, max(l.committed_at),
        (SELECT h.pruned_before FROM %s h WHERE h.prefix = ?)
      FROM %s l WHERE l.prefix = ?
      """;

  private static final String NEWEST =
      """
      SELECT (extract(epoch FROM clock_timestamp() - greatest(
          (SELECT max(committed_at) FROM %s WHERE prefix = ?),
          (SELECT max(created_at) FROM %s WHERE prefix = ?),
          (SELECT max(prepared) FROM pg_prepared_xacts
            WHERE database = current_database() AND starts_with(gid, ?)))) * 1000)::int8
      """;

  private static final String SESSIONS =
      "SELECT pid, usename, client_addr::text, state, backend_start FROM pg_stat_activity WHERE"
          + " datname = current_database() AND application_name = ? AND pid <> pg_backend_pid()"
          + " ORDER BY backend_start";

  private interface Row<T> {
    /** Null where there is nothing to add. */
    T read(ResultSet row) throws SQLException;
  }

  private <T> List<T> query(String sql, Row<T> reader, String... parameters) throws SQLException {
    List<T> found = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        select.setString(i + 1, parameters[i]);
      }
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          T one = reader.read(rows);
          if (one != null) {
            found.add(one);
          }
        }
      }
    }
    return found;
  }

  private String beginning() {
    return prefix + TransactionName.SEPARATOR;
  }

  /** Whether a sink has run here. */
  boolean ledgerExists() throws SQLException {
    String tables = "SELECT to_regclass(?) IS NOT NULL AND to_regclass(?) IS NOT NULL";
    return query(
            tables,
            row -> row.getBoolean(1),
            SqlNames.quoted(schema, "ledger"),
            new Staging(schema).registry())
        .get(0);
  }

  List<Remnant> prepared() throws SQLException {
    return query(
        PREPARED,
        row -> {
          String gid = row.getString(1);
          TransactionName name = TransactionName.parse(prefix, Prepared.nameIn(gid)).orElse(null);
          return name == null
              ? null
              : new Remnant(
                  "prepared",
                  name.toString(),
                  gid,
                  "prepared",
                  instant(row, 2),
                  null,
                  null,
                  null,
                  "role " + row.getString(3) + ", " + name.writer(),
                  "it holds locks, and VACUUM of the whole cluster waits for it",
                  Leftovers.prepared(name, gid));
        },
        beginning());
  }

  List<Remnant> staged() throws SQLException {
    return query(
        STAGED.formatted(new Staging(schema).registry()),
        row -> {
          UUID id = row.getObject(1, UUID.class);
          TransactionName name = TransactionName.parse(prefix, row.getString(2)).orElse(null);
          String role = row.getString(5);
          return name == null
              ? null
              : new Remnant(
                  "staging",
                  name.toString(),
                  SqlNames.quoted(schema, row.getString(4)),
                  role == null ? "registered without a table" : "staged",
                  instant(row, 3),
                  null,
                  row.getObject(6, Long.class),
                  row.getObject(7, Long.class),
                  (role == null ? "" : "role " + role + ", ") + name.writer(),
                  "rows that are in no target yet; their number is an estimate",
                  Leftovers.staged(name, id));
        },
        schema,
        prefix);
  }

  /** Somebody who is writing to a staging table of the prefix, or moving it. */
  Optional<String> writerOfStaged() throws SQLException {
    return query(
            WRITER.formatted(new Staging(schema).registry()),
            row ->
                "process %d of role %s has a lock on staging table %s"
                    .formatted(row.getInt(1), row.getString(2), row.getString(3)),
            schema,
            prefix)
        .stream()
        .findFirst();
  }

  /** What is remembered as committed; empty when nothing ever was. */
  Optional<Remnant> ledger() throws SQLException {
    String horizon = SqlNames.quoted(schema, "horizon");
    String ledger = SqlNames.quoted(schema, "ledger");
    return query(
            LEDGER.formatted(horizon, ledger),
            row -> {
              Instant pruned = instant(row, 4);
              return row.getLong(1) == 0 && pruned == null
                  ? null
                  : new Remnant(
                      "ledger",
                      null,
                      ledger,
                      row.getLong(1) + " committed transactions",
                      instant(row, 3),
                      null,
                      row.getObject(2, Long.class),
                      null,
                      null,
                      "since: the last commit"
                          + (pruned == null ? "" : "; pruned before " + pruned),
                      null);
            },
            prefix,
            prefix)
        .stream()
        .findFirst();
  }

  /** How long ago the last thing of the prefix was written; empty when there is none. */
  Optional<Duration> quietFor() throws SQLException {
    return query(
            NEWEST.formatted(SqlNames.quoted(schema, "ledger"), new Staging(schema).registry()),
            row -> {
              Long millis = row.getObject(1, Long.class);
              return millis == null ? null : Duration.ofMillis(Math.max(0, millis));
            },
            prefix,
            prefix,
            beginning())
        .stream()
        .findFirst();
  }

  List<Remnant> sessions() throws SQLException {
    return query(
        SESSIONS,
        row ->
            new Remnant(
                "session",
                null,
                "process " + row.getInt(1),
                row.getString(4),
                instant(row, 5),
                null,
                null,
                null,
                "role %s at %s"
                    .formatted(row.getString(2), row.getString(3) == null ? "?" : row.getString(3)),
                "a task of a job that uses the prefix",
                null),
        Database.application(prefix));
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
