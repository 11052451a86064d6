// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;

/**
 * Runs schedules of the protocol against the {@link InMemorySystem} or the {@link
 * InMemoryDatabase}, each named by its seed, and says which seed broke a promise. One thread, no
 * sleeping: a seed is one schedule for ever, as long as the simulation itself is unchanged. What
 * the protocol logs of simulated faults is switched off until the simulation is closed.
 */
public final class ProtocolSimulation implements AutoCloseable {

  private static final String LOGGER = "dev.flinktxn.protocol";

  private final Function<World, SimulatedSystem> systems;
  private final String test;
  private final Rules rules;
  private final CoverCounts counts = new CoverCounts();
  private final CommitterMetrics metrics = new CommitterMetrics(new UnregisteredMetricsGroup());

  private final Level levelBefore = LogManager.getLogger(LOGGER).getLevel();

  private ProtocolSimulation(Function<World, SimulatedSystem> systems, String test, Rules rules) {
    this.systems = systems;
    this.test = test;
    this.rules = rules;
    Configurator.setLevel(LOGGER, Level.OFF);
  }

  /** The protocol over transactions on a broker. */
  static ProtocolSimulation onABroker(Rules rules) {
    return new ProtocolSimulation(SimulatedBroker::new, "ProtocolSimulationTest", rules);
  }

  /** The protocol over a ledger in a database. */
  static ProtocolSimulation onALedger(Rules rules) {
    return new ProtocolSimulation(SimulatedDatabase::new, "LedgerSimulationTest", rules);
  }

  /** A simulation of the unchanged protocol over an adapter's own reading of the evidence. */
  public static ProtocolSimulation reading(EvidenceReading reading) {
    return onABroker(
        new Rules() {
          @Override
          EvidenceReading evidence() {
            return reading;
          }
        });
  }

  @Override
  public void close() {
    Configurator.setLevel(LOGGER, levelBefore);
  }

  CoverCounts counts() {
    return counts;
  }

  /**
   * Runs the schedule of {@code seed}.
   *
   * @throws AssertionError naming the seed, if a promise was broken
   */
  public void run(long seed) {
    run(seed, null);
  }

  /**
   * Runs the schedule of {@code seed} unless strangers initialise our ids in it: on TV2 an id that
   * was initialised after its commit looks like one that was fenced while it was open.
   */
  public void runUnlessStrangersInitialise(long seed) {
    if (!Scenario.draw(new SplittableRandom(seed)).has(Fault.STRANGER_INITIALISES)) {
      run(seed);
    }
  }

  /** Runs the first {@code schedules} schedules whose seeds satisfy {@code condition}. */
  void runAll(long schedules, LongPredicate condition) {
    long seed = 0;
    for (long ran = 0; ran < schedules; seed++) {
      if (condition.test(seed)) {
        run(seed);
        ran++;
      }
    }
  }

  /** Runs the schedule of {@code seed} and tells what happened, the violation last. */
  String replay(long seed) {
    Trace trace = new Trace();
    try {
      run(seed, trace);
    } catch (AssertionError e) {
      trace.end("BROKEN " + e.getMessage());
      return trace.toString();
    }
    trace.end("kept all promises");
    return trace.toString();
  }

  private void run(long seed, Trace trace) {
    try {
      new World(seed, systems, rules, counts, metrics, trace).run();
    } catch (RuntimeException | Violation e) {
      throw new AssertionError(
          "Schedule "
              + seed
              + ": "
              + e.getMessage()
              + ". Replay: mvn -pl flink-connector-txn test -Dtest="
              + test
              + " -Dsimulation.seed="
              + seed,
          e);
    }
  }
}
