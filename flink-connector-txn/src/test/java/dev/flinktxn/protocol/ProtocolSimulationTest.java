// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import org.junit.jupiter.api.Test;

class ProtocolSimulationTest {

  @Test
  void keepsItsPromisesInEverySchedule() {
    ProtocolSimulation simulation = new ProtocolSimulation(new Rules());
    Long seed = Long.getLong("simulation.seed");
    if (seed != null) {
      System.out.println(simulation.replay(seed));
      return;
    }
    long schedules = Long.getLong("simulation.schedules", 100_000);
    long started = System.nanoTime();
    for (long i = 0; i < schedules; i++) {
      simulation.run(i);
    }
    System.out.println((System.nanoTime() - started) / 1_000_000 + " ms\n" + simulation.counts());
  }
}
