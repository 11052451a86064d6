// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * {@code -Dsimulation.schedules=5000000} for the long run, {@code -Dsimulation.from=N} to begin
 * with another seed, {@code -Dsimulation.seed=N} to replay one schedule.
 */
class ProtocolSimulationTest {

  private static final long SCHEDULES = Long.getLong("simulation.schedules", 100_000);
  private static final long FROM = Long.getLong("simulation.from", 0);

  @Test
  @DisabledIfSystemProperty(named = "simulation.seed", matches = ".*")
  void keepsItsPromisesInEveryScheduleAndReachesEveryCase() {
    CoverCounts counts;
    try (ProtocolSimulation simulation = ProtocolSimulation.onABroker(new Rules())) {
      for (long seed = FROM; seed < FROM + SCHEDULES; seed++) {
        simulation.run(seed);
      }
      counts = simulation.counts();
    }
    assertThat(counts.tooRare(Cover.Only.BROKER, SCHEDULES)).isEmpty();
    assertThat(counts.of(Cover.CHECKPOINT_COMPLETED)).isGreaterThan(2 * SCHEDULES);
    assertThat(counts.of(Cover.COMMITTED)).isGreaterThan(2 * SCHEDULES);
  }

  @Test
  @EnabledIfSystemProperty(named = "simulation.seed", matches = "\\d+")
  void replaysOneSchedule() {
    String story;
    try (ProtocolSimulation simulation = ProtocolSimulation.onABroker(new Rules())) {
      story = simulation.replay(Long.getLong("simulation.seed"));
    }
    System.out.println(story);
    assertThat(story).endsWith("kept all promises");
  }

  @Test
  void oneSeedIsOneSchedule() {
    try (ProtocolSimulation once = ProtocolSimulation.onABroker(new Rules());
        ProtocolSimulation again = ProtocolSimulation.onABroker(new Rules())) {
      for (long seed = 0; seed < 50; seed++) {
        assertThat(again.replay(seed)).isEqualTo(once.replay(seed));
      }
    }
  }
}
