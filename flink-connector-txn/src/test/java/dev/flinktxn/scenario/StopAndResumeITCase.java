// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A4: stop-with-savepoint and resume. */
@ExtendWith(ScenarioExtension.class)
class StopAndResumeITCase {

  private static final List<String> FIRST = Rows.ids(1, 4);
  private static final List<String> SECOND = Rows.ids(4, 6);

  @ParameterizedTest
  @EnumSource
  void stopsWithEverythingVisibleAndResumesWithTheRest(BrokerKind kind, Scenario scenario)
      throws Exception {
    Drip drip = scenario.on(kind).drip();
    String topic = scenario.topic("stop", 2);
    String prefix = scenario.prefix("stop");
    drip.drop(FIRST);
    RunningJob job = scenario.insertInto(topic, prefix).from(drip).start();
    scenario.kafka().awaitWritten(topic, FIRST);
    assertThat(scenario.kafka().committed(topic)).isEmpty();

    String savepoint = job.stopWithSavepoint();

    assertThat(scenario.kafka().committed(topic)).isEqualTo(FIRST);
    assertThat(scenario.kafka().openTransactions(SinkUnderTest.idsOf(prefix))).isEmpty();

    RunningJob resumed =
        scenario.insertInto(topic, prefix).from(drip).restoring(savepoint).start();
    drip.drop(SECOND);
    scenario.kafka().awaitWritten(topic, SECOND);
    resumed.stopWithSavepoint();

    assertThat(scenario.kafka().committed(topic)).isEqualTo(Rows.all(FIRST, SECOND));
  }
}
