// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.flinktxn.fixture.PgFaults;
import dev.flinktxn.fixture.PgProbe;
import dev.flinktxn.fixture.PgRequest;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresSettings;
import dev.flinktxn.fixture.RelayFault;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.TcpRelay;
import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.OpenTransaction;
import dev.flinktxn.protocol.Outcome.Kind;
import dev.flinktxn.protocol.RefusedException;
import dev.flinktxn.protocol.Transaction;
import dev.flinktxn.protocol.WriterStore;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.apache.flink.table.data.RowData;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every request of a writer up to the barrier is spoilt in every way: the attempt fails, and what
 * it left is removed by the next one, which writes the rows again.
 */
final class WriterStepsITCase {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final String WRITER = "spoilt writer";
  private static final RunDirectory RUN = RunDirectory.create("writer-steps");
  private static Postgres server;

  private final PgFaults faults = new PgFaults();
  private TcpRelay relay;

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
  }

  /** What is done to a request, or to its reply. */
  private enum Cut {
    BEFORE,
    AFTER;

    RelayFault arm(PgFaults faults, Predicate<PgRequest> which) {
      return this == BEFORE ? faults.cutBefore(which, 1) : faults.cutAfter(which, 1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"INLINE_APPEND", "STAGED_APPEND", "STAGED_PREPARED"})
  void aSpoiltRequestOfAWriterFailsTheAttemptAndNothingElse(UnitShape shape) throws Exception {
    spoil(shape);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(names = {"INLINE_KEYED", "STAGED_KEYED", "INLINE_PREPARED"})
  void nothingElseOfTheOtherShapesEither(UnitShape shape) throws Exception {
    spoil(shape);
  }

  private void spoil(UnitShape shape) throws Exception {
    try (JdbcRig rig = shape.rig(server)) {
      WriterStore successor = rig.writer();
      rig.through(relay);
      shape.reset(rig);
      List<String> steps = undisturbed(shape, rig);
      // Even one who keeps all rows in memory looks at the barrier.
      assertThat(steps).isNotEmpty();
      for (int step = 0; step < steps.size(); step++) {
        for (Cut cut : Cut.values()) {
          String what = cut + " " + steps.get(step);
          shape.reset(rig);
          rig.properties.put("ApplicationName", WRITER);
          try (WriterStore writer = rig.writer()) {
            RelayFault armed = cut.arm(faults, Steps.number(step));
            Throwable failure = catchThrowable(() -> write(shape, rig, writer));
            armed.awaitHits(1, LIMIT);
            assertThat(failure)
                .as(what)
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(RefusedException.class)
                .hasMessageContaining("default.t");
          }
          assertThat(rig.rows()).as(what).isEqualTo(shape.before());
          // One who does not know whether there is a staging table leaves it to the successor.
          boolean leaves = cut == Cut.AFTER && step == steps.indexOf("COMMIT");
          assertThat(removed(rig, successor, what)).as(what).isEqualTo(leaves ? 1 : 0);
          assertNothingLeft(rig, what);

          rig.properties.remove("ApplicationName");
          Committable again = rig.prepare(successor, 0, shape.rows());
          assertThat(rig.outcome(again).kind()).as(what).isEqualTo(Kind.COMMITTED);
          assertThat(rig.rows()).as(what).isEqualTo(shape.after());
          JdbcRig.look(successor, again);
        }
      }
    }
  }

  /** The writer's requests for one checkpoint, looking at the one before, too. */
  private List<String> undisturbed(UnitShape shape, JdbcRig rig) throws Exception {
    try (WriterStore writer = rig.writer()) {
      Steps steps = Steps.record(faults);
      Transaction transaction = write(shape, rig, writer);
      List<String> taken = steps.taken();
      transaction.close();
      return taken;
    }
  }

  private static Transaction write(UnitShape shape, JdbcRig rig, WriterStore writer)
      throws Exception {
    Transaction before = writer.begin(rig.name(0));
    before.prepare();
    Transaction transaction = writer.begin(rig.name(1));
    try {
      for (RowData row : shape.rows()) {
        transaction.write(row);
      }
      transaction.flush();
      writer.look(
          List.of(
              new WriterStore.Look(rig.name(0), before.handle()),
              new WriterStore.Look(rig.name(1), transaction.handle())));
      return transaction;
    } catch (IOException e) {
      transaction.close();
      throw e;
    }
  }

  /** How many leftovers the next attempt has found and removed, the sessions being over. */
  private static int removed(JdbcRig rig, WriterStore successor, String what) throws Exception {
    Awaitility.await(what)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .atMost(LIMIT)
        .until(() -> new PgProbe(rig.database()).sessions(WRITER).isEmpty());
    List<OpenTransaction> open = successor.open(rig.prefix);
    for (OpenTransaction left : open) {
      assertThat(left.name()).as(what).isEqualTo(rig.name(1));
      successor.abort(left);
    }
    return open.size();
  }

  private static void assertNothingLeft(JdbcRig rig, String what) throws SQLException {
    assertThat(rig.stagingTables()).as(what).isEmpty();
    assertThat(rig.query("SELECT id FROM flink_txn.staging")).as(what).isEmpty();
    assertThat(rig.query("SELECT gid FROM pg_prepared_xacts")).as(what).isEmpty();
  }
}
