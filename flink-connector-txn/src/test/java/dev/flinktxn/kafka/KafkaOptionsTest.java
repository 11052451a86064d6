// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.Column;
import org.junit.jupiter.api.Test;

/** Every option with its default and with another value. */
class KafkaOptionsTest {

  private static final Column ID = Column.physical("id", DataTypes.BIGINT());

  private static KafkaTarget target(String... options) {
    return TableContexts.target(Sql.options(options), List.of(), ID);
  }

  private static KafkaSinkAdapter adapter(String... options) {
    return new TxnKafkaTableFactory()
        .adapter(
            TableContexts.table(Sql.options(options), KafkaOptionsTest.class.getClassLoader(), ID));
  }

  private static Set<String> keys(Set<ConfigOption<?>> options) {
    return options.stream().map(ConfigOption::key).collect(Collectors.toSet());
  }

  @Test
  void declaresExactlyTheseOptions() {
    TxnKafkaTableFactory factory = new TxnKafkaTableFactory();
    assertThat(keys(factory.requiredOptions()))
        .containsExactlyInAnyOrder("properties.bootstrap.servers");
    assertThat(keys(factory.optionalOptions()))
        .containsExactlyInAnyOrder(
            "topic",
            "topic-pattern",
            "properties.group.id",
            "format",
            "value.format",
            "key.format",
            "key.fields",
            "key.fields-prefix",
            "value.fields-include",
            "scan.startup.mode",
            "scan.startup.specific-offsets",
            "scan.startup.timestamp-millis",
            "scan.bounded.mode",
            "scan.bounded.specific-offsets",
            "scan.bounded.timestamp-millis",
            "scan.topic-partition-discovery.interval",
            "scan.parallelism",
            "sink.partitioner",
            "sink.buffer-flush.max-rows",
            "sink.buffer-flush.interval",
            "sink.delivery-guarantee",
            "sink.transactional-id-prefix",
            "sink.transaction-timeout",
            "sink.idempotent-upsert",
            "sink.on-lost-transaction",
            "sink.parallelism");
  }

  @Test
  void everyOptionIsDescribed() {
    TxnKafkaTableFactory factory = new TxnKafkaTableFactory();
    assertThat(
            Stream.of(factory.requiredOptions(), factory.optionalOptions())
                .flatMap(Set::stream)
                .filter(option -> new HtmlFormatter().format(option.description()).isBlank())
                .map(ConfigOption::key))
        .isEmpty();
  }

  @Test
  void whatChangesAtRestoreIsForwarded() {
    TxnKafkaTableFactory factory = new TxnKafkaTableFactory();
    assertThat(keys(factory.forwardOptions()))
        .contains(
            "topic",
            "topic-pattern",
            "properties.bootstrap.servers",
            "properties.group.id",
            "sink.partitioner",
            "sink.parallelism",
            "sink.transaction-timeout",
            "sink.on-lost-transaction",
            "scan.startup.mode",
            "scan.parallelism")
        .doesNotContain(
            "sink.transactional-id-prefix",
            "sink.delivery-guarantee",
            "format",
            "value.format",
            "key.format",
            "key.fields");
  }

  @Test
  void defaultsOfTheTarget() {
    KafkaTarget target = target();
    assertThat(target.table()).isEqualTo("c.d.orders");
    assertThat(target.topics()).containsExactly("orders");
    assertThat(target.topicPattern()).isNull();
    assertThat(target.properties()).isEqualTo(Map.of("bootstrap.servers", "127.0.0.1:1"));
    assertThat(target.transactionTimeout()).isNull();
    assertThat(target.prefix()).isEqualTo("orders");
    assertThat(target.checkpointInterval()).isNull();
  }

  @Test
  void otherValuesOfTheTarget() {
    KafkaTarget target =
        target(
            "properties.bootstrap.servers", "a:1,b:2",
            "properties.linger.ms", "7",
            "sink.transaction-timeout", "9 min",
            "sink.transactional-id-prefix", "mine");
    assertThat(target.properties())
        .isEqualTo(Map.of("bootstrap.servers", "a:1,b:2", "linger.ms", "7"));
    assertThat(target.transactionTimeout()).isEqualTo(Duration.ofMinutes(9));
    assertThat(target.prefix()).isEqualTo("mine");
  }

  @Test
  void theProducersNameOfTheTimeoutIsUnderstood() {
    KafkaTarget target = target("properties.transaction.timeout.ms", "90000");
    assertThat(target.transactionTimeout()).isEqualTo(Duration.ofSeconds(90));
    assertThat(target.properties()).containsOnlyKeys("bootstrap.servers");
  }

  @Test
  void topicsCanBeListedOrDescribed() {
    assertThat(adapter("topic", "a;b").topics().names()).containsExactly("a", "b");
    assertThat(adapter().topics().several()).isFalse();
    Topics described = adapter("topic", null, "topic-pattern", "a.*").topics();
    assertThat(described.names()).isNull();
    assertThat(described.pattern().pattern()).isEqualTo("a.*");
    assertThat(described.several()).isTrue();
  }

  @Test
  void partitionersByName() {
    assertThat(adapter().partitioner()).isNull();
    assertThat(adapter("sink.partitioner", "default").partitioner()).isNull();
    assertThat(adapter("sink.partitioner", "fixed").partitioner())
        .isInstanceOf(FixedPartitioner.class);
    assertThat(adapter("sink.partitioner", "round-robin").partitioner())
        .isInstanceOf(RoundRobinPartitioner.class);
  }

  @Test
  void aRegistrysSubjectIsTheTopicUnlessSaidOtherwise() {
    Map<String, String> options =
        new HashMap<>(
            Sql.options(
                "format", null,
                "value.format", "avro-confluent",
                "key.format", "avro-confluent",
                "key.avro-confluent.subject", "mine"));
    Map<String, String> completed =
        RegistrySubject.complete(
                TableContexts.table(options, KafkaOptionsTest.class.getClassLoader(), ID))
            .getCatalogTable()
            .getOptions();
    options.put("value.avro-confluent.schema-registry.subject", "orders-value");
    assertThat(completed).isEqualTo(options);
  }

  @Test
  void theSummaryNamesTheTopicOnly() {
    String[] secret = {"properties.sasl.jaas.config", "s3cr3t"};
    assertThat(adapter(secret).summary()).isEqualTo("Kafka topic 'orders'");
    assertThat(adapter(secret).toString()).doesNotContain("s3cr3t");
    assertThat(target(secret).toString()).doesNotContain("s3cr3t");
    assertThat(target(secret).properties()).containsEntry("sasl.jaas.config", "s3cr3t");
  }
}
