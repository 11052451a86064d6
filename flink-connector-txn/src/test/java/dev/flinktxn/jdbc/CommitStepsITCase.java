// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static dev.flinktxn.jdbc.JdbcRig.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.PgBouncer;
import dev.flinktxn.fixture.PgFaults;
import dev.flinktxn.fixture.PgRequest;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresSettings;
import dev.flinktxn.fixture.RelayFault;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.TcpRelay;
import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.Outcome;
import dev.flinktxn.protocol.Outcome.Kind;
import dev.flinktxn.protocol.Sighting;
import dev.flinktxn.protocol.Transaction;
import dev.flinktxn.protocol.WriterStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every request of a commit is spoilt in every way; whoever is asked then comes to the right end.
 * And what a commit and a checkpoint cost.
 */
final class CommitStepsITCase {

  /** Without that of the test itself. */
  private static final String SESSIONS =
      "SELECT state FROM pg_stat_activity WHERE datname = current_database()"
          + " AND pid <> pg_backend_pid()";

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final RunDirectory RUN = RunDirectory.create("commit-steps");
  private static Postgres server;

  private final PgFaults faults = new PgFaults();
  private TcpRelay relay;
  private PgBouncer pool;

  @BeforeAll
  static void start() {
    server = Postgres.start(RUN, PostgresSettings.usual().with("max_prepared_transactions", "20"));
  }

  @AfterAll
  static void stop() {
    server.close();
    RUN.close();
  }

  @BeforeEach
  void open() throws IOException {
    relay = TcpRelay.open(faults);
    relay.forwardTo(server.address());
  }

  @AfterEach
  void close() {
    relay.close();
    if (pool != null) {
      pool.close();
    }
  }

  /** What happens to a request of a commit. */
  private enum Trouble {
    CUT_BEFORE {
      @Override
      Outcome meet(PgFaults faults, Predicate<PgRequest> which, Case commit) throws Exception {
        return spoilt(faults.cutBefore(which, 1), commit);
      }
    },
    CUT_AFTER {
      @Override
      Outcome meet(PgFaults faults, Predicate<PgRequest> which, Case commit) throws Exception {
        return spoilt(faults.cutAfter(which, 1), commit);
      }
    },
    SESSION_TERMINATED {
      @Override
      Outcome meet(PgFaults faults, Predicate<PgRequest> which, Case commit) throws Exception {
        RelayFault held = faults.hold(which, 1);
        CompletableFuture<Outcome> outcome =
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    return commit.first();
                  } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
        held.awaitHits(1, LIMIT);
        assertThat(commit.rig.database().terminateSessions(COMMITTER)).isEqualTo(1);
        held.release();
        return outcome.get();
      }
    };

    private static final String COMMITTER = "first committer";

    abstract Outcome meet(PgFaults faults, Predicate<PgRequest> which, Case commit)
        throws Exception;

    private static Outcome spoilt(RelayFault cut, Case commit) throws Exception {
      Outcome outcome = commit.first();
      cut.awaitHits(1, LIMIT);
      return outcome;
    }
  }

  /** A writer and two committers of one table. */
  private static final class Sink implements AutoCloseable {
    private final UnitShape shape;
    private final JdbcRig rig;
    private final WriterStore writer;
    private final CommitterStore committer;
    private final CommitterStore other;

    /** Never looked at, so that of the units of a keyed table it is a predecessor of all. */
    private final Committable before;

    Sink(UnitShape shape, TcpRelay relay, PgBouncer pool) throws Exception {
      this.shape = shape;
      rig = shape.rig(server);
      if (pool != null) {
        rig.through(pool);
      }
      writer = rig.writer();
      rig.through(relay);
      rig.properties.put("ApplicationName", Trouble.COMMITTER);
      committer = rig.committer();
      rig.properties.put("ApplicationName", "another committer");
      other = rig.committer();
      before = rig.prepare(writer, 0, row(9, "before"));
      assertThat(rig.outcome(before).kind()).isEqualTo(Kind.COMMITTED);
    }

    @Override
    public void close() throws Exception {
      rig.close();
    }
  }

  /** A unit that waits for its commit, and committers that are connected. */
  private static final class Case {
    private final UnitShape shape;
    private final JdbcRig rig;
    private final WriterStore writer;
    private final CommitterStore committer;
    private final CommitterStore other;
    private final Committable unit;

    Case(Sink sink) throws Exception {
      shape = sink.shape;
      rig = sink.rig;
      writer = sink.writer;
      committer = sink.committer;
      other = sink.other;
      unit = rig.prepare(writer, 1, shape.rows());
      assertThat(Unit.decode(unit.handle()).kind()).isEqualTo(shape.kind());
      for (CommitterStore each : List.of(committer, other)) {
        // It has its connection, and has pruned the ledger, by now.
        assertThat(each.commit(List.of(sink.before)).get(0).kind())
            .isEqualTo(Kind.ALREADY_COMMITTED);
      }
      shape.reset(rig);
    }

    Outcome first() throws IOException, InterruptedException {
      return committer.commit(List.of(unit)).get(0);
    }

    Kind untilDecided(CommitterStore asked) {
      return Awaitility.await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(10))
          .atMost(LIMIT)
          .until(() -> asked.commit(List.of(unit)).get(0).kind(), kind -> kind != Kind.RETRY);
    }

    void assertExactlyOnce() throws Exception {
      assertThat(rig.rows()).isEqualTo(shape.after());
      assertThat(
              rig.query(
                  "SELECT rows FROM flink_txn.ledger WHERE id = '"
                      + Unit.decode(unit.handle()).id()
                      + "'"))
          .containsExactly(Integer.toString(shape.rows().length));
      assertThat(rig.stagingTables()).isEmpty();
      assertThat(rig.query("SELECT id FROM flink_txn.staging")).isEmpty();
      assertThat(rig.query("SELECT gid FROM pg_prepared_xacts")).isEmpty();
      assertThat(JdbcRig.look(writer, unit)).isEqualTo(Sighting.COMMITTED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSpoiltRequestOfACommitCostsAnotherTryAndNothingElse(UnitShape shape) throws Exception {
    spoil(shape, Trouble.values());
  }

  /** P11: a session that is ended between two transactions is nobody's, so that says nothing. */
  @Tag("full")
  @ParameterizedTest
  @EnumSource
  void norDoesOneThroughAPool(UnitShape shape) throws Exception {
    PgBouncer.assumeInstalled();
    pool = PgBouncer.start(RUN, server);
    relay.forwardTo(pool.address());
    spoil(shape, Trouble.CUT_BEFORE, Trouble.CUT_AFTER);
  }

  private void spoil(UnitShape shape, Trouble... troubles) throws Exception {
    try (Sink sink = new Sink(shape, relay, pool)) {
      List<String> steps = commitUndisturbed(new Case(sink)).taken();
      for (int step = 0; step < steps.size(); step++) {
        for (Trouble trouble : troubles) {
          boolean otherFirst = (step + trouble.ordinal()) % 2 == 0;
          String what = trouble + " " + steps.get(step) + ", the other first: " + otherFirst;
          Case commit = new Case(sink);
          Outcome outcome = trouble.meet(faults, Steps.number(step), commit);
          assertThat(outcome.kind()).as(what).isEqualTo(Kind.RETRY);

          boolean tookEffect = trouble == Trouble.CUT_AFTER && step == steps.size() - 1;
          assertThat(sink.rig.rows())
              .as(what)
              .isEqualTo(tookEffect ? shape.after() : shape.before());
          assertThat(commit.untilDecided(otherFirst ? commit.other : commit.committer))
              .as(what)
              .isEqualTo(tookEffect ? Kind.ALREADY_COMMITTED : Kind.COMMITTED);
          assertThat(commit.untilDecided(otherFirst ? commit.committer : commit.other))
              .as(what)
              .isEqualTo(Kind.ALREADY_COMMITTED);
          commit.assertExactlyOnce();
        }
      }
      if (pool != null) {
        assertThat(sink.rig.query(SESSIONS)).hasSizeBetween(1, PgBouncer.POOL_SIZE);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCommitCostsThatManyRoundTrips(UnitShape shape) throws Exception {
    try (Sink sink = new Sink(shape, relay, pool)) {
      Steps steps = commitUndisturbed(new Case(sink));
      assertThat(steps.roundTrips()).as("%s", steps.taken()).isEqualTo(shape.roundTripsOfCommit);
    }
  }

  private Steps commitUndisturbed(Case commit) throws Exception {
    Steps steps = Steps.record(faults);
    assertThat(commit.first().kind()).isEqualTo(Kind.COMMITTED);
    commit.assertExactlyOnce();
    return steps;
  }

  /** As the writer does it: it looks at the units before, then prepares its own. */
  @ParameterizedTest
  @EnumSource
  void aCheckpointCostsThatManyRoundTrips(UnitShape shape) throws Exception {
    try (JdbcRig rig = shape.rig(server)) {
      rig.through(relay);
      WriterStore writer = rig.writer();
      Committable before = rig.prepare(writer, 0, shape.rows());
      assertThat(rig.outcome(before).kind()).isEqualTo(Kind.COMMITTED);

      Steps steps = Steps.record(faults);
      Transaction transaction = writer.begin(rig.name(1));
      for (var row : shape.rows()) {
        transaction.write(row);
      }
      transaction.flush();
      assertThat(
              writer.look(
                  List.of(
                      new WriterStore.Look(before.name(), before.handle()),
                      new WriterStore.Look(rig.name(1), transaction.handle()))))
          .containsExactly(Sighting.COMMITTED, Sighting.OPEN);
      transaction.prepare();
      transaction.close();
      assertThat(steps.roundTrips())
          .as("%s", steps.taken())
          .isEqualTo(shape.roundTripsOfCheckpoint);
    }
  }

  /** From the first packet of a connection to the pruning behind the commit. */
  @Test
  void aConnectionSpoiltAtItsStartOrAfterTheCommitChangesNothing() throws Exception {
    try (JdbcRig rig = UnitShape.INLINE_APPEND.rig(server)) {
      WriterStore writer = rig.writer();
      rig.through(relay);
      Steps all = Steps.record(faults);
      Committable undisturbed = rig.prepare(writer, 0, row(0, "a"));
      assertThat(rig.outcome(undisturbed).kind()).isEqualTo(Kind.COMMITTED);
      List<String> steps = all.taken();
      int commitStep = steps.indexOf("COMMIT");
      assertThat(commitStep).isBetween(1, steps.size() - 2);

      for (int step = 0; step < steps.size(); step++) {
        Committable unit = rig.prepare(writer, step + 1, row(step + 1, "a"));
        RelayFault cut = faults.cutBefore(Steps.number(step), 1);
        CommitterStore committer = rig.committer();
        Outcome outcome = committer.commit(List.of(unit)).get(0);
        cut.awaitHits(1, LIMIT);
        assertThat(outcome.kind())
            .as(steps.get(step))
            .isEqualTo(step <= commitStep ? Kind.RETRY : Kind.COMMITTED);
        assertThat(committer.commit(List.of(unit)).get(0).kind())
            .as(steps.get(step))
            .isEqualTo(step <= commitStep ? Kind.COMMITTED : Kind.ALREADY_COMMITTED);
        assertThat(rig.rows()).hasSize(step + 2).contains("(" + (step + 1) + ",a)");
      }
    }
  }
}
