// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks rows up by keys, many at once, over one connection of its own; each time the database's
 * present state is seen. Passing troubles are tried again on a new connection. Nothing of a session
 * is relied on, so a proxy may pool transactions. Used by one thread.
 */
final class LookupQuery implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LookupQuery.class);

  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

  private final ReadTarget target;
  private final int[] keyFields;
  private final int maxRetries;
  private final Database database;
  private final int[] positions;
  private LookupKey key;
  private RowDecoder decoder;
  private String beginning;
  private boolean settings;

  /**
   * A query that is not connected yet.
   *
   * @param keyFields the fields of the rows that make the key
   * @param maxRetries how often a lookup is tried again
   */
  LookupQuery(ReadTarget target, int[] keyFields, int maxRetries) {
    this.target = target;
    this.keyFields = keyFields;
    this.maxRetries = maxRetries;
    this.database = new Database(target.table(), target.address(), ANSWER);
    this.positions = new int[keyFields.length];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = i;
    }
  }

  private interface Attempt<T> {
    T run() throws SQLException, IOException;
  }

  /** Connects, and looks whether the table can be read. */
  void open() throws IOException {
    retried(
        () -> {
          ReadTable table = ReadTable.check(database.connection(), target);
          List<LogicalType> types = new ArrayList<>();
          List<ReadColumn> columns = new ArrayList<>();
          for (int field : keyFields) {
            types.add(target.rows().getTypeAt(field));
            columns.add(table.column(target.rows().getFieldNames().get(field)));
          }
          key = new LookupKey(types, columns);
          decoder = table.decoder();
          settings = table.dependsOnSettings();
          StringBuilder sql =
              new StringBuilder("COPY (SELECT ")
                  .append(table.selectList())
                  .append(" FROM ")
                  .append(table.found().quoted())
                  .append(" WHERE ");
          table.conditions().forEach(condition -> sql.append(condition).append(" AND "));
          beginning = sql.toString();
          return null;
        },
        true);
  }

  /** The key of a row of keys for {@link #find}; null if no row has it. */
  List<Object> key(RowData keyRow) {
    return key.of(keyRow, positions);
  }

  /** The rows for each key that has any. */
  Map<List<Object>, List<RowData>> find(Collection<RowData> keyRows) throws IOException {
    Map<List<Object>, String> conditions = new LinkedHashMap<>();
    for (RowData keyRow : keyRows) {
      List<Object> values = key(keyRow);
      if (values != null) {
        conditions.computeIfAbsent(values, ignored -> key.condition(keyRow));
      }
    }
    return conditions.isEmpty()
        ? Map.of()
        : retried(
            () -> {
              Map<List<Object>, List<RowData>> found = copy(conditions.values());
              found.keySet().retainAll(conditions.keySet());
              return found;
            },
            false);
  }

  private Map<List<Object>, List<RowData>> copy(Collection<String> conditions)
      throws SQLException, IOException {
    Connection connection = settings ? database.begin() : database.connection();
    if (settings) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(ScanSession.TEXT_FORM);
      }
    }
    String sql = beginning + "(" + String.join(" OR ", conditions) + ")) TO STDOUT (FORMAT binary)";
    Map<List<Object>, List<RowData>> found = new HashMap<>();
    CopyOut copy = connection.unwrap(PGConnection.class).getCopyAPI().copyOut(sql);
    boolean first = true;
    for (byte[] message = copy.readFromCopy(); message != null; message = copy.readFromCopy()) {
      RowData row = decoder.decode(message, first);
      first = false;
      if (row != null) {
        found.computeIfAbsent(key.of(row, keyFields), values -> new ArrayList<>()).add(row);
      }
    }
    if (settings) {
      database.commit();
    }
    return found;
  }

  private <T> T retried(Attempt<T> attempt, boolean starting) throws IOException {
    for (int retry = 0; ; retry++) {
      try {
        return attempt.run();
      } catch (RefusedException e) {
        database.drop();
        throw new SuppressRestartsException(e);
      } catch (SQLException e) {
        database.drop();
        IOException failure =
            starting ? ReadTrouble.atStart(target, e) : ReadTrouble.whileReading(target, e);
        if (failure instanceof RefusedException) {
          throw new SuppressRestartsException(failure);
        }
        if (retry >= maxRetries || Thread.currentThread().isInterrupted()) {
          throw failure;
        }
        LOG.warn("{} It is tried again.", failure.getMessage());
        pause(FIRST_PAUSE.toMillis() << Math.min(retry, 4));
      }
    }
  }

  private static void pause(long millis) throws InterruptedIOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting to look rows up again");
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
