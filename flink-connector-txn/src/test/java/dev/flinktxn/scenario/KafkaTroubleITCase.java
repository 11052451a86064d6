// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.flinktxn.fixture.CapturedLog;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.JobStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** K3, K4 and K6: an oversize record, a kill after the commit, two jobs with one prefix. */
@ExtendWith(ScenarioExtension.class)
class KafkaTroubleITCase {

  private static final List<String> FIRST = Rows.ids(1, 5);
  private static final List<String> SECOND = Rows.ids(5, 9);

  /** The producer's own limit is one megabyte too; raised, the topic's limit is what refuses. */
  @ParameterizedTest
  @ValueSource(strings = {"1048576", "10485760"})
  void anOversizeRecordFailsTheJobAndNamesTheTopic(String requestLimit, Scenario scenario)
      throws Exception {
    Flow flow = scenario.flow("oversize", 1);
    RunningJob job =
        flow.job().restarting().sinkOption("properties.max.request.size", requestLimit).start();
    flow.drop(FIRST);
    flow.awaitWritten(FIRST.size());
    job.checkpoint();
    flow.awaitCommitted(FIRST);

    flow.drop(Rows.all(SECOND, List.of(Rows.row(99, "x".repeat(2_000_000), 0))));
    await().until(() -> job.total("numRecordsSend") > FIRST.size() + SECOND.size());
    job.triggerCheckpoint();

    job.awaitEnd(JobStatus.FAILED);
    assertThat(job.failure()).hasValueSatisfying(f -> assertThat(f).contains(flow.destination()));
    assertThat(job.completedCheckpoints()).isEqualTo(1);
    assertThat(flow.committed()).isEqualTo(FIRST);
  }

  @ParameterizedTest
  @CsvSource({"TV1, true", "TV2, true", "TV2, false"})
  void aKillAfterTheCommitIsNothingToWorryAbout(TargetKind kind, boolean chained, Scenario scenario)
      throws Exception {
    Flow flow = scenario.on(kind).flow("kill", 1);
    RunningJob job = flow.job().chained(chained).restarting().start();
    flow.drop(FIRST);
    flow.awaitWritten(FIRST.size());
    job.checkpoint();
    flow.awaitCommitted(FIRST);
    assertThat(job.total("alreadyCommitted")).isZero();

    try (CapturedLog log = CapturedLog.ofErrors()) {
      scenario.flink().replaceTaskManagers();
      flow.drop(SECOND);
      flow.awaitWritten(FIRST.size() + SECOND.size());
      assertThat(job.restarts()).isEqualTo(1);
      assertThat(job.total("alreadyCommitted")).isEqualTo(1);
      job.stopWithSavepoint();

      assertThat(log.messages()).isEmpty();
    }
    assertThat(flow.committed()).isEqualTo(Rows.all(FIRST, SECOND));
  }

  @Test
  void aSecondLiveJobWithTheSamePrefixIsNamedAndEnds(Scenario scenario) throws Exception {
    Flow flow = scenario.flow("shared", 2);
    RunningJob first = flow.job().start();
    flow.drop(FIRST);
    flow.awaitWritten(FIRST.size());
    Flow intruding = intruder(flow);
    RunningJob second = intruding.job().start();
    intruding.awaitWritten(1);
    // The first job goes on: it begins a transaction after the second has opened.
    first.checkpoint();
    flow.drop(SECOND);
    flow.awaitWritten(FIRST.size() + SECOND.size());

    second.triggerCheckpoint();

    second.awaitEnd(JobStatus.FAILED);
    assertThat(second.failure())
        .hasValueSatisfying(
            failure -> assertThat(failure).contains("prefix '" + flow.prefix() + "'"));
    first.stopWithSavepoint();
    assertThat(intruding.committed()).isEmpty();
    assertThat(flow.committed()).isEqualTo(Rows.all(FIRST, SECOND));
  }

  @Test
  void whatASecondJobWithTheSamePrefixAbortsIsWrittenAgain(Scenario scenario) throws Exception {
    Flow flow = scenario.flow("shared", 2);
    RunningJob first = flow.job().restarting().start();
    flow.drop(FIRST);
    flow.awaitWritten(FIRST.size());
    first.checkpoint();
    flow.drop(SECOND);
    flow.awaitWritten(FIRST.size() + SECOND.size());
    Flow intruding = intruder(flow);
    RunningJob second = intruding.job().start();
    intruding.awaitWritten(1);
    // The first job was idle all the time: its transaction looks like a dead predecessor's.
    second.checkpoint();
    assertThat(first.restarts()).isZero();

    first.triggerCheckpoint();
    await().atMost(Duration.ofSeconds(30)).until(() -> first.restarts() == 1);
    second.stopWithSavepoint();
    flow.awaitWritten(FIRST.size() + 2 * SECOND.size());
    first.stopWithSavepoint();

    assertThat(intruding.committed()).hasSize(1);
    assertThat(flow.committed()).isEqualTo(Rows.all(FIRST, SECOND));
  }

  /** Into another topic, or its open transaction would hold up the first job's readers. */
  private static Flow intruder(Flow flow) throws Exception {
    Scenario scenario = flow.scenario();
    Flow intruding = scenario.flow(scenario.destination("other", 2), flow.prefix());
    intruding.drop(List.of(Rows.row(-1, "intruder", 0)));
    return intruding;
  }
}
