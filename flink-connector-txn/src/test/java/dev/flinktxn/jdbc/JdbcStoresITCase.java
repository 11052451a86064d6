// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static dev.flinktxn.jdbc.JdbcRig.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresSettings;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.OpenTransaction;
import dev.flinktxn.protocol.Outcome;
import dev.flinktxn.protocol.Outcome.Kind;
import dev.flinktxn.protocol.RefusedException;
import dev.flinktxn.protocol.Sighting;
import dev.flinktxn.protocol.Transaction;
import dev.flinktxn.protocol.WriterStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.types.RowKind;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The life of units on a real server, without Flink around them. */
final class JdbcStoresITCase {

  private static final String APPEND = "CREATE TABLE t (id int, name text)";
  private static final String NOTIFYING =
      """
      ;
      CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_notify('rows', NEW.name); RETURN NEW; END $$;
      CREATE TRIGGER tells AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION tell()
      """;
  private static final String KEYED = "CREATE TABLE t (id int PRIMARY KEY, name text)";

  /** Nothing inline, and all inline. */
  private static final long STAGED = 0;

  private static final long INLINE = 1 << 20;

  @ParameterizedTest
  @ValueSource(longs = {INLINE, STAGED})
  void movesRowsOnceHoweverOftenItIsAsked(long inlineMaxBytes) throws Exception {
    try (JdbcRig rig = new JdbcRig(APPEND)) {
      rig.inlineMaxBytes = inlineMaxBytes;
      WriterStore writer = rig.writer();
      Committable unit = rig.prepare(writer, 0, row(1, "a"), row(2, null), row(1, "a"));
      assertThat(rig.rows()).isEmpty();
      assertThat(JdbcRig.look(writer, unit)).isEqualTo(Sighting.OPEN);

      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.COMMITTED);
      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.ALREADY_COMMITTED);

      assertThat(rig.rows()).containsExactly("(1,a)", "(1,a)", "(2,)");
      assertThat(JdbcRig.look(writer, unit)).isEqualTo(Sighting.COMMITTED);
      assertThat(rig.stagingTables()).isEmpty();
      assertThat(rig.query("SELECT id FROM flink_txn.staging")).isEmpty();
      assertThat(rig.query("SELECT rows FROM flink_txn.ledger")).containsExactly("3");
    }
  }

  @Test
  void rowsBeyondTheInlineSizeOfAllPendingUnitsAreStaged() throws Exception {
    try (JdbcRig rig = new JdbcRig(APPEND)) {
      rig.inlineMaxBytes = 30;
      WriterStore writer = rig.writer();
      Committable first = rig.prepare(writer, 0, row(1, "a"));
      Committable second = rig.prepare(writer, 1, row(2, "0123456789"));
      assertThat(Unit.decode(first.handle()).kind()).isEqualTo(Unit.Kind.INLINE);
      assertThat(Unit.decode(second.handle()).kind()).isEqualTo(Unit.Kind.STAGED);
      assertThat(rig.stagingTables()).hasSize(1);

      assertThat(rig.committer().commit(List.of(first, second)))
          .extracting(Outcome::kind)
          .containsExactly(Kind.COMMITTED, Kind.COMMITTED);
      assertThat(JdbcRig.look(writer, first)).isEqualTo(Sighting.COMMITTED);
      Committable third = rig.prepare(writer, 2, row(3, "0123456789"));
      assertThat(Unit.decode(third.handle()).kind()).isEqualTo(Unit.Kind.INLINE);
      assertThat(rig.rows()).containsExactly("(1,a)", "(2,0123456789)");
    }
  }

  /** P1, as far as two columns go. */
  @ParameterizedTest
  @ValueSource(longs = {INLINE, STAGED})
  void theLastOperationOfAKeyDecides(long inlineMaxBytes) throws Exception {
    try (JdbcRig rig = new JdbcRig("CREATE TABLE t (id int PRIMARY KEY, name text UNIQUE)")) {
      rig.key = List.of("id");
      rig.onExistingKey = OnExistingKey.UPDATE;
      rig.inlineMaxBytes = inlineMaxBytes;
      rig.execute("INSERT INTO t VALUES (9, 'old'), (8, 'gone')");
      WriterStore writer = rig.writer();
      Committable unit =
          rig.prepare(
              writer,
              0,
              row(1, "k"),
              row(RowKind.DELETE, 1, "k"),
              row(2, "k"),
              row(RowKind.UPDATE_AFTER, 9, "new"),
              row(RowKind.DELETE, 8, null),
              row(3, "x"),
              row(RowKind.UPDATE_AFTER, 3, "y"));

      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.COMMITTED);
      assertThat(rig.rows()).containsExactly("(2,k)", "(3,y)", "(9,new)");
    }
  }

  @Test
  void aKeyOnlyTableKeepsWhatIsThere() throws Exception {
    try (JdbcRig rig = new JdbcRig("CREATE TABLE t (id int, name text, PRIMARY KEY (id, name))")) {
      rig.key = List.of("id", "name");
      rig.onExistingKey = OnExistingKey.UPDATE;
      Committable unit =
          rig.prepare(
              rig.writer(), 0, row(1, "1"), row(1, "2"), row(1, "1"), row(RowKind.DELETE, 1, "2"));
      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.COMMITTED);
      assertThat(rig.rows()).containsExactly("(1,1)");
    }
  }

  @Test
  void anEarlierUnitOfAKeyedTableComesFirstWhoeverCommitsIt() throws Exception {
    try (JdbcRig rig = new JdbcRig(KEYED)) {
      rig.key = List.of("id");
      rig.onExistingKey = OnExistingKey.UPDATE;
      WriterStore writer = rig.writer();
      Committable first = rig.prepare(writer, 0, row(1, "first"));
      Committable second = rig.prepare(writer, 1, row(1, "second"));

      CommitterStore other = rig.committer();
      Outcome early = other.commit(List.of(second)).get(0);
      assertThat(early.kind()).isEqualTo(Kind.RETRY);
      assertThat(early.evidence()).contains(Unit.decode(first.handle()).id().toString());
      assertThat(rig.outcome(first).kind()).isEqualTo(Kind.COMMITTED);
      assertThat(other.commit(List.of(second)).get(0).kind()).isEqualTo(Kind.COMMITTED);
      assertThat(rig.rows()).containsExactly("(1,second)");
    }
  }

  @Test
  void aStagingTableThatIsGoneIsLostAndSeenByItsWriter() throws Exception {
    try (JdbcRig rig = new JdbcRig(APPEND)) {
      rig.inlineMaxBytes = STAGED;
      WriterStore writer = rig.writer();
      Committable unit = rig.prepare(writer, 0, row(1, "a"));
      WriterStore successor = rig.writer();
      List<OpenTransaction> left = successor.open(rig.prefix);
      assertThat(left).extracting(OpenTransaction::name).containsExactly(rig.name(0));

      successor.abort(left.get(0));
      successor.abort(left.get(0));

      assertThat(rig.stagingTables()).isEmpty();
      assertThat(successor.open(rig.prefix)).isEmpty();
      assertThat(JdbcRig.look(writer, unit)).isEqualTo(Sighting.ABORTED);
      Outcome outcome = rig.outcome(unit);
      assertThat(outcome.kind()).isEqualTo(Kind.LOST);
      assertThat(outcome.evidence()).contains("staged_", "ledger");
    }
  }

  @Test
  void rowsMissingInAStagingTableAreNeverCommitted() throws Exception {
    try (JdbcRig rig = new JdbcRig(APPEND)) {
      rig.inlineMaxBytes = STAGED;
      Committable unit = rig.prepare(rig.writer(), 0, row(1, "a"), row(2, "b"));
      rig.execute("DELETE FROM flink_txn." + rig.stagingTables().get(0) + " WHERE id = 1");
      Outcome outcome = rig.outcome(unit);
      assertThat(outcome.kind()).isEqualTo(Kind.LOST);
      assertThat(outcome.evidence()).contains("1 rows instead of 2");
      assertThat(rig.rows()).isEmpty();
      assertThat(rig.stagingTables()).as("kept").hasSize(1);
      assertThat(rig.query("SELECT id FROM flink_txn.ledger")).isEmpty();
      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.LOST);
    }
  }

  @Test
  void aStagingTableDroppedBehindTheRegistryIsLostForGoodAndNobodyWaitsForIt() throws Exception {
    try (JdbcRig rig = new JdbcRig(KEYED)) {
      rig.key = List.of("id");
      rig.onExistingKey = OnExistingKey.UPDATE;
      rig.inlineMaxBytes = STAGED;
      WriterStore writer = rig.writer();
      Committable first = rig.prepare(writer, 0, row(1, "a"));
      rig.execute("DROP TABLE flink_txn." + rig.stagingTables().get(0));
      Committable second = rig.prepare(writer, 1, row(2, "b"));
      assertThat(rig.outcome(first).kind()).isEqualTo(Kind.LOST);
      assertThat(rig.outcome(second).kind()).isEqualTo(Kind.COMMITTED);
      assertThat(rig.rows()).containsExactly("(2,b)");
    }
  }

  /** The horizon as a pruner leaves it that has forgotten everything up to now. */
  private static void pruneEverything(JdbcRig rig) throws Exception {
    rig.execute(
        "INSERT INTO flink_txn.horizon VALUES ('"
            + rig.prefix
            + "', now()) ON CONFLICT (prefix) DO UPDATE SET pruned_before = now(); DELETE FROM"
            + " flink_txn.ledger");
  }

  @Test
  void aForgottenPredecessorIsNotWaitedFor() throws Exception {
    try (JdbcRig rig = new JdbcRig(KEYED)) {
      rig.key = List.of("id");
      rig.onExistingKey = OnExistingKey.UPDATE;
      WriterStore writer = rig.writer();
      Committable first = rig.prepare(writer, 0, row(1, "a"));
      // Prepared before anything was seen of the first.
      Committable second = rig.prepare(writer, 1, row(1, "b"));
      assertThat(Unit.decode(second.handle()).predecessors()).hasSize(1);
      assertThat(rig.outcome(first).kind()).isEqualTo(Kind.COMMITTED);
      rig.execute(
          "INSERT INTO flink_txn.horizon VALUES ('"
              + rig.prefix
              + "', to_timestamp("
              + Unit.decode(second.handle()).mintedAt()
              + " / 1000000.0)) ON CONFLICT (prefix) DO NOTHING; DELETE FROM flink_txn.ledger");
      assertThat(rig.outcome(second).kind()).isEqualTo(Kind.COMMITTED);
      assertThat(JdbcRig.look(writer, first)).isEqualTo(Sighting.UNKNOWN);
      assertThat(rig.rows()).containsExactly("(1,b)");
    }
  }

  @Test
  void aRegisteredStagingTableProvesItsUnitUncommittedWhateverWasPruned() throws Exception {
    try (JdbcRig rig = new JdbcRig(APPEND)) {
      rig.inlineMaxBytes = STAGED;
      Committable unit = rig.prepare(rig.writer(), 0, row(1, "a"));
      pruneEverything(rig);
      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.COMMITTED);
      pruneEverything(rig);
      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.UNKNOWN);
      assertThat(rig.rows()).containsExactly("(1,a)");
    }
  }

  @Test
  void theRolesDefaultsDecideNothing() throws Exception {
    try (JdbcRig rig = new JdbcRig(APPEND)) {
      rig.execute(
          "ALTER DATABASE "
              + rig.sql.getCatalog()
              + " SET default_transaction_isolation = 'serializable'");
      rig.execute("ALTER DATABASE " + rig.sql.getCatalog() + " SET synchronous_commit = off");
      rig.execute(
          "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.name :="
              + " current_setting(''transaction_isolation'') || '', '' ||"
              + " current_setting(''synchronous_commit''); RETURN NEW; END'; CREATE TRIGGER note"
              + " BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION note()");
      Committable unit = rig.prepare(rig.writer(), 0, row(1, "a"));
      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.COMMITTED);
      assertThat(rig.query("SELECT name FROM t")).containsExactly("read committed, on");
    }
  }

  @Test
  void aUnitOlderThanThePrunedLedgerIsUnknown() throws Exception {
    try (JdbcRig rig = new JdbcRig(APPEND)) {
      rig.retention = Duration.ofSeconds(2);
      WriterStore writer = rig.writer();
      Committable old = rig.prepare(writer, 0, row(1, "a"));
      Committable pruning = rig.prepare(writer, 1, row(2, "b"));
      assertThat(rig.outcome(pruning).kind()).isEqualTo(Kind.COMMITTED);
      rig.execute("UPDATE flink_txn.ledger SET committed_at = now() - interval '10 seconds'");
      assertThat(rig.outcome(pruning).kind()).isEqualTo(Kind.ALREADY_COMMITTED);
      // The outcome above has pruned.
      assertThat(rig.query("SELECT count(*) FROM flink_txn.ledger")).containsExactly("0");

      Outcome outcome = rig.outcome(old);
      assertThat(outcome.kind()).isEqualTo(Kind.UNKNOWN);
      assertThat(outcome.evidence()).contains("sink.ledger-retention");
      assertThat(rig.rows()).containsExactly("(2,b)");
    }
  }

  @Test
  void pruningLeavesOtherPrefixesAlone() throws Exception {
    try (JdbcRig rig = new JdbcRig(APPEND)) {
      rig.retention = Duration.ofMillis(1);
      Committable unit = rig.prepare(rig.writer(), 0, row(1, "a"));
      rig.execute(
          "INSERT INTO flink_txn.ledger SELECT gen_random_uuid(), '"
              + rig.prefix
              + "2', 'x', 1, now() - interval '1 year'");
      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.COMMITTED);
      Awaitility.await()
          .untilAsserted(
              () -> {
                rig.outcome(unit);
                assertThat(rig.query("SELECT prefix FROM flink_txn.ledger"))
                    .containsExactly(rig.prefix + "2");
              });
    }
  }

  /** A predecessor that was stopped in the middle of its commit. */
  @Test
  void endsASessionThatHoldsAUnitForTooLong() throws Exception {
    try (JdbcRig rig = new JdbcRig(APPEND)) {
      Committable committable = rig.prepare(rig.writer(), 0, row(1, "a"));
      Unit unit = Unit.decode(committable.handle());
      Database stopped = new Database(rig.target(), Duration.ofMinutes(1));
      Connection connection = stopped.begin();
      assertThat(new UnitLock().tryTake(connection, unit.id(), Database.limits(rig.timeout)))
          .isNull();
      new Ledger("flink_txn").enter(connection, unit, committable.name());
      UnitMove.move(connection, unit, OnExistingKey.FAIL);

      CommitterStore committer = rig.committer();
      Outcome first = committer.commit(List.of(committable)).get(0);
      assertThat(first.kind()).isEqualTo(Kind.RETRY);
      assertThat(first.evidence()).contains("another session", "process", "postgres");
      Awaitility.await()
          .atMost(Duration.ofSeconds(15))
          .until(() -> committer.commit(List.of(committable)).get(0).kind() == Kind.COMMITTED);
      assertThatThrownBy(stopped::commit).hasMessageContaining("terminat");
      assertThat(rig.rows()).containsExactly("(1,a)");
    }
  }

  /** A predecessor that was stopped in the middle of a chunk. */
  @Test
  void endsASessionThatHoldsTheStagingTableOfAnOrphan() throws Exception {
    try (JdbcRig rig = new JdbcRig(APPEND);
        Connection stopped = rig.database().connect();
        Statement statement = stopped.createStatement()) {
      rig.inlineMaxBytes = STAGED;
      rig.prepare(rig.writer(), 0, row(1, "a"));
      stopped.setAutoCommit(false);
      // It locks the table as COPY does.
      statement.execute("INSERT INTO flink_txn." + rig.stagingTables().get(0) + " VALUES (2, 'b')");

      WriterStore successor = rig.writer();
      successor.abort(successor.open(rig.prefix).get(0));
      assertThat(rig.stagingTables()).isEmpty();
      assertThatThrownBy(stopped::commit).hasMessageContaining("terminat");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {INLINE, STAGED})
  void aKeyThatExistsIsFoundBeforeTheBarrier(long inlineMaxBytes) throws Exception {
    try (JdbcRig rig = new JdbcRig(KEYED)) {
      rig.inlineMaxBytes = inlineMaxBytes;
      rig.execute("INSERT INTO t VALUES (1, 'old')");
      WriterStore writer = rig.writer();
      assertThatThrownBy(() -> rig.prepare(writer, 0, row(1, "new"), row(2, "x")))
          .isInstanceOf(RefusedException.class)
          .hasMessageContainingAll("default.t", "(id) = (1)", "exists", "sink.on-existing-key");
      assertThatThrownBy(() -> rig.prepare(rig.writer(), 1, row(3, "new"), row(3, "x")))
          .isInstanceOf(RefusedException.class)
          .hasMessageContainingAll("(id) = (3)", "twice");
      assertThat(rig.rows()).containsExactly("(1,old)");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = OnExistingKey.class,
      names = {"IGNORE", "UPDATE"})
  void aKeyInsertedBehindTheBarrierEndsTheJobUntilItSaysWhatToDo(OnExistingKey way)
      throws Exception {
    try (JdbcRig rig = new JdbcRig(KEYED)) {
      rig.key = way == OnExistingKey.UPDATE ? List.of("id") : List.of();
      rig.inlineMaxBytes = STAGED;
      Committable unit = rig.prepare(rig.writer(), 0, row(1, "new"), row(2, "x"));
      rig.execute("INSERT INTO t VALUES (1, 'old')");
      assertThatThrownBy(() -> rig.outcome(unit))
          .isInstanceOf(RefusedException.class)
          .hasMessageContainingAll("t_pkey", "(id)=(1)", "staged_", "sink.on-existing-key");
      assertThat(rig.rows()).containsExactly("(1,old)");

      rig.onExistingKey = way;
      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.COMMITTED);
      assertThat(rig.rows())
          .containsExactly(way == OnExistingKey.IGNORE ? "(1,old)" : "(1,new)", "(2,x)");
      assertThat(rig.stagingTables()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {INLINE, STAGED})
  void preparedTransactionsAreInTheTargetButNotVisible(long inlineMaxBytes) throws Exception {
    try (RunDirectory run = RunDirectory.create("prepared");
        Postgres server =
            Postgres.start(run, new PostgresSettings(Map.of("max_prepared_transactions", "10")));
        JdbcRig rig = new JdbcRig(server, APPEND)) {
      rig.strategy = CommitStrategy.PREPARED;
      rig.inlineMaxBytes = inlineMaxBytes;
      WriterStore writer = rig.writer();
      Committable unit = rig.prepare(writer, 0, row(1, "a"), row(2, "b"));
      Committable lost = rig.prepare(writer, 1, row(3, "c"));
      assertThat(rig.rows()).isEmpty();
      assertThat(JdbcRig.look(writer, unit)).isEqualTo(Sighting.OPEN);
      assertThat(rig.query("SELECT gid FROM pg_prepared_xacts ORDER BY 1"))
          .hasSize(2)
          .allMatch(gid -> gid.startsWith(rig.prefix + "~") && gid.length() < 200);

      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.COMMITTED);
      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.ALREADY_COMMITTED);
      assertThat(JdbcRig.look(writer, unit)).isEqualTo(Sighting.COMMITTED);
      List<OpenTransaction> open = writer.open(rig.prefix);
      assertThat(open).hasSize(1);
      writer.abort(open.get(0));
      writer.abort(open.get(0));
      assertThat(JdbcRig.look(writer, lost)).isEqualTo(Sighting.ABORTED);
      assertThat(rig.outcome(lost).kind()).isEqualTo(Kind.LOST);
      assertThat(rig.rows()).containsExactly("(1,a)", "(2,b)");
      assertThat(rig.stagingTables()).isEmpty();
    }
  }

  /** P5: what a prepared transaction may not do, an ordinary one may. */
  @ParameterizedTest
  @ValueSource(longs = {INLINE, STAGED})
  void whoListensToATriggerHearsOfEachRowOnce(long inlineMaxBytes) throws Exception {
    try (JdbcRig rig = new JdbcRig(APPEND + NOTIFYING);
        Connection listener = rig.database().connect();
        Statement statement = listener.createStatement()) {
      statement.execute("LISTEN rows");
      rig.inlineMaxBytes = inlineMaxBytes;
      Committable unit = rig.prepare(rig.writer(), 0, row(1, "a"), row(2, "b"));
      assertThat(heard(listener)).isEmpty();
      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.COMMITTED);
      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.ALREADY_COMMITTED);
      assertThat(heard(listener)).containsExactly("a", "b");
      assertThat(rig.rows()).containsExactly("(1,a)", "(2,b)");
    }
  }

  private static List<String> heard(Connection listener) throws SQLException {
    return Arrays.stream(listener.unwrap(PGConnection.class).getNotifications(500))
        .map(PGNotification::getParameter)
        .toList();
  }

  /** P5. */
  @Test
  void aTransactionThatMayNotBePreparedIsRefusedInFavourOfTheLedger() throws Exception {
    try (RunDirectory run = RunDirectory.create("notify");
        Postgres server =
            Postgres.start(run, PostgresSettings.usual().with("max_prepared_transactions", "10"));
        JdbcRig rig = new JdbcRig(server, APPEND + NOTIFYING)) {
      rig.strategy = CommitStrategy.PREPARED;
      assertThatThrownBy(() -> rig.prepare(rig.writer(), 0, row(1, "a")))
          .isInstanceOf(RefusedException.class)
          .hasMessageContainingAll(
              "default.t", "NOTIFY", "trigger", "'sink.commit-strategy' to 'ledger'");
      assertThat(rig.rows()).isEmpty();
      assertThat(rig.query("SELECT gid FROM pg_prepared_xacts")).isEmpty();
    }
  }

  /** COPY writes neither to views nor past row security. */
  @ParameterizedTest
  @CsvSource({"true, ledger", "true, staged", "false, ledger", "false, staged"})
  void rowsReachWhatCopyDoesNot(boolean view, String way) throws Exception {
    String ddl =
        view
            ? "CREATE TABLE base (id int, name text); CREATE VIEW t AS SELECT * FROM base"
            : "CREATE TABLE t (id int, name text); ALTER TABLE t ENABLE ROW LEVEL SECURITY, FORCE"
                + " ROW LEVEL SECURITY; CREATE POLICY all_rows ON t USING (true)";
    try (JdbcRig rig = new JdbcRig(ddl)) {
      String role = "writer_" + rig.prefix.replace('-', '_');
      rig.execute("CREATE ROLE " + role + " LOGIN");
      rig.execute("GRANT ALL ON t TO " + role);
      rig.execute("GRANT CREATE ON DATABASE " + rig.sql.getCatalog() + " TO " + role);
      rig.properties.put("user", role);
      rig.inlineMaxBytes = way.equals("staged") ? STAGED : INLINE;
      Committable unit = rig.prepare(rig.writer(), 0, row(1, "a"), row(2, "b"));
      assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.COMMITTED);
      assertThat(rig.rows()).containsExactly("(1,a)", "(2,b)");
      rig.execute("DROP OWNED BY " + role + "; DROP ROLE " + role);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {INLINE, STAGED})
  void aTransactionGivenUpLeavesNothing(long inlineMaxBytes) throws Exception {
    try (JdbcRig rig = new JdbcRig(APPEND)) {
      rig.inlineMaxBytes = inlineMaxBytes;
      WriterStore writer = rig.writer();
      Transaction transaction = writer.begin(rig.name(0));
      transaction.write(row(1, "a"));
      transaction.write(row(2, "a"));
      transaction.close();
      transaction.close();
      assertThat(rig.stagingTables()).isEmpty();
      assertThat(writer.open(rig.prefix)).isEmpty();
    }
  }

  @Test
  void aWriterWhoseStagingTableIsTakenAwayFails() throws Exception {
    try (JdbcRig rig = new JdbcRig(APPEND)) {
      rig.inlineMaxBytes = STAGED;
      Transaction transaction = rig.writer().begin(rig.name(0));
      transaction.write(row(1, "a"));
      WriterStore successor = rig.writer();
      successor.abort(successor.open(rig.prefix).get(0));
      transaction.write(row(2, "b"));
      assertThatThrownBy(transaction::flush)
          .isNotInstanceOf(RefusedException.class)
          .hasMessageContaining("staged_");
    }
  }

  @Test
  void checkConstraintsAreFoundBeforeTheBarrier() throws Exception {
    try (JdbcRig rig = new JdbcRig("CREATE TABLE t (id int CHECK (id < 5), name text)")) {
      assertThatThrownBy(() -> rig.prepare(rig.writer(), 0, row(1, "a"), row(7, "b")))
          .isInstanceOf(RefusedException.class)
          .hasMessageContainingAll("default.t", "t_id_check", "7");
      assertThat(rig.rows()).isEmpty();
    }
  }
}
