// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;

/** Runs schedules one after the other and says which seed broke a promise. */
final class ProtocolSimulation {

  private final Rules rules;
  private final CoverCounts counts = new CoverCounts();
  private final CommitterMetrics metrics = new CommitterMetrics(new UnregisteredMetricsGroup());

  ProtocolSimulation(Rules rules) {
    this.rules = rules;
  }

  CoverCounts counts() {
    return counts;
  }

  /** Runs the schedule of {@code seed}. */
  void run(long seed) {
    run(seed, null);
  }

  /** Runs the schedule of {@code seed} and returns what happened. */
  String replay(long seed) {
    Trace trace = new Trace();
    try {
      run(seed, trace);
    } catch (AssertionError e) {
      trace.add(0, 0, e.toString());
    }
    return trace.toString();
  }

  private void run(long seed, Trace trace) {
    try {
      new World(seed, rules, counts, metrics, trace).run();
    } catch (RuntimeException | Error e) {
      AssertionError named =
          new AssertionError(
              "Schedule "
                  + seed
                  + ": "
                  + e.getMessage()
                  + " (replay: mvn test -Dtest=ProtocolSimulationTest -Dsimulation.seed="
                  + seed
                  + ")",
              e);
      throw named;
    }
  }
}
