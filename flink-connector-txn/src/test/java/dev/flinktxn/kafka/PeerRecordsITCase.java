// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.KafkaProbe;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The same rows, written by one job through {@code txn-kafka} and through the official connector
 * that a table moves over from, are the same records byte for byte. What is meant to differ is in
 * docs/moving-over.md.
 */
class PeerRecordsITCase {

  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(4)
              .build());

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final EmbeddedKafka KAFKA = EmbeddedKafka.shared(2);
  private static final KafkaProbe PROBE = new KafkaProbe(KAFKA.bootstrapServers());

  private final String unique = UUID.randomUUID().toString();
  private final List<String> topics = new ArrayList<>();
  private StreamTableEnvironment session;
  private Sql sql;

  @BeforeEach
  void open() throws IOException {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    environment.enableCheckpointing(1_000);
    session = StreamTableEnvironment.create(environment);
    session.getConfig().set("table.local-time-zone", "Asia/Kolkata");
    sql = Sql.of(session).withOfficialConnector();
    PeerRows.declare(environment, session);
  }

  @AfterAll
  static void close() {
    PROBE.close();
  }

  @TestFactory
  Stream<DynamicTest> formats() throws Exception {
    return compare(Stream.of(PeerTables.formats()), 1);
  }

  @TestFactory
  Stream<DynamicTest> keysPartitionersAndMetadata() throws Exception {
    return compare(
        Stream.of(PeerTables.keys(), PeerTables.partitioners(), PeerTables.metadata()), 1);
  }

  @TestFactory
  Stream<DynamicTest> changelogs() throws Exception {
    return compare(Stream.of(PeerTables.changelogs()), 1);
  }

  @TestFactory
  Stream<DynamicTest> upsertsAndGuarantees() throws Exception {
    return compare(Stream.of(PeerTables.upserts(), PeerTables.guarantees()), 1);
  }

  @TestFactory
  Stream<DynamicTest> subtasks() throws Exception {
    return compare(Stream.of(PeerTables.subtasks()), 2);
  }

  /** Fills all tables by one job, which takes far less time than a job for each. */
  private Stream<DynamicTest> compare(Stream<Stream<PeerTable>> groups, int parallelism)
      throws Exception {
    session.getConfig().set("table.exec.resource.default-parallelism", String.valueOf(parallelism));
    StatementSet inserts = session.createStatementSet();
    Map<String, PeerTable> tables = new LinkedHashMap<>();
    groups
        .flatMap(group -> group)
        .forEach(table -> tables.put(unique + "." + tables.size(), table));
    tables.forEach(
        (topic, table) -> {
          add(inserts, table, ours(topic), table.options());
          add(inserts, table, peers(topic), table.peerOptions());
        });
    long start = System.currentTimeMillis();
    inserts.execute().await(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    List<ConsumerRecord<byte[], byte[]>> records = committed();
    return tables.entrySet().stream()
        .map(
            table ->
                DynamicTest.dynamicTest(
                    table.getValue().toString(),
                    () -> assertSame(table.getValue().view(), table.getKey(), records, start)));
  }

  private static String ours(String topic) {
    return topic + ".ours";
  }

  private static String peers(String topic) {
    return topic + ".peers";
  }

  private void add(
      StatementSet inserts, PeerTable table, String topic, Map<String, String> options) {
    createTopic(topic, 3);
    if (table.hasTwoTopics()) {
      createTopic(topic + ".more", 1);
    }
    Map<String, String> changes = new LinkedHashMap<>();
    changes.put("format", null);
    changes.put("topic", topic);
    changes.put("properties.bootstrap.servers", KAFKA.bootstrapServers());
    changes.put("sink.transactional-id-prefix", topic);
    changes.putAll(options);
    sql.declare(
        "`" + topic + "`",
        table.columns(),
        changes.entrySet().stream()
            .flatMap(change -> Stream.of(change.getKey(), change.getValue()))
            .map(part -> part == null ? null : part.replace("{topic}", topic))
            .toArray(String[]::new));
    inserts.addInsertSql("INSERT INTO `" + topic + "` " + table.query().replace("{topic}", topic));
  }

  private void createTopic(String topic, int partitions) {
    KAFKA.createTopic(topic, partitions);
    topics.add(topic);
  }

  private List<ConsumerRecord<byte[], byte[]>> committed() {
    for (String topic : topics) {
      // A broker answers a commit before it has written the markers that readers wait for.
      Await.until("markers in " + topic, LIMIT, () -> PROBE.isStable(topic));
    }
    return PROBE.records(topics, IsolationLevel.READ_COMMITTED);
  }

  private static void assertSame(
      PeerView view, String topic, List<ConsumerRecord<byte[], byte[]>> records, long start) {
    Map<String, List<String>> expected = view.of(records, peers(topic), start);
    assertThat(expected).as("records of the peer").isNotEmpty();
    assertThat(view.of(records, ours(topic), start)).isEqualTo(expected);
  }
}
