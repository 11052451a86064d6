// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static dev.flinktxn.scenario.ProcessLab.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.KafkaRequest;
import dev.flinktxn.fixture.RelayFault;
import dev.flinktxn.fixture.TaskManagerProcess;
import dev.flinktxn.protocol.SinkSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A18: a TaskManager stops before its first barrier, is taken for dead, and wakes up when its
 * successor has long completed checkpoints.
 */
@Tag("full")
class ZombieProcessITCase {

  @RegisterExtension static final ProcessLab LAB = ProcessLab.withSlots(1);

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Two clean-up periods, and time for what they start. */
  private static final Duration CLEAN = SinkSettings.CLEANUP_PERIOD.multipliedBy(2).plusSeconds(30);

  private static final int ROWS = 600;
  private static final int ROWS_PER_SECOND = 20;

  @Test
  void aZombieWithAnOpenTransactionNeitherAddsNorRemovesRows() throws Exception {
    ProcessBroker broker = LAB.broker();
    Drip drip = LAB.drip();
    ProcessJob job =
        LAB.insertInto(broker, "zombie", 1).fromSequence(ROWS, ROWS_PER_SECOND).from(drip).start();
    broker.awaitWritten(job.topic(), 1, LIMIT);
    final Set<String> zombies = broker.unfinished(job.prefix()).keySet();
    assertThat(zombies).hasSize(1);

    TaskManagerProcess zombie = LAB.liveTaskManagers().get(0);
    zombie.pause();
    try {
      succeed(job);
      job.checkpoint();
      Await.until("commits of the successor", LIMIT, () -> !job.committed().isEmpty());
      assertThat(broker.unfinished(job.prefix())).doesNotContainKeys(first(zombies));

      zombie.resume();
      assertEndsClean(job, drip);
      assertThat(job.restarts() - 1).as("restarts for the zombie").isBetween(0, 1);
    } finally {
      zombie.kill();
    }
  }

  /**
   * The task of a real zombie is cancelled soon after it wakes up, so what its producer may send
   * before that is sent from here, under the id that it was about to begin.
   */
  @Test
  void whatAZombieBeginsAfterTheCleanUpIsCleanedUpAtTheCostOfOneRestart() throws Exception {
    ProcessBroker broker = LAB.broker();
    Drip drip = LAB.drip();
    ProcessInsert insert =
        LAB.insertInto(broker, "late-zombie", 1).fromSequence(ROWS, ROWS_PER_SECOND).from(drip);
    RelayFault begin =
        broker
            .faults()
            .hold(
                request ->
                    request.apiKey() == KafkaRequest.INIT_PRODUCER_ID
                        && request.transactionalId().orElse("").startsWith(insert.prefix() + "~"),
                1);
    final ProcessJob job = insert.start();
    begin.awaitHits(1, LIMIT);
    String id =
        broker.faults().seen().stream()
            .filter(request -> request.apiKey() == KafkaRequest.INIT_PRODUCER_ID)
            .flatMap(request -> request.transactionalId().stream())
            .filter(name -> name.startsWith(insert.prefix() + "~"))
            .findFirst()
            .orElseThrow();

    TaskManagerProcess zombie = LAB.liveTaskManagers().get(0);
    zombie.pause();
    // The timeout is the sink's: with Kafka's default of one minute the broker may be there first.
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            broker.process().bootstrapServers(),
            "transactional.id",
            id,
            "transaction.timeout.ms",
            900_000);
    try (var producer =
        new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
      succeed(job);
      job.checkpoint();
      Await.until("commits of the successor", LIMIT, () -> !job.committed().isEmpty());
      // The producer of the zombie would ask again as it wakes, and so abort what is begun here.
      broker
          .faults()
          .cutBefore(
              request ->
                  request.apiKey() == KafkaRequest.INIT_PRODUCER_ID
                      && request.transactionalId().equals(Optional.of(id)),
              Integer.MAX_VALUE);
      begin.discard();

      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(job.topic(), row(0, "zombie", 0)));
      producer.flush();
      assertThat(broker.unfinished(job.prefix())).containsKey(id);
      zombie.resume();

      assertEndsClean(job, drip);
      assertThat(job.restarts() - 1).as("restarts for the zombie").isEqualTo(1);
      assertThat(job.newestException())
          .get()
          .asString()
          .contains(id, "was begun by an older writer", "sink.transactional-id-prefix");
    } finally {
      zombie.kill();
    }
  }

  /** Starts the TaskManager that takes over, and returns when it runs the job. */
  private static void succeed(ProcessJob job) {
    LAB.cluster().startTaskManager();
    Await.until("the job moves", LIMIT, () -> job.restarts() == 1);
    LAB.cluster().awaitRunning(job.id(), LIMIT);
    job.broker().awaitWritten(job.topic(), 2, LIMIT);
  }

  /** Lets the job go on for two clean-up periods and more. */
  private static void assertEndsClean(ProcessJob job, Drip drip) throws Exception {
    ProcessBroker broker = job.broker();
    List<String> expected = new ArrayList<>(ProcessLab.sequence(ROWS));
    Await.until(
        "all rows of the sequence",
        LIMIT.multipliedBy(2),
        () -> {
          job.checkpoint();
          return job.committed().size() >= ROWS;
        });
    Await.until(
        "no orphan",
        CLEAN,
        () -> {
          job.checkpoint();
          return broker.unfinished(job.prefix()).isEmpty();
        });
    expected.add(row(ROWS + 1, "last", 1));
    drip.drop(List.of(row(ROWS + 1, "last", 1)));
    Await.until(
        "the last row",
        LIMIT,
        () -> {
          job.checkpoint();
          return job.committed().size() > ROWS;
        });
    job.awaitCommitted(expected);
  }

  private static String first(Set<String> ids) {
    return ids.iterator().next();
  }
}
