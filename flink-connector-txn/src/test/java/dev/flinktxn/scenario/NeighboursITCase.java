// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clean-up after a crash aborts what is the job's own, and nothing of those with similar names. */
@ExtendWith(ScenarioExtension.class)
class NeighboursITCase {

  @ParameterizedTest
  @EnumSource(names = {"TV1", "TV2"})
  void aRestartOfOrdersLeavesItsNeighboursAlone(TargetKind kind, Scenario scenario)
      throws Exception {
    String topic = scenario.on(kind).destination("all", 3);
    Flow orders = flow(scenario, topic, "orders");
    Map<Flow, RunningJob> neighbours = new LinkedHashMap<>();
    int written = 0;
    for (String name : List.of("orders-eu", "orders2")) {
      Flow neighbour = flow(scenario, topic, name);
      neighbour.drop(rows(name));
      neighbours.put(neighbour, neighbour.job().parallelism(2).start());
      orders.awaitWritten(written += 2);
    }
    String foreignId = scenario.prefix("orders-service-a");
    try (KafkaProducer<String, String> foreign = producer(scenario, foreignId)) {
      foreign.initTransactions();
      foreign.beginTransaction();
      foreign.send(new ProducerRecord<>(topic, rows("foreign").get(0))).get();
      orders.drop(rows("orders"));
      RunningJob crashed = orders.job().parallelism(2).start();
      orders.awaitWritten(written += 3);
      orders.crash(crashed);
      assertThat(orders.openTransactions()).as("orphans").isNotEmpty();

      RunningJob restarted = orders.job().start();
      orders.awaitWritten(written + 2);
      restarted.checkpoint();
      scenario.kafka().awaitNoOpenTransactions(SinkUnderTest.idsOf(orders.prefix()));

      neighbours.keySet().forEach(n -> assertThat(n.openTransactions()).isNotEmpty());
      assertThat(scenario.kafka().openTransactions(foreignId::equals)).hasSize(1);
      foreign.commitTransaction();
      restarted.stopWithSavepoint();
    }
    for (RunningJob job : neighbours.values()) {
      job.stopWithSavepoint();
    }

    assertThat(orders.committed())
        .containsExactlyInAnyOrderElementsOf(
            Rows.all(
                rows("orders"), rows("orders-eu"), rows("orders2"), rows("foreign").subList(0, 1)));
  }

  @Test
  void aRestartOfOrdersLeavesTheStagingTablesOfItsNeighboursAlone(Scenario scenario)
      throws Exception {
    String table = scenario.on(TargetKind.PG_STAGED).destination("all", 1);
    Flow orders = flow(scenario, table, "orders");
    Map<Flow, RunningJob> neighbours = new LinkedHashMap<>();
    int written = 0;
    for (String name : List.of("orders-eu", "orders2", "Orders")) {
      Flow neighbour = flow(scenario, table, name);
      neighbour.drop(rows(name));
      neighbours.put(neighbour, neighbour.job().start());
      orders.awaitWritten(written += 2);
    }
    // Under the very prefix, but not by this sink: no name of a transaction.
    PostgresTables database = scenario.postgres();
    database.execute(
        "CREATE TABLE flink_txn.staged_by_hand (id int);"
            + " INSERT INTO flink_txn.staging (id, prefix, transaction, table_name)"
            + " VALUES (gen_random_uuid(), '%1$s', '%1$s~by-hand', 'staged_by_hand')"
                .formatted(orders.prefix()));
    orders.drop(rows("orders"));
    RunningJob crashed = orders.job().parallelism(2).start();
    orders.awaitWritten(written += 2);
    orders.crash(crashed);
    Set<String> foreign = Set.of(orders.prefix() + "~by-hand");
    assertThat(orders.openTransactions()).as("orphans").hasSizeGreaterThan(1).containsAll(foreign);

    RunningJob restarted = orders.job().start();
    orders.awaitWritten(written + 2);
    restarted.checkpoint();
    orders.awaitCommitted(rows("orders"));

    assertThat(orders.openTransactions()).isEqualTo(foreign);
    neighbours.keySet().forEach(n -> assertThat(n.openTransactions()).hasSize(1));
    assertThat(database.stagingTables()).hasSize(neighbours.size() + 1).contains("staged_by_hand");
    restarted.stopWithSavepoint();
    for (RunningJob job : neighbours.values()) {
      job.stopWithSavepoint();
    }
    database.execute(
        "DROP TABLE flink_txn.staged_by_hand;"
            + " DELETE FROM flink_txn.staging WHERE table_name = 'staged_by_hand'");
    assertThat(orders.committed())
        .containsExactlyInAnyOrderElementsOf(
            Rows.all(rows("orders"), rows("orders-eu"), rows("orders2"), rows("Orders")));
  }

  private static Flow flow(Scenario scenario, String topic, String name) throws Exception {
    return scenario.flow(topic, scenario.prefix(name));
  }

  private static List<String> rows(String owner) {
    return List.of(Rows.row(1, owner, 1), Rows.row(2, owner, 2));
  }

  private static KafkaProducer<String, String> producer(Scenario scenario, String id) {
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            scenario.broker().bootstrapServersForJobs(),
            "transactional.id",
            id);
    KafkaProducer<String, String> producer =
        new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
    scenario.threads().ignorePresent();
    return producer;
  }
}
