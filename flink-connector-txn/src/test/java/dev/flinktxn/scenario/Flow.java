// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import dev.flinktxn.fixture.RelayFault;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Rows on their way from a dripping source through one INSERT into a topic. */
record Flow(Scenario scenario, String topic, String prefix, Drip drip) {

  /** The INSERT; start it as it is or change it first. */
  JobSpec job() {
    return scenario.insertInto(topic, prefix).from(drip);
  }

  void drop(Collection<String> rows) throws Exception {
    drip.drop(rows);
  }

  /** Waits until {@code count} records are in the log, those of dead transactions included. */
  void awaitWritten(int count) {
    scenario.kafka().awaitWritten(topic, count);
  }

  /** How many records are in the log. */
  int written() {
    return scenario.kafka().probe().uncommitted(topic).size();
  }

  void awaitCommitted(Collection<String> expected) {
    scenario.kafka().awaitCommitted(topic, expected);
  }

  List<String> committed() {
    return scenario.kafka().committed(topic);
  }

  Set<String> openTransactions() {
    return scenario.kafka().openTransactions(SinkUnderTest.idsOf(prefix));
  }

  Set<String> transactionalIds() {
    return scenario.kafka().transactionalIds(SinkUnderTest.idsOf(prefix));
  }

  /** Ends a job as a crash does: what its writers had open stays open on the broker. */
  void crash(RunningJob job) throws Exception {
    RelayFault silence = scenario.broker().swallowAborts(SinkUnderTest.idsOf(prefix));
    job.cancel();
    scenario.threads().awaitNone();
    silence.discard();
  }
}
