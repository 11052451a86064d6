// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The same over a ledger, with the properties of {@link ProtocolSimulationTest}. */
class LedgerSimulationTest {

  private static final long SCHEDULES = Long.getLong("simulation.schedules", 60_000);
  private static final long FROM = Long.getLong("simulation.from", 0);
  private static final long FEW = 5_000;

  @Test
  @DisabledIfSystemProperty(named = "simulation.seed", matches = ".*")
  void keepsItsPromisesInEveryScheduleAndReachesEveryCase() {
    CoverCounts counts;
    try (ProtocolSimulation simulation = ProtocolSimulation.onALedger(new Rules())) {
      for (long seed = FROM; seed < FROM + SCHEDULES; seed++) {
        simulation.run(seed);
      }
      counts = simulation.counts();
    }
    assertThat(counts.tooRare(Cover.Only.LEDGER, SCHEDULES)).isEmpty();
    assertThat(counts.of(Cover.CHECKPOINT_COMPLETED)).isGreaterThan(2 * SCHEDULES);
    assertThat(counts.of(Cover.COMMITTED)).isGreaterThan(2 * SCHEDULES);
  }

  @Test
  @EnabledIfSystemProperty(named = "simulation.seed", matches = "\\d+")
  void replaysOneSchedule() {
    String story;
    try (ProtocolSimulation simulation = ProtocolSimulation.onALedger(new Rules())) {
      story = simulation.replay(Long.getLong("simulation.seed"));
    }
    System.out.println(story);
    assertThat(story).endsWith("kept all promises");
  }

  @Test
  @DisabledIfSystemProperty(named = "simulation.seed", matches = ".*")
  void unitsNeedNoNamesOfTheirOwn() {
    try (ProtocolSimulation simulation =
        ProtocolSimulation.onALedger(Mutation.REUSES_A_SLOT_WITHOUT_A_LOOK.rules())) {
      simulation.runAll(FEW, seed -> true);
      assertThat(simulation.counts().of(Cover.SLOT_BEGUN_AGAIN)).isGreaterThan(FEW);
    }
  }

  @Test
  void oneSeedIsOneSchedule() {
    try (ProtocolSimulation once = ProtocolSimulation.onALedger(new Rules());
        ProtocolSimulation again = ProtocolSimulation.onALedger(new Rules())) {
      for (long seed = 0; seed < 50; seed++) {
        assertThat(again.replay(seed)).isEqualTo(once.replay(seed));
      }
    }
  }
}
