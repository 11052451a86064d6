// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.ExternalSystem;
import dev.flinktxn.protocol.RefusedException;
import dev.flinktxn.table.CheckpointSettings;
import dev.flinktxn.table.CommonOptions;
import dev.flinktxn.table.PrimaryKey;
import dev.flinktxn.table.Refusal;
import dev.flinktxn.table.SinkAdapter;
import java.io.IOException;
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
import org.apache.flink.util.TemporaryClassLoaderContext;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans one INSERT into Kafka.
 *
 * @param refusal words for the table
 * @param options the common options
 * @param checkpoints how the job takes checkpoints
 * @param topics the topics to write to
 * @param properties what the Kafka client is given; may hold secrets
 * @param endless whether transactions never expire
 * @param columns which columns go into key and value
 * @param key positions of the columns that rows are upserted by; empty when they are appended
 * @param keyFormat the key's format; null for records without a key
 * @param valueFormat the value's format
 * @param partitioner chooses partitions; null leaves the choice to Kafka
 * @param folding whether records wait for newer ones of their key
 * @param physical the table's row type without metadata columns
 */
record KafkaSinkAdapter(
    Refusal refusal,
    CommonOptions options,
    CheckpointSettings checkpoints,
    Topics topics,
    Map<String, String> properties,
    boolean endless,
    RecordColumns columns,
    int[] key,
    EncodingFormat<SerializationSchema<RowData>> keyFormat,
    EncodingFormat<SerializationSchema<RowData>> valueFormat,
    RecordPartitioner partitioner,
    Folding folding,
    DataType physical)
    implements SinkAdapter {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaSinkAdapter.class);

  private static final Duration ANSWER = Duration.ofSeconds(5);

  @Override
  public ChangelogMode changelogMode(ChangelogMode requested) {
    if (key.length > 0) {
      return PrimaryKey.CHANGES;
    }
    ChangelogMode written = valueFormat.getChangelogMode();
    if (written.containsOnly(RowKind.INSERT) && !requested.containsOnly(RowKind.INSERT)) {
      throw refusal.of(
          "the query updates or deletes rows, but the table has no key to do so by; declare"
              + " PRIMARY KEY (...) NOT ENFORCED and set 'key.format', or set 'format' to one that"
              + " writes changes, such as 'debezium-json'");
    }
    return written;
  }

  @Override
  public Optional<String> obstacle() {
    ProducerSettings settings = new ProducerSettings(properties);
    long deadline = System.nanoTime() + ANSWER.toNanos();
    // A session may have our classes where the caller's thread does not look for a login module.
    try (TemporaryClassLoaderContext ignored =
            TemporaryClassLoaderContext.of(KafkaSinkAdapter.class.getClassLoader());
        CoordinatorClient client =
            new CoordinatorClient(settings.connection(), settings.clientId("plan"), ANSWER)) {
      TransactionalIdRights.check(client, options.prefix().orElseThrow(), deadline);
    } catch (DeniedException e) {
      return Optional.of("no transactional id may be used (" + e.getMessage() + ")");
    } catch (RefusedException e) {
      return Optional.of("the brokers have no transactions to use (" + e.getMessage() + ")");
    } catch (IOException | KafkaException e) {
      // The tasks will say what is wrong; without an answer nothing is given up.
      LOG.info(
          "Table {}: the brokers could not be asked about transactional ids while planning: {}",
          refusal.table(),
          e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
        endless,
        options.prefix().orElse(null),
        encoder(metadata, context),
        folding,
        checkpoints.enabled() ? checkpoints.interval().orElse(null) : null,
        checkpoints.timeout());
  }

  private RecordEncoder encoder(List<String> metadata, DynamicTableSink.Context context) {
    boolean upserts = key.length > 0;
    boolean everything =
        metadata.isEmpty()
            && !upserts
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
            upserts),
        upserts,
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
