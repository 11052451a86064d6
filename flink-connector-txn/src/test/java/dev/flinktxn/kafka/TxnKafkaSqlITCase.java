// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.flinktxn.fixture.SqlPlanner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounded INSERTs of SQL into a real broker, and what a reader of committed records sees. */
class TxnKafkaSqlITCase {

  private static final String THREE_ROWS =
      "INSERT INTO orders VALUES (1, 'a'), (2, 'b'), (3, CAST(NULL AS STRING))";
  private static final String[] THREE_RECORDS = {
    "{\"id\":1,\"name\":\"a\"}", "{\"id\":2,\"name\":\"b\"}", "{\"id\":3,\"name\":null}"
  };

  private final EmbeddedKafka kafka = EmbeddedKafka.shared(2);
  private String topic;
  private String other;

  @BeforeEach
  void createTopics() {
    topic = "orders-" + UUID.randomUUID();
    other = "audit-" + UUID.randomUUID();
    kafka.createTopic(topic, 3);
    kafka.createTopic(other, 1);
  }

  private String[] options(String... more) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "topic", topic,
                "properties.bootstrap.servers", kafka.bootstrapServers(),
                "sink.transactional-id-prefix", topic));
    options.addAll(Arrays.asList(more));
    return options.toArray(String[]::new);
  }

  private static void run(Sql sql, String statement) throws Exception {
    sql.tables().executeSql(statement).await(60, TimeUnit.SECONDS);
  }

  private List<ConsumerRecord<byte[], byte[]>> committed(String name) {
    // The broker accepts a commit before its markers, which make it visible, are written.
    await().atMost(Duration.ofSeconds(10)).untilAsserted(this::assertNothingOpen);
    Map<String, Object> properties =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            kafka.bootstrapServers(),
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ByteArrayDeserializer.class,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
            ByteArrayDeserializer.class);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(name).stream()
              .map(partition -> new TopicPartition(name, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        assertThat(System.nanoTime()).as("reading took too long").isLessThan(deadline);
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, UTF_8);
  }

  private List<String> values(String name) {
    return committed(name).stream().map(record -> text(record.value())).toList();
  }

  private void assertNothingOpen() throws Exception {
    assertThat(
            kafka.admin().listTransactions().all().get().stream()
                .filter(listing -> listing.transactionalId().startsWith(topic))
                .map(TransactionListing::state)
                .map(Object::toString))
        .doesNotContain("Ongoing", "PrepareCommit", "PrepareAbort");
  }

  @Test
  void aBoundedStreamingInsertCommitsItsLastRows() throws Exception {
    Sql sql = Sql.streaming("execution.checkpointing.interval", "10 min").table(options());
    run(sql, THREE_ROWS);
    assertThat(values(topic)).containsExactlyInAnyOrder(THREE_RECORDS);
    assertNothingOpen();
  }

  @Test
  void aBoundedInsertCommitsWithoutCheckpoints() throws Exception {
    run(Sql.withoutCheckpoints().table(options()), THREE_ROWS);
    assertThat(values(topic)).containsExactlyInAnyOrder(THREE_RECORDS);
    assertNothingOpen();
  }

  @Test
  void aBatchInsertCommits() throws Exception {
    run(Sql.batch().table(options()), THREE_ROWS);
    assertThat(values(topic)).containsExactlyInAnyOrder(THREE_RECORDS);
    assertNothingOpen();
  }

  @Test
  void anInsertOfNothingWritesNothing() throws Exception {
    run(
        Sql.streaming("execution.checkpointing.interval", "10 min").table(options()),
        "INSERT INTO orders SELECT * FROM ending WHERE FALSE");
    assertThat(values(topic)).isEmpty();
    assertNothingOpen();
  }

  @ParameterizedTest
  @ValueSource(strings = {"at-least-once", "none"})
  void otherGuaranteesWriteWithoutTransactions(String guarantee) throws Exception {
    run(
        Sql.streaming("execution.checkpointing.interval", "10 min")
            .table(options("sink.delivery-guarantee", guarantee)),
        THREE_ROWS);
    assertThat(values(topic)).containsExactlyInAnyOrder(THREE_RECORDS);
    assertThat(kafka.admin().listTransactions().all().get())
        .noneMatch(listing -> listing.transactionalId().startsWith(topic));
  }

  @Test
  void writesKeysHeadersTimestampsAndSeveralTopics() throws Exception {
    Sql sql =
        Sql.streaming("execution.checkpointing.interval", "10 min")
            .declare(
                "orders",
                "k_id BIGINT, name STRING, `to` STRING NOT NULL METADATA FROM 'topic',"
                    + " headers MAP<STRING, BYTES> METADATA,"
                    + " moment TIMESTAMP_LTZ(3) METADATA FROM 'timestamp'",
                options(
                    "topic", topic + ";" + other,
                    "format", null,
                    "value.format", "json",
                    "key.format", "json",
                    "key.fields", "k_id",
                    "key.fields-prefix", "k_",
                    "value.fields-include", "EXCEPT_KEY",
                    "sink.partitioner", "fixed"));
    sql.tables().getConfig().set("table.local-time-zone", "UTC");
    run(
        sql,
        "INSERT INTO orders SELECT 1, 'a', '"
            + topic
            + "', MAP['h', ENCODE('x', 'UTF-8')], TO_TIMESTAMP_LTZ(1700000000123, 3)"
            + " UNION ALL SELECT 2, 'b', '"
            + other
            + "', CAST(NULL AS MAP<STRING, BYTES>), CAST(NULL AS TIMESTAMP_LTZ(3))");

    assertThat(committed(topic))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(text(record.key())).isEqualTo("{\"id\":1}");
              assertThat(text(record.value())).isEqualTo("{\"name\":\"a\"}");
              assertThat(record.timestamp()).isEqualTo(1_700_000_000_123L);
              assertThat(text(record.headers().lastHeader("h").value())).isEqualTo("x");
            });
    assertThat(committed(other))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(text(record.key())).isEqualTo("{\"id\":2}");
              assertThat(text(record.value())).isEqualTo("{\"name\":\"b\"}");
              assertThat(record.timestamp()).isGreaterThan(1_700_000_000_123L);
              assertThat(record.headers()).isEmpty();
            });
  }

  @Test
  void twoInsertsIntoOneTableCommitInOneJob() throws Exception {
    // Not 10 min: when one of the two pipelines ends while Flink triggers the checkpoint that
    // follows
    // the end of all data, that checkpoint is declined, and the next one comes an interval later.
    Sql sql = Sql.streaming("execution.checkpointing.interval", "1 s").table(options());
    sql.tables()
        .createStatementSet()
        .addInsertSql(THREE_ROWS)
        .addInsertSql(
            "INSERT INTO orders /*+ OPTIONS('sink.transactional-id-prefix' = '"
                + topic
                + "-2') */ VALUES (4, 'd')")
        .execute()
        .await(60, TimeUnit.SECONDS);
    assertThat(values(topic))
        .hasSize(4)
        .contains(THREE_RECORDS)
        .contains("{\"id\":4,\"name\":\"d\"}");
    assertNothingOpen();
  }

  @Test
  void aSessionInsertsAgainUnderTheSamePrefix() throws Exception {
    Sql sql = Sql.streaming("execution.checkpointing.interval", "10 min").table(options());
    run(sql, THREE_ROWS);
    run(sql, "INSERT INTO orders VALUES (4, 'd')");
    assertThat(values(topic)).hasSize(4);
    assertNothingOpen();
  }

  @Test
  void writesChanges() throws Exception {
    run(
        Sql.streaming("execution.checkpointing.interval", "10 min")
            .table(options("format", "debezium-json")),
        "INSERT INTO orders SELECT id, MAX(name)"
            + " FROM (VALUES (1, 'a'), (1, 'b')) AS t (id, name) GROUP BY id");
    assertThat(values(topic))
        .containsExactlyInAnyOrder(
            "{\"before\":null,\"after\":{\"id\":1,\"name\":\"a\"},\"op\":\"c\"}",
            "{\"before\":{\"id\":1,\"name\":\"a\"},\"after\":null,\"op\":\"d\"}",
            "{\"before\":null,\"after\":{\"id\":1,\"name\":\"b\"},\"op\":\"c\"}");
  }

  @Test
  void theOfficialConnectorReadsWhatWasCommitted() throws Exception {
    Sql sql =
        Sql.streaming()
            .withOfficialConnector()
            .table(
                options(
                    "scan.startup.mode", "earliest-offset",
                    "scan.bounded.mode", "latest-offset"));
    run(sql, THREE_ROWS);
    List<Row> rows = new ArrayList<>();
    try (CloseableIterator<Row> read =
        sql.tables().executeSql("SELECT id, name FROM orders").collect()) {
      read.forEachRemaining(rows::add);
    }
    assertThat(rows).containsExactlyInAnyOrder(Row.of(1L, "a"), Row.of(2L, "b"), Row.of(3L, null));
  }

  @Test
  void theOfficialConnectorReadsWhatWasUpserted() throws Exception {
    Sql sql =
        Sql.streaming()
            .withOfficialConnector()
            .declare(
                "orders",
                "id BIGINT PRIMARY KEY NOT ENFORCED, name STRING",
                options(
                    "key.format", "json",
                    "key.fields", "id",
                    "json.encode.ignore-null-fields", "true",
                    "scan.bounded.mode", "latest-offset"));
    run(sql, SqlPlanner.byKey("INSERT INTO orders VALUES (1, 'a'), (2, 'b')"));
    run(sql, SqlPlanner.byKey("INSERT INTO orders VALUES (1, CAST(NULL AS STRING))"));
    List<Row> changes = new ArrayList<>();
    try (CloseableIterator<Row> read =
        sql.tables().executeSql("SELECT id, name FROM orders").collect()) {
      read.forEachRemaining(changes::add);
    }
    assertThat(changes)
        .containsExactlyInAnyOrder(
            Row.ofKind(RowKind.INSERT, 1L, "a"),
            Row.ofKind(RowKind.UPDATE_BEFORE, 1L, "a"),
            Row.ofKind(RowKind.UPDATE_AFTER, 1L, null),
            Row.ofKind(RowKind.INSERT, 2L, "b"));
  }
}
