// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
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
