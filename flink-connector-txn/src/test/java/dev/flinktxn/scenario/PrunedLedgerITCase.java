// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.flinktxn.fixture.Fault;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.JobStatus;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A20: a savepoint with uncommitted units, restored when the ledger has forgotten them. */
@ExtendWith(ScenarioExtension.class)
class PrunedLedgerITCase {

  private static final List<String> FIRST = Rows.ids(1, 5);
  private static final List<String> SECOND = Rows.ids(5, 9);

  /** What was begun by now counts as minted by then: a minute earlier, for clocks that differ. */
  private static final String MINTED_BEFORE = "SELECT clock_timestamp() - interval '60 seconds'";

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @ParameterizedTest
  @EnumSource(names = {"PG_INLINE", "PG_STAGED"})
  void isRefusedAsUnknownUntilToldToGoOn(TargetKind kind, Scenario scenario) throws Exception {
    Flow flow = scenario.on(kind).flow("pruned", 1);
    flow.drop(FIRST);
    RunningJob job = flow.job().start();
    flow.awaitWritten(FIRST.size());
    String begun = scenario.postgres().query(MINTED_BEFORE).get(0);
    Fault held = scenario.target().holdCommits(1);
    String old = job.checkpoint();
    held.awaitHits(1, PATIENCE);
    job.cancel();
    held.discard();
    RunningJob next = flow.job().restoring(old).start();
    flow.awaitCommitted(FIRST);
    flow.drop(SECOND);
    flow.awaitWritten(FIRST.size() + SECOND.size());
    next.stopWithSavepoint();
    prune(scenario.postgres(), flow.prefix(), begun);

    RunningJob refused = flow.job().restarting().restoring(old).submit();
    refused.awaitEnd(JobStatus.FAILED);
    assertThat(refused.failure())
        .hasValueSatisfying(
            failure ->
                assertThat(failure)
                    .contains(
                        "UNKNOWN",
                        flow.prefix() + "~",
                        "sink.ledger-retention",
                        "sink.on-lost-transaction = 'continue'"));
    assertThat(refused.restarts()).isZero();
    assertThat(flow.committed()).isEqualTo(Rows.all(FIRST, SECOND));

    RunningJob told =
        flow.job().restoring(old).sinkOption("sink.on-lost-transaction", "continue").start();
    await().atMost(PATIENCE).until(() -> told.total("lostTransactions") == 1);
    flow.awaitWritten(FIRST.size() + 2 * SECOND.size());
    told.stopWithSavepoint();
    // What was in doubt is not there twice; what the old position replays is.
    assertThat(flow.committed())
        .containsExactlyInAnyOrderElementsOf(Rows.all(FIRST, SECOND, SECOND));
  }

  /** Leaves the ledger as a pruner does when the unit in question is older than the retention. */
  private static void prune(PostgresTables database, String prefix, String horizon) {
    assertThat(database.query("SELECT id FROM flink_txn.ledger WHERE prefix = ?", prefix))
        .hasSize(2);
    database.execute(
        ("INSERT INTO flink_txn.horizon VALUES ('%1$s', '%2$s');"
                + " DELETE FROM flink_txn.ledger WHERE prefix = '%1$s'")
            .formatted(prefix, horizon));
  }
}
