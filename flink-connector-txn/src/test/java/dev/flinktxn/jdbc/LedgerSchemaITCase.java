// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.protocol.RefusedException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sink's schema is created once, whoever comes first, and otherwise left as it is. */
final class LedgerSchemaITCase {

  private static final int THREADS = 8;
  private static final int ROUNDS = 20;

  @Test
  void createsWhatTheProtocolNeeds() throws Exception {
    try (CheckedTable checked = new CheckedTable();
        Connection connection = checked.asOwner()) {
      LedgerSchema.create(connection, checked.ledger);
      assertThat(connection.getAutoCommit()).isTrue();
      checked.run(
          "INSERT INTO $l.ledger (id, prefix, transaction, rows)"
              + " VALUES ('00000000-0000-4000-8000-000000000001', 'p', 'p~a-0-0', 3)",
          "INSERT INTO $l.horizon (prefix, pruned_before) VALUES ('p', now())",
          "INSERT INTO $l.staging (id, prefix, transaction, table_name)"
              + " VALUES ('00000000-0000-4000-8000-000000000001', 'p', 'p~a-0-0', 't')");
      assertThat(
              strings(
                  checked,
                  "SELECT 1 FROM $l.ledger l, $l.staging s"
                      + " WHERE l.committed_at > now() - interval '1 hour'"
                      + " AND s.created_at > now() - interval '1 hour'"))
          .hasSize(1);
      assertThat(
              strings(
                  checked,
                  "SELECT tablename || regexp_replace(indexdef, '^.*USING', '') FROM pg_indexes"
                      + " WHERE schemaname = '$m' ORDER BY 1"))
          .containsExactly(
              "horizon btree (prefix)",
              "ledger btree (id)",
              "ledger btree (prefix, committed_at)",
              "staging btree (id)",
              "staging btree (prefix)");
      assertThat(LedgerRights.ask(connection, checked.ledger).missing()).isEmpty();
    }
  }

  @Test
  @Timeout(120)
  void manyCreateItAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (CheckedTable checked = new CheckedTable()) {
      List<Connection> connections = new ArrayList<>();
      try {
        for (int thread = 0; thread < THREADS; thread++) {
          connections.add(checked.asOwner());
        }
        // The worst of defaults: a snapshot that would be older than what the others commit.
        for (Connection connection : connections) {
          connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        }
        CyclicBarrier start = new CyclicBarrier(THREADS);
        for (int round = 0; round < ROUNDS; round++) {
          List<Future<?>> creators = new ArrayList<>();
          for (Connection connection : connections) {
            creators.add(
                threads.submit(
                    () -> {
                      start.await();
                      LedgerSchema.create(connection, checked.ledger);
                      return null;
                    }));
          }
          for (Future<?> creator : creators) {
            creator.get();
          }
          checked.run("SELECT id FROM $l.ledger", "DROP SCHEMA $l CASCADE");
        }
      } finally {
        for (Connection connection : connections) {
          connection.close();
        }
      }
    } finally {
      threads.shutdownNow();
      assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void whereEverythingExistsNeitherARightToCreateNorALockIsNeeded() throws Exception {
    try (CheckedTable checked = new CheckedTable();
        Connection owner = checked.asOwner();
        Connection role = checked.asRole()) {
      LedgerSchema.create(owner, checked.ledger);
      checked.run(
          "GRANT USAGE ON SCHEMA $l TO $u",
          "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA $l TO $u");
      try (Connection creating = checked.asOwner();
          Statement statement = creating.createStatement()) {
        statement.execute("SELECT pg_advisory_lock(" + LedgerSchema.LOCK_KEY + ")");
        LedgerSchema.create(role, checked.ledger);
      }

      checked.run("DROP TABLE $l.staging");
      assertThatThrownBy(() -> LedgerSchema.create(role, checked.ledger))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining(checked.named("GRANT CREATE ON SCHEMA $l TO $u"));
      assertThat(role.getAutoCommit()).isTrue();
      checked.run("GRANT CREATE ON SCHEMA $l TO $u");
      LedgerSchema.create(role, checked.ledger);
      checked.run("SELECT table_name FROM $l.staging");
    }
  }

  @Test
  void namesTheWaysOutWithoutTheRightToCreateTheSchema() throws Exception {
    try (CheckedTable checked = new CheckedTable();
        Connection role = checked.asRole()) {
      assertThatThrownBy(() -> LedgerSchema.create(role, checked.ledger))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining(checked.named("CREATE SCHEMA $l AUTHORIZATION $u"));
      checked.run("CREATE SCHEMA $l AUTHORIZATION $u");
      LedgerSchema.create(role, checked.ledger);
      checked.run("SELECT id FROM $l.ledger");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE $l.ledger (id uuid PRIMARY KEY)",
        "ALTER TABLE $l.ledger DROP CONSTRAINT ledger_pkey",
        "ALTER TABLE $l.ledger ALTER rows TYPE int",
        "ALTER TABLE $l.ledger ALTER committed_at DROP DEFAULT",
        "ALTER TABLE $l.ledger ADD more int",
        "ALTER TABLE $l.ledger ADD CHECK (rows > 0)",
        "ALTER TABLE $l.ledger RENAME TO old; CREATE VIEW $l.ledger AS SELECT * FROM $l.old"
      })
  void refusesAnotherTableOfTheName(String statements) throws Exception {
    try (CheckedTable checked = new CheckedTable();
        Connection connection = checked.asOwner()) {
      if (statements.startsWith("CREATE")) {
        checked.run("CREATE SCHEMA $l");
      } else {
        LedgerSchema.create(connection, checked.ledger);
      }
      checked.run(statements);
      assertThatThrownBy(() -> LedgerSchema.create(connection, checked.ledger))
          .isInstanceOf(RefusedException.class)
          .hasMessageContainingAll(
              checked.named("$l.\"ledger\""), "'sink.schema'", "\"rows\" bigint NOT NULL");
    }
  }

  @Test
  void completesWhatSomebodyElseBegan() throws Exception {
    try (CheckedTable checked = new CheckedTable();
        Connection connection = checked.asOwner()) {
      LedgerSchema.create(connection, checked.ledger);
      checked.run(
          "INSERT INTO $l.horizon VALUES ('p', now())",
          "DROP TABLE $l.ledger",
          "ALTER TABLE $l.horizon ADD spare int",
          "ALTER TABLE $l.horizon DROP spare");
      LedgerSchema.create(connection, checked.ledger);
      checked.run("SELECT id FROM $l.ledger");
      assertThat(strings(checked, "SELECT prefix FROM $l.horizon")).containsExactly("p");
    }
  }

  private static List<String> strings(CheckedTable checked, String query) throws Exception {
    List<String> strings = new ArrayList<>();
    try (Connection connection = checked.asOwner();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(checked.named(query.replace("$m", checked.ledger)))) {
      while (rows.next()) {
        strings.add(rows.getString(1));
      }
    }
    return strings;
  }
}
