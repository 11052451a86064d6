// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.OpenTransaction;
import dev.flinktxn.protocol.TransactionName;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What transactions leave in the database until they end: staging tables, prepared ones. */
final class Leftovers {

  private static final String STAGED = "staged:";
  private static final String PREPARED = "prepared:";

  /** How long a statement waits for somebody who may be dead. */
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(3);

  private static final int TRIES = 3;

  private final JdbcTarget target;
  private final Database database;

  Leftovers(JdbcTarget target, Database database) {
    this.target = target;
    this.database = database;
  }

  /** All leftovers under exactly this prefix. */
  List<OpenTransaction> of(String prefix) throws SQLException {
    Map<UUID, OpenTransaction> open = new LinkedHashMap<>();
    Connection connection = database.connection();
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT transaction, id FROM "
                + new Staging(target.schema()).registry()
                + " WHERE prefix = ?")) {
      select.setString(1, prefix);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          UUID id = rows.getObject(2, UUID.class);
          TransactionName.parse(prefix, rows.getString(1))
              .ifPresent(name -> open.put(id, staged(name, id)));
        }
      }
    }
    String beginning = prefix + TransactionName.SEPARATOR;
    for (String gid : Prepared.beginningWith(connection, beginning)) {
      // In place of the unit's staging table, if it has one, which the transaction holds.
      TransactionName.parse(prefix, Prepared.nameIn(gid))
          .ifPresent(name -> open.put(Prepared.idIn(gid), prepared(name, gid)));
    }
    return List.copyOf(open.values());
  }

  /** A transaction whose rows are in a staging table. */
  static OpenTransaction staged(TransactionName name, UUID id) {
    return new OpenTransaction(name, STAGED + id);
  }

  /** A transaction that is prepared. */
  static OpenTransaction prepared(TransactionName name, String gid) {
    return new OpenTransaction(name, PREPARED + gid);
  }

  /** The id of its unit. */
  static UUID idIn(OpenTransaction open) {
    String incarnation = open.incarnation();
    return incarnation.startsWith(PREPARED)
        ? Prepared.idIn(incarnation.substring(PREPARED.length()))
        : UUID.fromString(incarnation.substring(STAGED.length()));
  }

  /** What a transaction of our own leaves. */
  OpenTransaction own(UnitTransaction transaction) {
    return transaction.kind() == Unit.Kind.PREPARED
        ? prepared(transaction.name(), Prepared.gid(transaction.name(), transaction.id()))
        : staged(transaction.name(), transaction.id());
  }

  /** Removes exactly this; does nothing if it is gone. */
  void remove(OpenTransaction orphan) throws SQLException, IOException, InterruptedException {
    String incarnation = orphan.incarnation();
    if (incarnation.startsWith(PREPARED)) {
      Prepared.rollback(database.connection(), incarnation.substring(PREPARED.length()));
    }
    removeStaged(idIn(orphan));
  }

  /** Removes a unit's staging table and its registration, as far as they are there. */
  void removeStaged(UUID id) throws SQLException, IOException {
    Staging staging = new Staging(target.schema());
    String limits = Database.limits(target.transactionTimeout().plus(LOCK_LIMIT), LOCK_LIMIT);
    for (int tries = 1; ; tries++) {
      Connection connection = database.begin();
      try (PreparedStatement limited = connection.prepareStatement(limits)) {
        limited.execute();
        staging.deregister(connection, id);
        staging.drop(connection, id);
        database.commit();
        return;
      } catch (SQLException e) {
        if (!Trouble.is(e, Trouble.LOCK_NOT_AVAILABLE) || tries == TRIES) {
          throw e;
        }
        database.rollback();
        endHolders(staging.table(id));
      }
    }
  }

  /** A writer that was stopped in the middle of a COPY holds its staging table for ever. */
  private void endHolders(String stagingTable) throws SQLException {
    try (PreparedStatement end =
        database
            .connection()
            .prepareStatement(
                "SELECT pg_terminate_backend(a.pid) FROM pg_locks l JOIN pg_stat_activity a ON"
                    + " a.pid = l.pid WHERE l.locktype = 'relation' AND l.granted AND l.relation ="
                    + " to_regclass(?) AND l.database = (SELECT oid FROM pg_database WHERE datname"
                    + " = current_database()) AND a.usename = current_user AND a.pid <>"
                    + " pg_backend_pid()")) {
      end.setString(1, stagingTable);
      end.execute();
    }
  }
}
