// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.flinktxn.fixture.Fault;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Rows on their way from a dripping source through one INSERT into a destination. */
record Flow(Scenario scenario, Target target, String destination, String prefix, Drip drip) {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration PERIOD = Duration.ofMillis(50);

  /** The INSERT; start it as it is or change it first. */
  JobSpec job() {
    return new JobSpec(scenario, target, destination, prefix).from(drip);
  }

  void drop(Collection<String> rows) throws Exception {
    drip.drop(rows);
  }

  /** Waits until {@code count} rows are written, those of dead transactions included. */
  void awaitWritten(int count) {
    await()
        .atMost(LIMIT)
        .pollInterval(PERIOD)
        .untilAsserted(
            () -> assertThat(written()).as("rows written").isGreaterThanOrEqualTo(count));
  }

  /** How many rows are written, those of dead transactions included. */
  int written() {
    return target.written(destination, scenario.writersTo(destination));
  }

  /** Waits until exactly these rows are committed, in any order. */
  void awaitCommitted(Collection<String> expected) {
    await()
        .atMost(LIMIT)
        .pollInterval(PERIOD)
        .untilAsserted(() -> assertThat(committed()).containsExactlyInAnyOrderElementsOf(expected));
  }

  List<String> committed() {
    return target.committed(destination);
  }

  Set<String> openTransactions() {
    return target.open(prefix);
  }

  Set<String> transactionalIds() {
    return target.names(prefix);
  }

  /** Ends a job as a crash does: what its writers had open stays open in the target. */
  void crash(RunningJob job) throws Exception {
    Fault silence = target.swallowCleanUp(prefix, job.total("openTransactions"));
    job.cancel();
    target.awaitWritersGone();
    silence.discard();
  }
}
