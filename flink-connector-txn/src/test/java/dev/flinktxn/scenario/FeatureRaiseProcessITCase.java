// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static dev.flinktxn.scenario.ProcessLab.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.KafkaFaults;
import dev.flinktxn.fixture.RelayFault;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * K7: brokers of transaction version 1, and its raise to 2 while a commit is outstanding. (The
 * brokers of the other scenarios are of version 2.)
 */
@Tag("full")
class FeatureRaiseProcessITCase {

  @RegisterExtension static final ProcessLab LAB = ProcessLab.withSlots(1);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> FIRST =
      List.of(row(1, "ant", 10), row(2, "bee", 20), row(3, "cat", 30));
  private static final List<String> SECOND = List.of(row(4, "dog", 40));
  private static final List<String> THIRD = List.of(row(5, "eel", 50));

  @Test
  void commitsAfterARestoreOnAVersion1BrokerAndGoesOnWhenItIsRaised() throws Exception {
    ProcessBroker broker = LAB.broker(BrokerSettings.usual().withTransactionVersion(1));
    Drip drip = LAB.drip();
    ProcessJob job = LAB.insertInto(broker, "old", 1).from(drip).start();
    RelayFault held = checkpointed(job, drip, FIRST);
    LAB.replaceTaskManager();
    held.discard();
    job.awaitRestored(1);
    job.awaitCommitted(FIRST);

    // Raised under an open transaction of a writer that stays.
    drip.drop(SECOND);
    broker.awaitWritten(job.topic(), 4, LIMIT);
    broker.raiseTransactionVersion();
    job.checkpoint();
    job.awaitCommitted(join(FIRST, SECOND));

    drip.drop(THIRD);
    broker.awaitWritten(job.topic(), 5, LIMIT);
    job.checkpoint();
    job.awaitCommitted(join(FIRST, SECOND, THIRD));
    assertThat(job.restarts()).isEqualTo(1);
  }

  @Test
  void commitsOnARaisedBrokerWhatWasPreparedOnAVersion1Broker() throws Exception {
    ProcessBroker broker = LAB.broker(BrokerSettings.usual().withTransactionVersion(1));
    Drip drip = LAB.drip();
    ProcessJob job = LAB.insertInto(broker, "raised", 1).from(drip).start();
    final RelayFault held = checkpointed(job, drip, FIRST);

    broker.raiseTransactionVersion();
    LAB.replaceTaskManager();
    held.discard();
    job.awaitRestored(1);
    job.awaitCommitted(FIRST);

    // And once more with the commit, which arrives, and a restore that meets it under version 2.
    RelayFault late = checkpointed(job, drip, SECOND);
    LAB.replaceTaskManager();
    late.release();
    job.awaitRestored(2);
    job.awaitCommitted(join(FIRST, SECOND));

    drip.drop(THIRD);
    broker.awaitWritten(job.topic(), 5, LIMIT);
    job.checkpoint();
    job.awaitCommitted(join(FIRST, SECOND, THIRD));
    assertThat(job.restarts()).isEqualTo(2);
  }

  /** Lets the job write {@code rows} and complete their checkpoint, and holds the commit. */
  private static RelayFault checkpointed(ProcessJob job, Drip drip, List<String> rows)
      throws Exception {
    ProcessBroker broker = job.broker();
    int before = broker.probe().uncommitted(job.topic()).size();
    RelayFault held = broker.faults().hold(KafkaFaults.commitsOf(job.prefix() + "~"), 1);
    drip.drop(rows);
    broker.awaitWritten(job.topic(), before + rows.size(), LIMIT);
    job.checkpoint();
    held.awaitHits(1, LIMIT);
    return held;
  }

  @SafeVarargs
  private static List<String> join(List<String>... parts) {
    return Stream.of(parts).flatMap(List::stream).toList();
  }
}
