// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.TransactionName;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.util.TimeUtils;

/**
 * What gathers in a sink's schema over the years: staging tables of jobs that never came back, and
 * ledger rows. Prefixes that a session works for are left to their sink. Used by one thread.
 */
public final class JdbcHousekeeping implements AutoCloseable {

  /** What a pruned ledger has to remember at least. */
  public static final Duration SHORTEST_RETENTION = JdbcSinkReader.SHORTEST_RETENTION;

  private static final Duration ANSWERS = Duration.ofMinutes(1);

  /** Whether a sink of the prefix is connected, by the name that sessions are cut to. */
  private static final String ALIVE =
      "EXISTS (SELECT FROM pg_stat_activity a WHERE a.datname = current_database()"
          + " AND a.application_name = left('"
          + Database.application("")
          + "' || %s, 63))";

  private static final String ORPHANS =
      """
      SELECT s.id, s.prefix, s.transaction, s.created_at, coalesce(c.relname, s.table_name),
        c.oid IS NOT NULL, pg_stat_get_live_tuples(c.oid), l.held, l.holder,
        CASE WHEN l.held IS NULL THEN pg_total_relation_size(c.oid) END,
        clock_timestamp() - s.created_at < ? * interval '1 millisecond', %s
      FROM %s s FULL JOIN (SELECT c.oid, c.relname::text FROM pg_class c
          JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'r'
          AND c.relname ~ '^staged_[0-9a-f]{8}(_[0-9a-f]{4}){3}_[0-9a-f]{12}$') c
        ON c.relname = s.table_name
      LEFT JOIN LATERAL (SELECT true AS held, max(l.pid) AS holder FROM pg_locks l
          WHERE l.relation = c.oid AND l.granted AND l.mode <> 'AccessShareLock'
          AND l.pid IS DISTINCT FROM pg_backend_pid()
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          GROUP BY l.relation) l ON true
      WHERE ?::text IS NULL OR s.prefix = ? ORDER BY s.prefix, s.created_at, 5
      """;

  private static final String MEMORIES =
      """
      SELECT l.prefix, count(*), min(l.committed_at), max(l.committed_at), count(*) FILTER (
          WHERE l.committed_at < now() - ? * interval '1 millisecond'), %s
      FROM %s l WHERE ?::text IS NULL OR l.prefix = ? GROUP BY l.prefix ORDER BY l.prefix
      """;

  private static final String SINK_DOES_IT = "a job that uses the prefix is connected and does it";

  private final OperatorTarget target;
  private final JdbcTarget all;
  private final Database database;

  /**
   * Takes the options of a catalog, named as those of a table; connects when it is first needed.
   *
   * @param options may hold secrets
   * @param words what stands for the table in messages
   */
  public JdbcHousekeeping(Map<String, String> options, String words) {
    this.target = new OperatorTarget(options, words);
    this.all = target.of(null, null, false);
    this.database = new Database(words, all.url(), all.properties(), ANSWERS);
  }

  /**
   * A staging table, or the registration of one.
   *
   * @param prefix whose it is; null when it is not registered
   * @param transaction whose it is; null when it is not registered
   * @param table its name for SQL
   * @param createdAt when it was registered; null when it is not
   * @param rows an estimate; null when there is no table
   * @param bytes null when it is locked, or there is no table
   * @param keep why it has to stay; null when it may go
   * @param state what it is
   * @param id of its unit
   */
  public record Orphan(
      String prefix,
      String transaction,
      String table,
      Instant createdAt,
      Long rows,
      Long bytes,
      String keep,
      String state,
      UUID id) {}

  /**
   * What the ledger remembers of one prefix.
   *
   * @param units how many transactions
   * @param prunable how many of them are old enough to be forgotten
   * @param keep why none is; null when they may be
   */
  public record Memory(
      String prefix, long units, long prunable, Instant oldest, Instant newest, String keep) {}

  private interface Question<T> {
    T ask(Connection connection) throws SQLException, IOException;
  }

  private <T> T ask(String what, Question<T> question) throws IOException, InterruptedException {
    try {
      return question.ask(database.connection());
    } catch (SQLException e) {
      database.drop();
      throw target.failed(what, e);
    }
  }

  /** Whether a sink has run here. */
  private boolean exists(Connection connection) throws SQLException {
    return new PrefixInventory(connection, all.schema(), "").ledgerExists();
  }

  /**
   * All staging tables, with what keeps each.
   *
   * @param prefix of exactly this prefix; null for all, and for those that are not registered
   */
  public List<Orphan> staged(String prefix, Duration olderThan)
      throws IOException, InterruptedException {
    return ask(
        "list staging tables",
        connection -> {
          List<Orphan> found = new ArrayList<>();
          if (!exists(connection)) {
            return found;
          }
          try (PreparedStatement select =
              connection.prepareStatement(
                  ORPHANS.formatted(
                      ALIVE.formatted("s.prefix"), new Staging(all.schema()).registry()))) {
            select.setLong(1, olderThan.toMillis());
            select.setString(2, all.schema());
            select.setString(3, prefix);
            select.setString(4, prefix);
            try (ResultSet rows = select.executeQuery()) {
              while (rows.next()) {
                found.add(orphan(rows, olderThan));
              }
            }
          }
          return found;
        });
  }

  private Orphan orphan(ResultSet row, Duration olderThan) throws SQLException {
    UUID registered = row.getObject(1, UUID.class);
    String prefix = row.getString(2);
    String table = row.getString(5);
    boolean exists = row.getBoolean(6);
    String keep = null;
    if (row.getBoolean(8)) {
      int holder = row.getInt(9);
      keep =
          row.wasNull()
              ? "a prepared transaction holds it"
              : "process " + holder + " has a lock on it";
    } else if (registered != null) {
      boolean ours =
          table.equals(Unit.stagingTable(registered))
              && TransactionName.parse(prefix, row.getString(3)).isPresent();
      if (!ours) {
        keep = "it was not registered by this sink";
      } else if (row.getBoolean(12)) {
        keep = SINK_DOES_IT;
      } else if (row.getBoolean(11)) {
        keep = "it is not older than " + TimeUtils.formatWithHighestUnit(olderThan);
      }
    }
    return new Orphan(
        prefix,
        row.getString(3),
        SqlNames.quoted(all.schema(), table),
        instant(row, 4),
        row.getObject(7, Long.class),
        row.getObject(10, Long.class),
        keep,
        registered == null
            ? "not registered: its transaction was given up, nothing will move its rows"
            : exists ? "registered" : "registered, without a table",
        registered == null ? Unit.idOfStagingTable(table) : registered);
  }

  /** Drops exactly this staging table and its registration; does nothing if they are gone. */
  public void drop(Orphan orphan) throws IOException, InterruptedException {
    try {
      new Leftovers(all, database).removeStaged(orphan.id());
    } catch (SQLException e) {
      database.drop();
      throw target.failed("drop " + orphan.table(), e);
    }
  }

  /**
   * What the ledger remembers of each prefix.
   *
   * @param prefix of exactly this prefix; null for all
   */
  public List<Memory> memories(String prefix, Duration olderThan)
      throws IOException, InterruptedException {
    return ask(
        "read the ledger",
        connection -> {
          List<Memory> found = new ArrayList<>();
          if (!exists(connection)) {
            return found;
          }
          try (PreparedStatement select =
              connection.prepareStatement(
                  MEMORIES.formatted(
                      ALIVE.formatted("l.prefix"), SqlNames.quoted(all.schema(), "ledger")))) {
            select.setLong(1, olderThan.toMillis());
            select.setString(2, prefix);
            select.setString(3, prefix);
            try (ResultSet row = select.executeQuery()) {
              while (row.next()) {
                found.add(
                    new Memory(
                        row.getString(1),
                        row.getLong(2),
                        row.getLong(5),
                        instant(row, 3),
                        instant(row, 4),
                        row.getBoolean(6) ? SINK_DOES_IT : null));
              }
            }
          }
          return found;
        });
  }

  /**
   * Forgets, step by step, what a prefix committed longer ago than {@code olderThan}. The horizon
   * is raised first, so that an older checkpoint finds its transactions UNKNOWN and not lost.
   */
  public void prune(String prefix, Duration olderThan) throws IOException, InterruptedException {
    ask(
        "prune the ledger of prefix '" + prefix + "'",
        connection -> {
          Ledger ledger = new Ledger(all.schema());
          boolean more = true;
          while (more) {
            more = ledger.prune(connection, prefix, olderThan);
          }
          return null;
        });
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  @Override
  public void close() {
    database.close();
  }
}
