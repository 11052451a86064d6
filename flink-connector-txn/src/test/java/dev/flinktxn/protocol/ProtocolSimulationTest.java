// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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

  /** Each case must have happened this often in every 100,000 schedules. */
  private static final long OFTEN_ENOUGH = 50;

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
    List<String> tooRare = new ArrayList<>();
    for (Cover cover : Cover.values()) {
      if (counts.of(cover) < OFTEN_ENOUGH * SCHEDULES / 100_000) {
        tooRare.add(cover + " happened " + counts.of(cover) + " times");
      }
    }
    assertThat(tooRare).isEmpty();
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
