// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.flinktxn.fixture.Fault;
import dev.flinktxn.scenario.CheckpointFault.Part;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A4 and A8 for one job that writes the rows of one source to Kafka and to PostgreSQL. */
@ExtendWith(ScenarioExtension.class)
class BothSinksITCase {

  private static final List<String> FIRST = Rows.ids(1, 4);
  private static final List<String> SECOND = Rows.ids(4, 6);

  /** The reply of one commit of each is lost, and the stop reports it or the resume finishes it. */
  @ParameterizedTest
  @EnumSource(names = {"PG_INLINE", "PG_STAGED"})
  void stopsAndResumesExactlyInBoth(TargetKind kind, Scenario scenario) throws Exception {
    Flow topic = scenario.on(TargetKind.TV2).flow("topic", 2);
    Flow table = scenario.on(kind).flow("table", 1);
    topic.drop(FIRST);
    RunningJob job = topic.job().alsoInto(table).start();
    assertThat(job.taskStates()).as("tasks: one source and both sinks in one").hasSize(1);
    topic.awaitWritten(FIRST.size());
    assertThat(topic.committed()).isEmpty();
    assertThat(table.committed()).isEmpty();
    Fault lostByKafka = topic.target().loseCommitReplies(1);
    Fault lostByPostgres = table.target().loseCommitReplies(1);

    try {
      job.stopWithSavepoint();
    } catch (ExecutionException reported) {
      assertThat(reported).hasMessageContaining("savepoint");
      job.cancel();
    }
    assertThat(lostByKafka.hits()).isEqualTo(1);
    assertThat(lostByPostgres.hits()).isEqualTo(1);

    RunningJob resumed =
        topic.job().alsoInto(table).restoring(scenario.savepoints().get(0)).start();
    topic.drop(SECOND);
    topic.awaitWritten(FIRST.size() + SECOND.size());
    resumed.stopWithSavepoint();
    assertThat(topic.committed()).isEqualTo(Rows.all(FIRST, SECOND));
    assertThat(table.committed()).isEqualTo(Rows.all(FIRST, SECOND));
  }

  @ParameterizedTest
  @EnumSource
  void aFailedCheckpointLosesAndDoublesNothingInEither(Part part, Scenario scenario)
      throws Exception {
    CheckpointFault.reset(0);
    Flow topic = scenario.on(TargetKind.TV2).flow("topic", 2);
    Flow table = scenario.on(TargetKind.PG_STAGED).flow("table", 1);
    RunningJob job =
        topic
            .job()
            .alsoInto(table)
            .parallelism(2)
            .restarting()
            .checkpointEvery(Duration.ofMillis(200))
            .with("execution.checkpointing.tolerable-failed-checkpoints", "0")
            .through(CheckpointFault::pass)
            .start();
    List<String> expected = new ArrayList<>();
    for (int failure = 0; failure < 2; failure++) {
      expected.addAll(drip(topic, 3 * failure));
      topic.awaitCommitted(expected);
      table.awaitCommitted(expected);

      CheckpointFault.arm(part);
      expected.addAll(drip(topic, 3 * failure + 1));
      int fired = failure + 1;
      await().atMost(Duration.ofSeconds(30)).until(() -> CheckpointFault.fired() == fired);

      expected.addAll(drip(topic, 3 * failure + 2));
      topic.awaitCommitted(expected);
      table.awaitCommitted(expected);
    }
    assertThat(job.restarts()).as("restarts").isEqualTo(2);
    job.stopWithSavepoint();
    assertThat(topic.committed()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(table.committed()).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static List<String> drip(Flow flow, int number) throws Exception {
    List<String> rows = Rows.ids(10 * number, 10 * number + 4);
    flow.drip().dropOneByOne(rows);
    return rows;
  }
}
