// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.JobStatus;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A2: bounded input, streaming and batch. */
@ExtendWith(ScenarioExtension.class)
class BoundedInputITCase {

  private static final List<String> ROWS =
      List.of("{\"id\":1,\"name\":\"a\"}", "{\"id\":2,\"name\":\"b\"}", "{\"id\":3,\"name\":null}");
  private static final String VALUES = "VALUES (1, 'a'), (2, 'b'), (3, CAST(NULL AS STRING))";

  private static final String COLUMNS = "id INT, name STRING";

  @ParameterizedTest
  @EnumSource
  void aStreamingJobCommitsItsLastRowsWithoutWaitingForTheInterval(
      TargetKind kind, Scenario scenario) throws Exception {
    String table = table(scenario.on(kind));
    JobSpec job = values(scenario, table).checkpointEvery(Duration.ofMinutes(10));

    job.submit().awaitEnd(JobStatus.FINISHED);

    assertThat(scenario.target().committed(table)).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @EnumSource
  void aBatchJobCommits(TargetKind kind, Scenario scenario) throws Exception {
    String table = table(scenario.on(kind));

    values(scenario, table).batch().submit().awaitEnd(JobStatus.FINISHED);

    assertThat(scenario.target().committed(table)).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @EnumSource(names = {"TV2", "PG_INLINE", "PG_STAGED", "PG_POOLED_STAGED"})
  void aBoundedJobNeedsNoCheckpointing(TargetKind kind, Scenario scenario) throws Exception {
    String table = table(scenario.on(kind));

    values(scenario, table).withoutCheckpoints().submit().awaitEnd(JobStatus.FINISHED);

    assertThat(scenario.target().committed(table)).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @EnumSource(names = {"TV2", "PG_INLINE", "PG_POOLED_INLINE"})
  void noRowsAreNoProblem(TargetKind kind, Scenario scenario) throws Exception {
    String table = table(scenario.on(kind));
    String nothing =
        "SELECT * FROM (" + VALUES + ") AS v (id, name) WHERE CHAR_LENGTH(name) > 1000";

    values(scenario, table).query(nothing).submit().awaitEnd(JobStatus.FINISHED);
    values(scenario, table).query(nothing).batch().submit().awaitEnd(JobStatus.FINISHED);
    values(scenario, table)
        .query("SELECT * FROM (" + VALUES + ") AS v (id, name) WHERE FALSE")
        .submit()
        .awaitEnd(JobStatus.FINISHED);

    assertThat(scenario.target().committed(table)).isEmpty();
  }

  private static String table(Scenario scenario) {
    return scenario.target().create("values", 2, COLUMNS);
  }

  private static JobSpec values(Scenario scenario, String table) {
    return scenario.insertInto(table, scenario.prefix("values")).columns(COLUMNS).query(VALUES);
  }
}
