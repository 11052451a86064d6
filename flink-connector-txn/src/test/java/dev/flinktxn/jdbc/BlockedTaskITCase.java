// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static dev.flinktxn.jdbc.JdbcRig.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.PgFaults;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresSettings;
import dev.flinktxn.fixture.RelayFault;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.TcpRelay;
import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.Outcome.Kind;
import dev.flinktxn.protocol.Transaction;
import dev.flinktxn.protocol.WriterStore;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.table.data.RowData;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A task that waits for a server which does not answer can be cancelled. */
final class BlockedTaskITCase {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** So much that it does not fit into any socket's buffer. */
  private static final int MANY_BYTES = 32 << 20;

  private static final RunDirectory RUN = RunDirectory.create("blocked-task");
  private static Postgres server;

  private final PgFaults faults = new PgFaults();
  private TcpRelay relay;
  private JdbcRig rig;
  private Set<Thread> before;

  @BeforeAll
  static void start() {
    server = Postgres.startProcess(RUN, PostgresSettings.usual());
  }

  @AfterAll
  static void stop() {
    server.close();
    RUN.close();
  }

  @BeforeEach
  void open() throws Exception {
    relay = TcpRelay.open(faults);
    relay.forwardTo(server.address());
    rig = UnitShape.INLINE_APPEND.rig(server);
    rig.inlineMaxBytes = 2L * MANY_BYTES;
  }

  @AfterEach
  void close() throws Exception {
    server.process().resume();
    rig.close();
    relay.close();
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  /** Runs the work in a task's thread until it stands still. */
  private final class Blocked {
    private final CompletableFuture<Throwable> end = new CompletableFuture<>();
    private final Thread task;

    Blocked(Work work) {
      before = new HashSet<>(Thread.getAllStackTraces().keySet());
      task =
          new Thread(
              () -> {
                try {
                  work.run();
                  end.complete(null);
                } catch (Throwable e) {
                  end.complete(e);
                }
              },
              "task");
      task.start();
    }

    void assertEndsWhenInterrupted() throws Exception {
      Awaitility.await()
          .during(Duration.ofSeconds(1))
          .atMost(LIMIT)
          .until(() -> task.isAlive() && !end.isDone());
      task.interrupt();
      assertThat(end).succeedsWithin(Duration.ofSeconds(5));
      assertThat(end.get()).isInstanceOf(InterruptedException.class);
      task.join(5_000);
      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> !before.contains(thread) && !isTheTests(thread))
          .as("threads left behind")
          .isEmpty();
    }

    /** The JDK starts the reaper when a signal is sent to the server by a process. */
    private static boolean isTheTests(Thread thread) {
      return thread.getName().startsWith("relay-") || thread.getName().equals("process reaper");
    }
  }

  private static RowData[] manyBytes() {
    String kilobyte = "x".repeat(1_000);
    RowData[] rows = new RowData[MANY_BYTES / 1_000];
    for (int id = 0; id < rows.length; id++) {
      rows[id] = row(id, kilobyte);
    }
    return rows;
  }

  @Test
  void inACommitThatWaitsForAnAnswer() throws Exception {
    WriterStore writer = rig.writer();
    Committable before = rig.prepare(writer, 0, row(1, "a"));
    Committable unit = rig.prepare(writer, 1, row(2, "b"));
    CommitterStore committer = rig.committer();
    assertThat(committer.commit(List.of(before)).get(0).kind()).isEqualTo(Kind.COMMITTED);

    server.process().pause();
    Blocked blocked = new Blocked(() -> committer.commit(List.of(unit)));
    blocked.assertEndsWhenInterrupted();
    server.process().resume();

    assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.COMMITTED);
    assertThat(rig.rows()).containsExactly("(1,a)", "(2,b)");
  }

  @Test
  void inACommitThatSendsMoreThanIsTaken() throws Exception {
    WriterStore writer = rig.writer();
    Committable before = rig.prepare(writer, 0, row(1, "a"));
    RowData[] rows = manyBytes();
    Committable unit = rig.prepare(writer, 1, rows);
    rig.through(relay);
    CommitterStore committer = rig.committer();
    assertThat(committer.commit(List.of(before)).get(0).kind()).isEqualTo(Kind.COMMITTED);

    RelayFault copies = faults.holdReply(PgFaults.statement("COPY"), 1);
    Blocked blocked = new Blocked(() -> committer.commit(List.of(unit)));
    copies.awaitHits(1, LIMIT);
    server.process().pause();
    copies.release();
    blocked.assertEndsWhenInterrupted();
    server.process().resume();

    assertThat(faults.count(PgFaults.copyDone())).as("ended before").isEqualTo(1);
    assertCommitted(unit);
    assertThat(rig.query("SELECT count(*) FROM t")).containsExactly("" + (rows.length + 1));
  }

  private void assertCommitted(Committable unit) {
    CommitterStore successor = rig.committer();
    assertThat(
            Awaitility.await()
                .atMost(LIMIT)
                .until(
                    () -> successor.commit(List.of(unit)).get(0).kind(),
                    kind -> kind != Kind.RETRY))
        .isEqualTo(Kind.COMMITTED);
  }

  @Test
  void inACommitThatConnects() throws Exception {
    Committable unit = rig.prepare(rig.writer(), 0, row(1, "a"));
    CommitterStore committer = rig.committer();

    server.process().pause();
    Blocked blocked = new Blocked(() -> committer.commit(List.of(unit)));
    blocked.assertEndsWhenInterrupted();
    server.process().resume();

    assertThat(rig.outcome(unit).kind()).isEqualTo(Kind.COMMITTED);
    assertThat(rig.rows()).containsExactly("(1,a)");
  }

  @Test
  void inAWriterThatStages() throws Exception {
    rig.inlineMaxBytes = 0;
    WriterStore writer = rig.writer();
    Transaction transaction = writer.begin(rig.name(0));
    transaction.write(row(1, "a"));

    server.process().pause();
    Blocked blocked =
        new Blocked(
            () -> {
              try {
                for (RowData row : manyBytes()) {
                  transaction.write(row);
                }
              } finally {
                // As a cancelled task does.
                transaction.close();
                writer.close();
              }
            });
    blocked.assertEndsWhenInterrupted();
    server.process().resume();

    WriterStore successor = rig.writer();
    successor.abort(successor.open(rig.prefix).get(0));
    assertThat(rig.stagingTables()).isEmpty();
    assertThat(rig.rows()).isEmpty();
  }

  @Test
  void inAWriterThatOpens() throws Exception {
    server.process().pause();
    Blocked blocked = new Blocked(rig::writer);
    blocked.assertEndsWhenInterrupted();
  }
}
