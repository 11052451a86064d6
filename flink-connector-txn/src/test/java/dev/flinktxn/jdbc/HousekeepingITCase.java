// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static dev.flinktxn.catalog.CalledProcedures.column;
import static dev.flinktxn.jdbc.JdbcRig.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.flinktxn.catalog.CalledProcedures;
import dev.flinktxn.fixture.PgProbe;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresSettings;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.Outcome.Kind;
import dev.flinktxn.protocol.WriterStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;

/** The procedures about a database whose jobs are stores without Flink. */
class HousekeepingITCase {

  private static final String TABLE = "CREATE TABLE t (id int, name text)";

  private static CalledProcedures procedures(JdbcRig rig) {
    return new CalledProcedures(
        Map.of("type", "txn", "url", rig.url, "username", rig.properties.get("user")));
  }

  /** What happens to the sessions of a job whose task managers are gone. */
  private static void die(JdbcRig rig) throws SQLException {
    PgProbe probe = new PgProbe(rig.database());
    String application = Database.application(rig.prefix);
    rig.database().terminateSessions(application);
    await().atMost(Duration.ofSeconds(10)).until(() -> probe.sessions(application).isEmpty());
  }

  private static List<String> of(JdbcRig rig, List<Row> rows, String column) {
    return column(
        rows.stream().filter(row -> rig.prefix.equals(row.getField("prefix"))).toList(), column);
  }

  @Test
  void stagingTablesGoWhenNobodyAndNothingKeepsThem() throws Exception {
    try (JdbcRig rig = new JdbcRig(TABLE)) {
      rig.inlineMaxBytes = 0;
      WriterStore writer = rig.writer();
      rig.prepare(writer, 0, row(1, "old"));
      rig.prepare(writer, 1, row(2, "young"));
      rig.prepare(writer, 2, row(3, "forgotten"), row(4, "forgotten"));
      rig.execute(
          "UPDATE flink_txn.staging SET created_at = created_at - interval '8 days'"
              + " WHERE transaction <> '%s'".formatted(rig.name(1)));
      rig.execute("DELETE FROM flink_txn.staging WHERE transaction = '%s'".formatted(rig.name(2)));
      rig.execute(
          "CREATE TABLE flink_txn.staged_by_hand (id int); INSERT INTO flink_txn.staging (id,"
              + " prefix, transaction, table_name, created_at) VALUES (gen_random_uuid(), '%1$s',"
                  .formatted(rig.prefix)
              + " '%1$s~by-hand', 'staged_by_hand', '2000-01-01')".formatted(rig.prefix));
      CalledProcedures procedures = procedures(rig);
      String all = "drop_orphaned_staging(dry_run => false)";

      assertThat(column(procedures.call("drop_orphaned_staging()"), "action"))
          .containsExactlyInAnyOrder("kept", "kept", "kept", "would drop");
      die(rig);
      List<Row> own = procedures.call("drop_orphaned_staging(prefix => '" + rig.prefix + "')");
      assertThat(of(rig, own, "action")).containsExactlyInAnyOrder("kept", "kept", "would drop");
      assertThat(column(own, "reason").toString())
          .contains("not older than 7 d", "not registered by this sink");
      assertThat(procedures.call("drop_orphaned_staging(prefix => 'rig')")).isEmpty();
      assertThat(rig.stagingTables()).hasSize(4);

      String locked =
          rig.query("SELECT table_name FROM flink_txn.staging ORDER BY created_at").get(1);
      try (Connection other = rig.database().connect();
          Statement lock = other.createStatement()) {
        other.setAutoCommit(false);
        lock.execute("LOCK TABLE flink_txn.%s IN ACCESS EXCLUSIVE MODE".formatted(locked));
        List<Row> rows = procedures.call(all);
        assertThat(column(rows, "action"))
            .containsExactlyInAnyOrder("kept", "kept", "kept", "dropped");
        assertThat(rows.toString()).contains("has a lock on it", "not registered: ");
        // A closed session lets go of its locks a little later.
        other.rollback();
      }
      assertThat(column(procedures.call(all), "action"))
          .containsExactlyInAnyOrder("kept", "kept", "dropped");
      assertThat(rig.stagingTables()).hasSize(2).contains("staged_by_hand");
      assertThat(column(procedures.call(all.replace("(", "(older_than => '0 s', ")), "action"))
          .containsExactlyInAnyOrder("kept", "dropped");
      assertThat(rig.stagingTables()).containsExactly("staged_by_hand");
      assertThat(rig.query("SELECT transaction FROM flink_txn.staging"))
          .containsExactly(rig.prefix + "~by-hand");
    }
  }

  @Test
  void aPrunedLedgerSaysThatItDoesNotKnow() throws Exception {
    try (JdbcRig rig = new JdbcRig(TABLE)) {
      WriterStore writer = rig.writer();
      Committable committed = rig.prepare(writer, 0, row(1, "a"));
      assertThat(rig.outcome(committed).kind()).isEqualTo(Kind.COMMITTED);
      rig.execute("UPDATE flink_txn.ledger SET committed_at = now() - interval '2 hours'");
      CalledProcedures procedures = procedures(rig);
      String prune = "prune_ledger(older_than => '1 h', dry_run => false)";

      assertThat(column(procedures.call(prune), "action")).containsExactly("kept");
      die(rig);
      assertThat(column(procedures.call(prune.replace("1 h", "3 h")), "action"))
          .containsExactly("nothing to prune");
      assertThat(column(procedures.call("prune_ledger(older_than => '1 h')"), "action"))
          .containsExactly("would prune");
      assertThat(procedures.call(prune.replace("(", "(prefix => 'rig', "))).isEmpty();
      assertThat(rig.outcome(committed).kind()).isEqualTo(Kind.ALREADY_COMMITTED);
      die(rig);

      assertThat(procedures.call(prune).toString()).contains("pruned");

      assertThat(rig.query("SELECT id FROM flink_txn.ledger")).isEmpty();
      // Written after that, as far as its own clock goes; an older one would be UNKNOWN.
      rig.execute("UPDATE flink_txn.horizon SET pruned_before = now()");
      assertThat(rig.outcome(committed).kind()).isEqualTo(Kind.UNKNOWN);
      assertThat(rig.rows()).containsExactly("(1,a)");
    }
  }

  @Test
  void preparedTransactionsOfADeadJobAreRolledBack() throws Exception {
    try (RunDirectory run = RunDirectory.create("procedures");
        Postgres server =
            Postgres.start(run, PostgresSettings.usual().with("max_prepared_transactions", "10"));
        JdbcRig rig = new JdbcRig(server, TABLE)) {
      rig.strategy = CommitStrategy.PREPARED;
      Committable unit = rig.prepare(rig.writer(), 0, row(1, "a"));
      rig.execute(
          "BEGIN; INSERT INTO t VALUES (2, 'stranger'); PREPARE TRANSACTION '%s~stranger'"
              .formatted(rig.prefix));
      CalledProcedures procedures = procedures(rig);
      String prefix = "(prefix => '" + rig.prefix + "'";

      List<Row> listed = procedures.call("list_transactions" + prefix + ")");
      assertThat(column(listed, "kind")).contains("prepared", "session");
      assertThat(column(listed, "transaction")).contains(unit.name().toString());
      String abort = "abort_transactions" + prefix + ", dry_run => false, quiet_for => '0 s')";
      assertThat(procedures.call(abort).toString()).contains("works for this prefix");
      die(rig);
      assertThat(procedures.call(abort.replace("0 s", "1 h")).toString()).contains("less than 1 h");
      assertThat(new PgProbe(rig.database()).preparedTransactions("")).hasSize(2);

      assertThat(column(procedures.call(abort), "action")).contains("aborted");

      assertThat(new PgProbe(rig.database()).preparedTransactions(""))
          .containsExactly(rig.prefix + "~stranger");
      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.LOST);
      assertThat(rig.rows()).isEmpty();
      rig.execute("ROLLBACK PREPARED '%s~stranger'".formatted(rig.prefix));
    }
  }
}
