// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static dev.flinktxn.scenario.ProcessLab.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.PgFaults;
import dev.flinktxn.fixture.PgRequest;
import dev.flinktxn.fixture.RelayFault;
import dev.flinktxn.fixture.TaskManagerProcess;
import dev.flinktxn.protocol.SinkSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A18 for PostgreSQL: a TaskManager stops in the middle of a COPY, whose locks no timeout of the
 * server ends, is taken for dead, and wakes up when its successor has completed checkpoints.
 */
@Tag("full")
class ZombieInPostgresProcessITCase {

  @RegisterExtension static final ProcessLab LAB = ProcessLab.withSlots(1);

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Two clean-up periods, and time for what they start. */
  private static final Duration CLEAN = SinkSettings.CLEANUP_PERIOD.multipliedBy(2).plusSeconds(30);

  private static final List<String> FIRST =
      List.of(row(1, "ant", 10), row(2, "bee", 20), row(3, "cat", 30));

  private static final Pattern TASK_ENDED = Pattern.compile("switched from \\w+ to (FAILED|CANC)");

  private static final String SESSION_IN_TRANSACTION =
      "SELECT pid::text FROM pg_stat_activity WHERE datname = current_database()"
          + " AND state = 'idle in transaction'";

  private static final String END_SESSION = "SELECT pg_terminate_backend(?::int, 10000)";

  private final List<String> expected = new ArrayList<>(FIRST);
  private TaskManagerProcess zombie;
  private int zombieBegan;
  private Drip drip;

  @BeforeEach
  void chooseTheZombie() {
    zombie = LAB.liveTaskManagers().get(0);
    zombieBegan = zombie.output().length();
    drip = LAB.drip();
  }

  @AfterEach
  void endTheZombie() {
    zombie.kill();
  }

  private static Predicate<PgRequest> copyDoneAfter(String statement) {
    return PgFaults.copyDone()
        .and(request -> request.before().stream().anyMatch(sql -> sql.contains(statement)));
  }

  @Test
  void aWriterStoppedInAStagingCopyLosesItsTableToTheSuccessor() throws Exception {
    ProcessTable table = LAB.table(TargetKind.PG_STAGED, "writer");
    final ProcessJob job = LAB.insertInto(table).from(drip).start();
    drip.drop(FIRST);
    awaitTaken();
    final Set<String> zombies = table.target().open(table.prefix());
    assertThat(zombies).as("with the first row").hasSize(1);
    RelayFault held = table.target().faults().hold(copyDoneAfter("\"staged_"), 1);
    final CompletableFuture<Void> checkpoint = CompletableFuture.runAsync(job::checkpoint);
    held.awaitHits(1, LIMIT);
    zombie.pause();

    succeed(job);
    assertThat(checkpoint).failsWithin(LIMIT);
    awaitCommittedByCheckpoints(job);
    assertThat(table.target().open(table.prefix())).doesNotContainAnyElementsOf(zombies);
    goOn(job);

    wakeUp();
    goOn(job);
    table.assertNothingLeft();
    assertThat(job.restarts() - 1).as("restarts for the zombie").isZero();
  }

  /**
   * The COMMIT that is held here is on its way when the TaskManager stops. Its session has ended
   * when it wakes up, or it would remove the table itself.
   */
  @Test
  void aStagingTableThatAppearsLateIsRemovedAtTheCostOfOneRestart() throws Exception {
    ProcessTable table = LAB.table(TargetKind.PG_STAGED, "late");
    final ProcessJob job = LAB.insertInto(table).from(drip).start();
    RelayFault held =
        table
            .target()
            .faults()
            .hold(PgFaults.commitsAfter("INSERT INTO \"flink_txn\".\"staging\""), 1);
    drip.drop(FIRST);
    held.awaitHits(1, LIMIT);
    final String session = table.target().query(SESSION_IN_TRANSACTION).get(0);
    zombie.pause();

    succeed(job);
    awaitCommittedByCheckpoints(job);
    goOn(job);
    assertThat(table.target().open(table.prefix())).isEmpty();

    held.release();
    Await.until("the late table", LIMIT, () -> table.target().stagingTables().size() == 1);
    final Set<String> orphan = table.target().open(table.prefix());
    table.target().query(END_SESSION, session);
    wakeUp();
    Await.until(
        "no orphan",
        CLEAN,
        () -> {
          job.checkpoint();
          return table.target().open(table.prefix()).isEmpty();
        });
    goOn(job);
    table.assertNothingLeft();
    assertThat(job.restarts() - 1).as("restarts for the zombie").isEqualTo(1);
    assertThat(job.newestException())
        .get()
        .asString()
        .contains(orphan)
        .contains("was begun by an older writer", "sink.transactional-id-prefix");
  }

  @Test
  void aCommitterStoppedInACopyIsEndedByTheSuccessor() throws Exception {
    ProcessTable table = LAB.table(TargetKind.PG_INLINE, "committer");
    final ProcessJob job = LAB.insertInto(table).from(drip).start();
    RelayFault held =
        table.target().faults().hold(copyDoneAfter("INSERT INTO \"flink_txn\".\"ledger\""), 1);
    drip.drop(FIRST);
    awaitTaken();
    job.checkpoint();
    held.awaitHits(1, LIMIT);
    zombie.pause();
    assertThat(job.committed()).isEmpty();

    final TaskManagerProcess successor = succeed(job);
    job.awaitRestored(1);
    job.awaitCommitted(expected);
    assertThat(successor.output()).contains("another session is committing it", "ended now");
    goOn(job);

    held.release();
    wakeUp();
    goOn(job);
    table.assertNothingLeft();
    assertThat(job.restarts() - 1).as("restarts for the zombie").isZero();
  }

  /** Starts the TaskManager that takes over, and returns when it runs the job. */
  private static TaskManagerProcess succeed(ProcessJob job) {
    TaskManagerProcess successor = LAB.cluster().startTaskManager();
    Await.until("the job moves", LIMIT, () -> job.restarts() == 1);
    LAB.cluster().awaitRunning(job.id(), LIMIT);
    return successor;
  }

  /**
   * Returns when the first rows are with the writer. Metrics do not tell: after a TaskManager was
   * paused, the JobManager waits for its answer for minutes, and shows old values meanwhile.
   */
  private void awaitTaken() {
    Await.until(
        "rows with the writer",
        LIMIT,
        () -> zombie.output().substring(zombieBegan).contains("Finished reading split(s)"));
  }

  /** Some checkpoints more, each with a row. */
  private void goOn(ProcessJob job) throws Exception {
    for (int i = 0; i < 3; i++) {
      String next = row(expected.size() + 1, "n", 1);
      expected.add(next);
      drip.drop(List.of(next));
      awaitCommittedByCheckpoints(job);
    }
  }

  private void awaitCommittedByCheckpoints(ProcessJob job) {
    Await.until(
        expected.size() + " rows",
        LIMIT,
        () -> {
          job.checkpoint();
          return job.committed().size() >= expected.size();
        });
    job.awaitCommitted(expected);
  }

  /** Returns when the zombie has given up what it was doing. */
  private void wakeUp() {
    int asleep = zombie.output().length();
    zombie.resume();
    Await.until(
        "the zombie's task ends",
        LIMIT,
        () -> TASK_ENDED.matcher(zombie.output().substring(asleep)).find());
  }
}
