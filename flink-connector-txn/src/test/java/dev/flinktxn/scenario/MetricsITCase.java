// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.flinktxn.fixture.Fault;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the sinks tell of themselves while a commit waits, and when all is committed. */
@ExtendWith(ScenarioExtension.class)
class MetricsITCase {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  @ParameterizedTest
  @EnumSource(names = {"TV2", "PG_INLINE", "PG_STAGED"})
  void tellWhatIsOpenAndWhatWasCommitted(TargetKind kind, Scenario scenario) throws Exception {
    Flow flow = scenario.on(kind).flow("metrics", 1);
    RunningJob job = flow.job().start();
    assertThat(job.total("transactional")).isEqualTo(1);
    assertThat(job.total("openTransactions")).isZero();
    assertThat(job.total("oldestTransactionAgeMillis")).isZero();
    assertThat(job.total("transactionTimeoutMillis"))
        .isEqualTo(kind.isKafka() ? Duration.ofMinutes(15).toMillis() : -1);

    List<String> first = Rows.ids(1, 4);
    flow.drop(first);
    flow.awaitWritten(first.size());
    await().atMost(LIMIT).until(() -> job.total("openTransactions") == 1);
    assertThat(job.total("oldestTransactionAgeMillis")).isPositive();
    assertThat(job.total("numRecordsSend")).isEqualTo(first.size());
    assertThat(job.total("numBytesSend")).isPositive();

    Fault lost = flow.target().loseCommitReplies(1);
    job.checkpoint();
    flow.awaitCommitted(first);
    lost.awaitHits(1, LIMIT);
    await().atMost(LIMIT).until(() -> job.total("alreadyCommitted") == 1);
    assertThat(job.total("commitRetries")).isPositive();
    assertThat(job.total("preparedTransactions")).isEqualTo(1);

    flow.drop(Rows.ids(4, 6));
    flow.awaitWritten(5);
    job.checkpoint();
    flow.awaitCommitted(Rows.ids(1, 6));
    await().atMost(LIMIT).until(() -> job.total("commitMillis") == 1);
    assertThat(job.total("firstRowToVisibleMillis")).isEqualTo(1);
    assertThat(job.total("lostTransactions")).isZero();
    assertThat(job.total("orphansAborted")).isZero();
    if (!kind.isKafka()) {
      assertThat(job.total("mergeMillis")).isEqualTo(1);
      boolean staged = kind == TargetKind.PG_STAGED;
      assertThat(job.total("stagedRows")).isEqualTo(staged ? 5 : 0);
      assertThat(job.total("stagedBytes") > 0).isEqualTo(staged);
    }
    // An empty barrier tells the writer what has been committed.
    job.checkpoint();
    job.stopWithSavepoint();
  }
}
