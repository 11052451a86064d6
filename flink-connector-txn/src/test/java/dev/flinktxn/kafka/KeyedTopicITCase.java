// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.flinktxn.fixture.KafkaProbe;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changelogs into topics of tables with a PRIMARY KEY, on a real broker. */
final class KeyedTopicITCase {

  private static final String WORDS = "(VALUES ('a'), ('b'), ('a'), ('b')) AS words (word)";

  /** How records get into the topic. */
  enum Way {
    TRANSACTIONS(),
    FOLDED("sink.buffer-flush.max-rows", "1000"),
    FOLDED_IN_PAIRS("sink.buffer-flush.max-rows", "2", "sink.buffer-flush.interval", "1 s"),
    IDEMPOTENT("sink.idempotent-upsert", "always"),
    IDEMPOTENT_FOLDED("sink.idempotent-upsert", "always", "sink.buffer-flush.interval", "10 s"),
    AT_LEAST_ONCE("sink.delivery-guarantee", "at-least-once");

    private final String[] options;

    Way(String... options) {
      this.options = options;
    }
  }

  private final EmbeddedKafka kafka = EmbeddedKafka.shared(2);
  private final KafkaProbe probe = new KafkaProbe(kafka.bootstrapServers());
  private final String topic = "keyed-" + UUID.randomUUID();

  @BeforeEach
  void create() {
    kafka.createTopic(topic, 6);
  }

  @AfterEach
  void close() {
    probe.close();
  }

  private Sql session(String columns, String... options) {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    environment.setParallelism(1).enableCheckpointing(600_000);
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    tables.getConfig().set("table.local-time-zone", "UTC");
    return declare(Sql.of(tables), columns, options);
  }

  private Sql declare(Sql session, String columns, String... options) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("topic", topic);
    all.put("properties.bootstrap.servers", kafka.bootstrapServers());
    all.put("sink.transactional-id-prefix", topic);
    all.put("key.format", "json");
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return session.declare(
        "orders",
        columns,
        all.entrySet().stream()
            .flatMap(option -> List.of(option.getKey(), option.getValue()).stream())
            .toArray(String[]::new));
  }

  private static void run(Sql session, String insert) throws Exception {
    session.tables().executeSql(insert).await(60, TimeUnit.SECONDS);
  }

  /** The committed records, once readers see all of them. */
  private List<ConsumerRecord<byte[], byte[]>> records() {
    await().atMost(Duration.ofSeconds(10)).until(() -> probe.isStable(topic));
    return probe.records(topic, IsolationLevel.READ_COMMITTED);
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, UTF_8);
  }

  /** The last value of each key. */
  private Map<String, String> compacted() {
    Map<String, String> last = new HashMap<>();
    records().forEach(record -> last.put(text(record.key()), text(record.value())));
    return last;
  }

  /** K1. */
  @Test
  void recordsHaveTheKeyTheValueAndTheMetadataOfTheirRow() throws Exception {
    recordsOf("ALL");
    List<ConsumerRecord<byte[], byte[]>> all = records();
    List<ConsumerRecord<byte[], byte[]>> seven = withKey(all, "{\"id\":7}");
    assertThat(seven)
        .extracting(record -> text(record.value()))
        .containsExactly(
            "{\"id\":7,\"name\":\"x\",\"qty\":null}",
            "{\"id\":7,\"name\":null,\"qty\":null}",
            null);
    assertThat(all)
        .hasSize(5)
        .allSatisfy(
            record ->
                assertThat(record.partition())
                    .isEqualTo(BuiltInPartitioner.partitionForKey(record.key(), 6)));

    assertThat(withKey(all, "{\"id\":8}"))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(text(record.value())).isEqualTo("{\"id\":8,\"name\":\"é\",\"qty\":2}");
              assertThat(record.timestamp()).isEqualTo(1);
              Map<String, byte[]> headers = new HashMap<>();
              for (Header header : record.headers()) {
                headers.put(header.key(), header.value());
              }
              assertThat(headers).containsOnlyKeys("k", "z");
              assertThat(headers.get("k")).containsExactly(0x00, 0xFF);
              assertThat(headers.get("z")).isNull();
            });
    assertThat(withKey(all, "{\"id\":9}"))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(text(record.value())).isEqualTo("{\"id\":9,\"name\":\"n\",\"qty\":1}");
              assertThat(Instant.ofEpochMilli(record.timestamp()))
                  .isBetween(Instant.now().minusSeconds(120), Instant.now());
            });
  }

  @Test
  void valuesCanDoWithoutTheKey() throws Exception {
    recordsOf("EXCEPT_KEY");
    assertThat(withKey(records(), "{\"id\":7}"))
        .extracting(record -> text(record.value()))
        .containsExactly("{\"name\":\"x\",\"qty\":null}", "{\"name\":null,\"qty\":null}", null);
  }

  private static List<ConsumerRecord<byte[], byte[]>> withKey(
      List<ConsumerRecord<byte[], byte[]>> records, String key) {
    return records.stream().filter(record -> text(record.key()).equals(key)).toList();
  }

  private void recordsOf(String fields) throws Exception {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    environment.setParallelism(1).enableCheckpointing(600_000);
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    TypeInformation<Row> types =
        Types.ROW_NAMED(
            new String[] {"id", "name", "qty", "headers", "at"},
            Types.INT,
            Types.STRING,
            Types.INT,
            Types.MAP(Types.STRING, Types.PRIMITIVE_ARRAY(Types.BYTE)),
            Types.INSTANT);
    Map<String, byte[]> headers = new HashMap<>();
    headers.put("k", new byte[] {0x00, (byte) 0xFF});
    headers.put("z", null);
    Map<String, byte[]> none = null;
    tables.createTemporaryView(
        "changes",
        tables.fromChangelogStream(
            environment.fromData(
                List.of(
                    Row.ofKind(RowKind.INSERT, 7, "x", null, none, null),
                    Row.ofKind(RowKind.UPDATE_AFTER, 7, null, null, none, null),
                    Row.ofKind(RowKind.DELETE, 7, null, null, none, null),
                    Row.ofKind(RowKind.INSERT, 8, "é", 2, headers, Instant.ofEpochMilli(1)),
                    Row.ofKind(RowKind.INSERT, 9, "n", 1, none, null)),
                types),
            Schema.newBuilder()
                .column("id", DataTypes.INT().notNull())
                .column("name", DataTypes.STRING())
                .column("qty", DataTypes.INT())
                .column("headers", DataTypes.MAP(DataTypes.STRING(), DataTypes.BYTES()))
                .column("at", DataTypes.TIMESTAMP_LTZ(3))
                .primaryKey("id")
                .build(),
            ChangelogMode.upsert()));
    run(
        declare(
            Sql.of(tables),
            "id INT, name STRING, qty INT, headers MAP<STRING, BYTES> METADATA,"
                + " `at` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', PRIMARY KEY (id) NOT ENFORCED",
            "value.fields-include",
            fields),
        "INSERT INTO orders SELECT * FROM changes");
  }

  /** K2: an update is no delete. */
  @ParameterizedTest
  @EnumSource
  void countsLeaveNoTombstones(Way way) throws Exception {
    run(
        session("word STRING, n BIGINT, PRIMARY KEY (word) NOT ENFORCED", way.options),
        "INSERT INTO orders SELECT word, COUNT(*) FROM " + WORDS + " GROUP BY word");
    assertThat(records()).isNotEmpty().noneMatch(record -> record.value() == null);
    assertThat(compacted())
        .containsOnly(
            Map.entry("{\"word\":\"a\"}", "{\"word\":\"a\",\"n\":2}"),
            Map.entry("{\"word\":\"b\"}", "{\"word\":\"b\",\"n\":2}"));
    if (way == Way.FOLDED) {
      assertThat(records()).hasSize(2);
    }
  }

  /** K2: a count that no word has any more is deleted. */
  @ParameterizedTest
  @EnumSource
  void countsOfCountsEndWithATombstone(Way way) throws Exception {
    run(
        session("n BIGINT, words BIGINT, PRIMARY KEY (n) NOT ENFORCED", way.options),
        "INSERT INTO orders SELECT n, COUNT(*) FROM (SELECT word, COUNT(*) AS n FROM "
            + WORDS
            + " GROUP BY word) GROUP BY n");
    Map<String, String> expected = new HashMap<>();
    expected.put("{\"n\":1}", null);
    expected.put("{\"n\":2}", "{\"n\":2,\"words\":2}");
    assertThat(compacted()).isEqualTo(expected);
  }

  /** Without a checkpoint: the interval alone sends what waits. */
  @Test
  void foldedRecordsAreSentInTime() throws Exception {
    Sql session =
        session(
            "id BIGINT, n BIGINT, PRIMARY KEY (id) NOT ENFORCED",
            "sink.idempotent-upsert",
            "always",
            "sink.buffer-flush.interval",
            "300 ms");
    session
        .tables()
        .executeSql(
            "CREATE TEMPORARY TABLE slow (id BIGINT) WITH ('connector' = 'datagen',"
                + " 'rows-per-second' = '50')");
    JobClient job =
        session
            .tables()
            .executeSql(
                "INSERT INTO orders SELECT MOD(id, 1), COUNT(*) FROM slow GROUP BY MOD(id, 1)")
            .getJobClient()
            .orElseThrow();
    try {
      await().atMost(Duration.ofSeconds(60)).until(() -> sent().size() >= 3);
    } finally {
      job.cancel().get(60, TimeUnit.SECONDS);
    }
    // Some of 50 a second; how many, the load of the machine decides.
    List<String> sent = sent();
    long last = Long.parseLong(sent.get(sent.size() - 1).replaceAll(".*:(\\d+)}", "$1"));
    assertThat(last).isGreaterThan(sent.size());
  }

  private List<String> sent() {
    return probe.uncommitted(topic);
  }
}
