// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static dev.flinktxn.jdbc.JdbcRig.row;
import static org.assertj.core.api.Assertions.assertThat;

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
import dev.flinktxn.protocol.WriterStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Two committers have the same units, as a paused task manager and its successor. */
final class RivalCommittersITCase {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int UNITS = 15;
  private static final RunDirectory RUN = RunDirectory.create("rival-committers");
  private static Postgres server;

  @BeforeAll
  static void start() {
    server = Postgres.start(RUN, PostgresSettings.usual().with("max_prepared_transactions", "40"));
  }

  @AfterAll
  static void stop() {
    server.close();
    RUN.close();
  }

  private static Kind untilDecided(CommitterStore committer, Committable unit) {
    return Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .atMost(LIMIT)
        .until(() -> committer.commit(List.of(unit)).get(0).kind(), kind -> kind != Kind.RETRY);
  }

  @ParameterizedTest
  @EnumSource
  void ofTwoAtOnceOneCommitsAUnitAndTheOtherFindsItCommitted(UnitShape shape) throws Exception {
    try (JdbcRig rig = shape.rig(server)) {
      WriterStore writer = rig.writer();
      List<Committable> units = new ArrayList<>();
      for (int id = 0; id < UNITS; id++) {
        units.add(rig.prepare(writer, id, row(2 * id, "a"), row(2 * id + 1, "b")));
      }
      // They meet before each unit, so that it is really at once that they ask.
      CyclicBarrier meeting = new CyclicBarrier(2);
      ExecutorService threads = Executors.newFixedThreadPool(2);
      List<Future<List<Kind>>> rivals = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        CommitterStore committer = rig.committer();
        rivals.add(
            threads.submit(
                () ->
                    units.stream()
                        .map(
                            unit -> {
                              meet(meeting);
                              return untilDecided(committer, unit);
                            })
                        .toList()));
      }
      threads.shutdown();
      List<Kind> one = rivals.get(0).get();
      List<Kind> other = rivals.get(1).get();

      for (int i = 0; i < UNITS; i++) {
        assertThat(List.of(one.get(i), other.get(i)))
            .containsExactlyInAnyOrder(Kind.COMMITTED, Kind.ALREADY_COMMITTED);
      }
      assertThat(rig.query("SELECT count(*) || ' of ' || count(DISTINCT id) FROM t"))
          .containsExactly(2 * UNITS + " of " + 2 * UNITS);
      assertThat(rig.stagingTables()).isEmpty();
      assertThat(rig.query("SELECT gid FROM pg_prepared_xacts")).isEmpty();
    }
  }

  private static void meet(CyclicBarrier meeting) {
    try {
      meeting.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static Stream<Arguments> stops() {
    return Stream.of(
        Arguments.of(UnitShape.INLINE_APPEND, PgFaults.copyDone()),
        Arguments.of(UnitShape.STAGED_APPEND, PgFaults.statement("INSERT INTO \"public\".\"t\"")),
        Arguments.of(UnitShape.STAGED_KEYED, PgFaults.commits()));
  }

  /** What is held here is what a task manager that was stopped has not sent yet. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("stops")
  void oneThatIsStoppedInTheMiddleIsEndedSoonAndChangesNothingWhenItGoesOn(
      UnitShape shape, Predicate<PgRequest> where) throws Exception {
    PgFaults faults = new PgFaults();
    try (TcpRelay relay = TcpRelay.open(faults);
        JdbcRig rig = shape.rig(server)) {
      relay.forwardTo(server.address());
      Committable unit = rig.prepare(rig.writer(), 0, shape.rows());
      shape.reset(rig);
      final CommitterStore successor = rig.committer();
      rig.through(relay);
      CommitterStore stopped = rig.committer();
      RelayFault held = faults.hold(where, 1);
      CompletableFuture<List<Outcome>> first =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return stopped.commit(List.of(unit));
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      held.awaitHits(1, LIMIT);

      long start = System.nanoTime();
      Outcome busy = successor.commit(List.of(unit)).get(0);
      assertThat(busy.kind()).isEqualTo(Kind.RETRY);
      assertThat(busy.evidence()).contains("another session is committing it", "process");
      assertThat(untilDecided(successor, unit)).isEqualTo(Kind.COMMITTED);
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .as("given time, but not for ever")
          .isBetween(Duration.ofSeconds(3), Duration.ofSeconds(10));
      assertThat(rig.rows()).isEqualTo(shape.after());

      held.release();
      assertThat(first).succeedsWithin(LIMIT);
      assertThat(first.get()).extracting(Outcome::kind).containsExactly(Kind.RETRY);
      assertThat(untilDecided(stopped, unit)).isEqualTo(Kind.ALREADY_COMMITTED);
      assertThat(rig.rows()).isEqualTo(shape.after());
      assertThat(rig.stagingTables()).isEmpty();
    }
  }
}
