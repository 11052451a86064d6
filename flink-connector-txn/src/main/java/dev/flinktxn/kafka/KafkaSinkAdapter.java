// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.ExternalSystem;
import dev.flinktxn.table.CheckpointSettings;
import dev.flinktxn.table.CommonOptions;
import dev.flinktxn.table.Refusal;
import dev.flinktxn.table.SinkAdapter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.Projection;
import org.apache.flink.table.connector.format.EncodingFormat;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.types.RowKind;

/**
 * Plans one INSERT into Kafka.
 *
 * @param refusal words for the table
 * @param options the common options
 * @param checkpoints how the job takes checkpoints
 * @param topics the topics to write to
 * @param properties what the Kafka client is given; may hold secrets
 * @param columns which columns go into key and value
 * @param keyFormat the key's format; null for records without a key
 * @param valueFormat the value's format
 * @param partitioner chooses partitions; null leaves the choice to Kafka
 * @param physical the table's row type without metadata columns
 */
record KafkaSinkAdapter(
    Refusal refusal,
    CommonOptions options,
    CheckpointSettings checkpoints,
    Topics topics,
    Map<String, String> properties,
    RecordColumns columns,
    EncodingFormat<SerializationSchema<RowData>> keyFormat,
    EncodingFormat<SerializationSchema<RowData>> valueFormat,
    RecordPartitioner partitioner,
    DataType physical)
    implements SinkAdapter {

  @Override
  public ChangelogMode changelogMode(ChangelogMode requested) {
    ChangelogMode written = valueFormat.getChangelogMode();
    if (written.containsOnly(RowKind.INSERT) && !requested.containsOnly(RowKind.INSERT)) {
      throw refusal.of(
          "the query updates or deletes rows, but the table has no key to do so by; declare"
              + " PRIMARY KEY (...) NOT ENFORCED, which this version does not take yet, or set"
              + " 'format' to one that writes changes, such as 'debezium-json'");
    }
    return written;
  }

  /** None: tables with a key are refused in this version. */
  @Override
  public int[] key() {
    return new int[0];
  }

  @Override
  public Optional<String> obstacle() {
    return Optional.empty();
  }

  @Override
  public Optional<Duration> transactionLimit() {
    return options.transactionTimeout();
  }

  @Override
  public Map<String, DataType> writableMetadata() {
    return WritableMetadata.types(topics.several());
  }

  @Override
  public ExternalSystem system(
      DataType consumed, List<String> metadata, DynamicTableSink.Context context) {
    return new KafkaSystem(target(metadata, context));
  }

  /** What the tasks are given. */
  KafkaTarget target(List<String> metadata, DynamicTableSink.Context context) {
    if (topics.several() && !metadata.contains(WritableMetadata.TOPIC.key)) {
      throw refusal.of(
          "no column says which topic a row goes to, but "
              + topics.describe()
              + " may be several; declare"
              + " `topic` STRING NOT NULL METADATA");
    }
    return new KafkaTarget(
        refusal.table(),
        topics.names() == null ? List.of() : topics.names(),
        topics.pattern() == null ? null : topics.pattern().pattern(),
        properties,
        options.transactionTimeout().orElse(null),
        options.prefix().orElse(null),
        encoder(metadata, context),
        checkpoints.enabled() ? checkpoints.interval().orElse(null) : null,
        checkpoints.timeout());
  }

  private RecordEncoder encoder(List<String> metadata, DynamicTableSink.Context context) {
    boolean everything =
        metadata.isEmpty()
            && columns.value().length == physical.getLogicalType().getChildren().size();
    return new RowRecordEncoder(
        refusal.table(),
        new RecordTopic(
            refusal.table(),
            topics.names(),
            topics.pattern(),
            column(metadata, WritableMetadata.TOPIC)),
        keyFormat == null ? null : new RowPart(keyEncoder(context), columns.key(), true),
        new RowPart(
            valueFormat.createRuntimeEncoder(context, project(columns.value())),
            everything ? null : columns.value(),
            false),
        column(metadata, WritableMetadata.HEADERS),
        column(metadata, WritableMetadata.TIMESTAMP),
        partitioner);
  }

  private SerializationSchema<RowData> keyEncoder(DynamicTableSink.Context context) {
    List<DataType> types = DataType.getFieldDataTypes(project(columns.key()));
    List<String> names = DataType.getFieldNames(project(columns.key()));
    DataType renamed =
        DataTypes.ROW(
                IntStream.range(0, names.size())
                    .mapToObj(
                        field ->
                            DataTypes.FIELD(
                                names.get(field).substring(columns.keyPrefix().length()),
                                types.get(field)))
                    .toList())
            .notNull();
    return keyFormat.createRuntimeEncoder(context, renamed);
  }

  private DataType project(int[] positions) {
    return Projection.of(positions).project(physical);
  }

  private int column(List<String> metadata, WritableMetadata which) {
    int position = metadata.indexOf(which.key);
    return position < 0 ? -1 : physical.getLogicalType().getChildren().size() + position;
  }

  @Override
  public String summary() {
    return "Kafka " + topics.describe();
  }

  /** Without the properties, which may hold secrets. */
  @Override
  public String toString() {
    return summary();
  }
}
