// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.InstantiationUtil;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What arrives in Kafka for a row, byte for byte. */
class RowRecordEncoderTest {

  private static final Column ID = Column.physical("id", DataTypes.BIGINT());
  private static final Column NAME = Column.physical("name", DataTypes.STRING());

  private int subtask = 0;
  private int[] partitions = {0, 1, 2};

  private RecordEncoder encoder(List<String> metadata, String... options) throws Exception {
    return opened(TableContexts.target(Sql.options(options), metadata, ID, NAME).encoder());
  }

  /** The encoder as a task has it: shipped, then opened. */
  private RecordEncoder opened(RecordEncoder planned) throws Exception {
    RecordEncoder encoder = InstantiationUtil.clone(planned);
    encoder.open(new TaskContext(), topic -> partitions, subtask, 4);
    return encoder;
  }

  private static RowData row(Object... fields) {
    return change(RowKind.INSERT, fields);
  }

  private static RowData change(RowKind kind, Object... fields) {
    GenericRowData row = GenericRowData.ofKind(kind, fields);
    for (int field = 0; field < fields.length; field++) {
      if (fields[field] instanceof String text) {
        row.setField(field, StringData.fromString(text));
      }
    }
    return row;
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, UTF_8);
  }

  @Test
  void writesAllColumnsAsTheValue() throws Exception {
    ProducerRecord<byte[], byte[]> record = encoder(List.of()).encode(row(7L, "ant"));

    assertThat(record.topic()).isEqualTo("orders");
    assertThat(text(record.value())).isEqualTo("{\"id\":7,\"name\":\"ant\"}");
    assertThat(record.key()).isNull();
    assertThat(record.partition()).isNull();
    assertThat(record.timestamp()).isNull();
    assertThat(record.headers()).isEmpty();
  }

  @Test
  void writesNullColumns() throws Exception {
    assertThat(text(encoder(List.of()).encode(row(null, null)).value()))
        .isEqualTo("{\"id\":null,\"name\":null}");
  }

  @Test
  void writesTheValueInTheFormatOfTheValue() throws Exception {
    RecordEncoder encoder = encoder(List.of(), "format", null, "value.format", "csv");
    assertThat(text(encoder.encode(row(7L, "ant")).value())).isEqualTo("7,ant");
  }

  @Test
  void writesTheKeysColumnsIntoBothByDefault() throws Exception {
    ProducerRecord<byte[], byte[]> record =
        encoder(List.of(), "key.format", "json", "key.fields", "id").encode(row(7L, "ant"));
    assertThat(text(record.key())).isEqualTo("{\"id\":7}");
    assertThat(text(record.value())).isEqualTo("{\"id\":7,\"name\":\"ant\"}");
  }

  @Test
  void leavesTheKeysColumnsOutOfTheValue() throws Exception {
    ProducerRecord<byte[], byte[]> record =
        encoder(
                List.of(),
                "key.format",
                "json",
                "key.fields",
                "id",
                "value.fields-include",
                "EXCEPT_KEY")
            .encode(row(7L, "ant"));
    assertThat(text(record.key())).isEqualTo("{\"id\":7}");
    assertThat(text(record.value())).isEqualTo("{\"name\":\"ant\"}");
  }

  @Test
  void writesTheKeysColumnsInTheOrderOfTheOption() throws Exception {
    ProducerRecord<byte[], byte[]> record =
        encoder(List.of(), "key.format", "csv", "key.fields", "name;id").encode(row(7L, "ant"));
    assertThat(text(record.key())).isEqualTo("ant,7");
  }

  @Test
  void takesThePrefixOffTheKeysColumns() throws Exception {
    RecordEncoder encoder =
        opened(
            TableContexts.target(
                    Sql.options(
                        "key.format", "json",
                        "key.fields", "k_id",
                        "key.fields-prefix", "k_",
                        "value.fields-include", "EXCEPT_KEY"),
                    List.of(),
                    Column.physical("k_id", DataTypes.BIGINT()),
                    Column.physical("id", DataTypes.STRING()))
                .encoder());
    ProducerRecord<byte[], byte[]> record = encoder.encode(row(7L, "ant"));
    assertThat(text(record.key())).isEqualTo("{\"id\":7}");
    assertThat(text(record.value())).isEqualTo("{\"id\":\"ant\"}");
  }

  @Test
  void keepsMetadataOutOfTheValue() throws Exception {
    RecordEncoder encoder = encoder(List.of("timestamp"));
    ProducerRecord<byte[], byte[]> record =
        encoder.encode(row(7L, "ant", TimestampData.fromEpochMillis(1_700_000_000_123L)));
    assertThat(text(record.value())).isEqualTo("{\"id\":7,\"name\":\"ant\"}");
    assertThat(record.timestamp()).isEqualTo(1_700_000_000_123L);
  }

  @Test
  void aNullTimestampIsLeftToTheProducer() throws Exception {
    assertThat(encoder(List.of("timestamp")).encode(row(7L, "ant", null)).timestamp()).isNull();
  }

  @Test
  void refusesATimestampBeforeKafkasFirst() throws Exception {
    RecordEncoder encoder = encoder(List.of("timestamp"));
    assertThatThrownBy(() -> encoder.encode(row(7L, "ant", TimestampData.fromEpochMillis(-1))))
        .isInstanceOf(RefusedException.class)
        .hasMessageContainingAll("c.d.orders", "'timestamp'", "-1 ms");
  }

  @Test
  void writesHeaders() throws Exception {
    Map<StringData, byte[]> headers = new LinkedHashMap<>();
    headers.put(StringData.fromString("a"), new byte[] {1, 2});
    headers.put(StringData.fromString("b"), null);
    headers.put(null, new byte[] {3});
    ProducerRecord<byte[], byte[]> record =
        encoder(List.of("headers")).encode(row(7L, "ant", new GenericMapData(headers)));

    Header[] written = record.headers().toArray();
    assertThat(written).hasSize(2);
    assertThat(record.headers().lastHeader("a").value()).containsExactly(1, 2);
    assertThat(record.headers().lastHeader("b").value()).isNull();
    assertThat(text(record.value())).isEqualTo("{\"id\":7,\"name\":\"ant\"}");
  }

  @Test
  void nullHeadersAreNone() throws Exception {
    assertThat(encoder(List.of("headers")).encode(row(7L, "ant", null)).headers()).isEmpty();
  }

  @Test
  void readsMetadataInTheOrderOfTheRow() throws Exception {
    RecordEncoder encoder = encoder(List.of("timestamp", "topic", "headers"), "topic", "a;b");
    ProducerRecord<byte[], byte[]> record =
        encoder.encode(
            row(
                7L,
                "ant",
                TimestampData.fromEpochMillis(5),
                "b",
                new GenericMapData(Map.of(StringData.fromString("h"), new byte[] {9}))));
    assertThat(record.topic()).isEqualTo("b");
    assertThat(record.timestamp()).isEqualTo(5L);
    assertThat(record.headers().lastHeader("h").value()).containsExactly(9);
  }

  @Test
  void eachRowGoesToTheTopicItNames() throws Exception {
    RecordEncoder encoder = encoder(List.of("topic"), "topic", "a;b");
    for (String topic : List.of("a", "b", "a", "b", "b")) {
      assertThat(encoder.encode(row(7L, "ant", topic)).topic()).isEqualTo(topic);
    }
  }

  @Test
  void refusesATopicThatIsNotListed() throws Exception {
    RecordEncoder encoder = encoder(List.of("topic"), "topic", "a;b");
    assertThatThrownBy(() -> encoder.encode(row(7L, "ant", "c")))
        .isInstanceOf(RefusedException.class)
        .hasMessageContainingAll("c.d.orders", "'c'", "one of [a, b]");
    assertThatThrownBy(() -> encoder.encode(row(7L, "ant", null)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContainingAll("c.d.orders", "NULL", "one of [a, b]");
  }

  @Test
  void topicsHaveToMatchThePatternCompletely() throws Exception {
    RecordEncoder encoder = encoder(List.of("topic"), "topic", null, "topic-pattern", "eu-.*");
    assertThat(encoder.encode(row(7L, "ant", "eu-1")).topic()).isEqualTo("eu-1");
    assertThatThrownBy(() -> encoder.encode(row(7L, "ant", "x-eu-1")))
        .isInstanceOf(RefusedException.class)
        .hasMessageContainingAll("'x-eu-1'", "'eu-.*'");
  }

  @Test
  void onlySeveralTopicsHaveATopicColumn() {
    assertThat(adapter().writableMetadata()).containsOnlyKeys("headers", "timestamp");
    assertThat(adapter("topic", "a;b").writableMetadata())
        .containsOnlyKeys("topic", "headers", "timestamp");
    assertThat(adapter("topic", null, "topic-pattern", "a.*").writableMetadata())
        .containsOnlyKeys("topic", "headers", "timestamp");
  }

  private static KafkaSinkAdapter adapter(String... options) {
    return new TxnKafkaTableFactory()
        .adapter(
            TableContexts.table(
                Sql.options(options), RowRecordEncoderTest.class.getClassLoader(), ID, NAME));
  }

  @ParameterizedTest
  @EnumSource(RowKind.class)
  void writesChangesInAFormatThatHasThem(RowKind kind) throws Exception {
    RecordEncoder encoder =
        encoder(List.of(), "format", "debezium-json", "key.format", "json", "key.fields", "id");
    RowData row = change(kind, 7L, "ant");
    ProducerRecord<byte[], byte[]> record = encoder.encode(row);
    String after =
        switch (kind) {
          case INSERT, UPDATE_AFTER ->
              "{\"before\":null,\"after\":{\"id\":7,\"name\":\"ant\"},\"op\":\"c\"}";
          case UPDATE_BEFORE, DELETE ->
              "{\"before\":{\"id\":7,\"name\":\"ant\"},\"after\":null,\"op\":\"d\"}";
        };
    assertThat(text(record.value())).isEqualTo(after);
    assertThat(text(record.key())).isEqualTo("{\"id\":7}");
    assertThat(row.getRowKind()).isEqualTo(kind);
  }

  @Test
  void changesKeepTheirKindWhenColumnsAreLeftOut() throws Exception {
    RecordEncoder encoder =
        encoder(
            List.of("timestamp"),
            "format",
            "debezium-json",
            "key.format",
            "json",
            "key.fields",
            "id",
            "value.fields-include",
            "EXCEPT_KEY");
    assertThat(text(encoder.encode(change(RowKind.DELETE, 7L, "ant", null)).value()))
        .isEqualTo("{\"before\":{\"name\":\"ant\"},\"after\":null,\"op\":\"d\"}");
  }

  @Test
  void fixedMeansOnePartitionForEachSubtask() throws Exception {
    subtask = 5;
    partitions = new int[] {0, 1, 2, 3};
    RecordEncoder encoder = encoder(List.of(), "sink.partitioner", "fixed");
    assertThat(encoder.encode(row(1L, "a")).partition()).isEqualTo(1);
    assertThat(encoder.encode(row(2L, "b")).partition()).isEqualTo(1);
  }

  @Test
  void roundRobinTakesThePartitionsOfEachTopicInTurn() throws Exception {
    subtask = 1;
    RecordEncoder encoder =
        encoder(List.of("topic"), "sink.partitioner", "round-robin", "topic", "a;b");
    StringBuilder taken = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      for (String topic : List.of("a", "b")) {
        taken.append(topic).append(encoder.encode(row(1L, "x", topic)).partition()).append(' ');
      }
    }
    assertThat(taken.toString()).isEqualTo("a1 b1 a2 b2 a0 b0 a1 b1 ");
  }

  @Test
  void asksAPartitionerOfTheUser() throws Exception {
    RecordEncoder encoder =
        encoder(
            List.of(),
            "sink.partitioner",
            ById.class.getName(),
            "key.format",
            "json",
            "key.fields",
            "id");
    assertThat(encoder.encode(row(5L, "a")).partition()).isEqualTo(2);
    assertThat(encoder.encode(row(6L, "a")).partition()).isEqualTo(0);
  }

  @Test
  void failsWhenATopicHasNoPartitions() throws Exception {
    partitions = new int[0];
    RecordEncoder encoder = encoder(List.of(), "sink.partitioner", "fixed");
    assertThatThrownBy(() -> encoder.encode(row(1L, "a")))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(RefusedException.class)
        .hasMessageContainingAll("c.d.orders", "'orders'");
  }

  /** Sends row n to partition n modulo the number of partitions. */
  public static final class ById implements RecordPartitioner {
    private static final long serialVersionUID = 1L;

    @Override
    public int partition(RowData row, byte[] key, byte[] value, String topic, int[] partitions) {
      assertThat(text(key)).isEqualTo("{\"id\":" + row.getLong(0) + "}");
      return partitions[(int) (row.getLong(0) % partitions.length)];
    }
  }

  private record TaskContext() implements SerializationSchema.InitializationContext {
    @Override
    public MetricGroup getMetricGroup() {
      return new UnregisteredMetricsGroup();
    }

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
      return SimpleUserCodeClassLoader.create(RowRecordEncoderTest.class.getClassLoader());
    }
  }
}
