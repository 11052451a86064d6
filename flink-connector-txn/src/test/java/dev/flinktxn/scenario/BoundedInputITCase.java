// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.JobStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A2: bounded input, streaming and batch. */
@ExtendWith(ScenarioExtension.class)
class BoundedInputITCase {

  private static final List<String> ROWS =
      List.of("{\"id\":1,\"name\":\"a\"}", "{\"id\":2,\"name\":\"b\"}", "{\"id\":3,\"name\":null}");
  private static final String VALUES = "VALUES (1, 'a'), (2, 'b'), (3, CAST(NULL AS STRING))";

  @ParameterizedTest
  @EnumSource
  void aStreamingJobCommitsItsLastRowsWithoutWaitingForTheInterval(
      BrokerKind kind, Scenario scenario) throws Exception {
    String topic = scenario.on(kind).topic("values", 2);
    JobSpec job = values(scenario, topic).checkpointEvery(Duration.ofMinutes(10));

    job.submit().awaitEnd(JobStatus.FINISHED);

    assertThat(scenario.kafka().committed(topic)).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @EnumSource
  void aBatchJobCommits(BrokerKind kind, Scenario scenario) throws Exception {
    String topic = scenario.on(kind).topic("values", 2);

    values(scenario, topic).batch().submit().awaitEnd(JobStatus.FINISHED);

    assertThat(scenario.kafka().committed(topic)).isEqualTo(ROWS);
  }

  @Test
  void aBoundedJobNeedsNoCheckpointing(Scenario scenario) throws Exception {
    String topic = scenario.topic("values", 2);

    values(scenario, topic).withoutCheckpoints().submit().awaitEnd(JobStatus.FINISHED);

    assertThat(scenario.kafka().committed(topic)).isEqualTo(ROWS);
  }

  @Test
  void noRowsAreNoProblem(Scenario scenario) throws Exception {
    String topic = scenario.topic("values", 2);
    String nothing =
        "SELECT * FROM (" + VALUES + ") AS v (id, name) WHERE CHAR_LENGTH(name) > 1000";

    values(scenario, topic).query(nothing).submit().awaitEnd(JobStatus.FINISHED);
    values(scenario, topic).query(nothing).batch().submit().awaitEnd(JobStatus.FINISHED);
    values(scenario, topic)
        .query("SELECT * FROM (" + VALUES + ") AS v (id, name) WHERE FALSE")
        .submit()
        .awaitEnd(JobStatus.FINISHED);

    assertThat(scenario.kafka().committed(topic)).isEmpty();
  }

  private static JobSpec values(Scenario scenario, String topic) {
    return scenario
        .insertInto(topic, scenario.prefix("values"))
        .columns("id INT, name STRING")
        .query(VALUES);
  }
}
