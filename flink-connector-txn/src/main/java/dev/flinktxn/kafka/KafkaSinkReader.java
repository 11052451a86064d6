// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.table.CheckpointSettings;
import dev.flinktxn.table.CommonOptions;
import dev.flinktxn.table.OptionReader;
import dev.flinktxn.table.PrimaryKey;
import dev.flinktxn.table.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.table.connector.format.EncodingFormat;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil.TableFactoryHelper;
import org.apache.flink.table.factories.SerializationFormatFactory;
import org.apache.flink.table.types.DataType;
import org.apache.flink.types.RowKind;

/**
 * Reads the options of a table that is written to, and refuses what cannot be.
 *
 * @param context the table
 * @param refusal words for it
 */
record KafkaSinkReader(DynamicTableFactory.Context context, Refusal refusal) {

  /** The plan of an INSERT into the table. */
  KafkaSinkAdapter read(TableFactoryHelper helper) {
    OptionReader reader = new OptionReader(refusal, helper.getOptions());
    Map<String, String> given = context.getCatalogTable().getOptions();
    ProducerProperties properties = new ProducerProperties(given, refusal);
    CommonOptions options = properties.withTimeout(CommonOptions.read(reader));
    properties.check(options.guarantee() == DeliveryGuarantee.EXACTLY_ONCE);
    boolean endless = properties.endless(options);
    CheckpointSettings checkpoints = checkpoints(options, properties);
    EncodingFormat<SerializationSchema<RowData>> keyFormat = keyFormat(helper);
    EncodingFormat<SerializationSchema<RowData>> valueFormat = valueFormat(helper);
    int[] key = key(valueFormat);
    options.checkKey(refusal, key.length > 0);
    Topics topics = Topics.read(reader);
    List<String> names = DataType.getFieldNames(context.getPhysicalRowDataType());
    RecordColumns columns =
        RecordColumns.read(
            reader,
            context.getPhysicalRowDataType(),
            IntStream.of(key).mapToObj(names::get).toList());
    Map<String, String> client = properties.forClient(bootstrapServers(reader));
    Folding folding = folding(reader, key.length > 0);
    helper.validateExcept(KafkaOptions.PROPERTIES);
    return new KafkaSinkAdapter(
        refusal,
        options,
        checkpoints,
        topics,
        client,
        endless,
        columns,
        key,
        keyFormat,
        valueFormat,
        Partitioners.of(reader, context.getClassLoader(), key.length > 0),
        folding,
        context.getPhysicalRowDataType());
  }

  /** What rows are upserted by; a format that writes changes says itself what a row does. */
  private int[] key(EncodingFormat<SerializationSchema<RowData>> valueFormat) {
    return valueFormat.getChangelogMode().containsOnly(RowKind.INSERT)
        ? PrimaryKey.of(context)
        : new int[0];
  }

  private Folding folding(OptionReader reader, boolean keyed) {
    int rows =
        reader.wholeNumber(
            KafkaOptions.FLUSH_MAX_ROWS, 0, "it has to be 0 or a whole number above it");
    Duration interval =
        reader
            .read(KafkaOptions.FLUSH_INTERVAL, "it has to be a duration such as '1 s'")
            .orElseGet(KafkaOptions.FLUSH_INTERVAL::defaultValue);
    Folding folding = new Folding(rows, interval);
    if (folding.isOn() && !keyed) {
      ConfigOption<?> given = rows > 0 ? KafkaOptions.FLUSH_MAX_ROWS : KafkaOptions.FLUSH_INTERVAL;
      throw refusal.value(
          given.key(),
          reader.options().get(given),
          "only records of one key replace each other, and the table is not written by key",
          "declare PRIMARY KEY (...) NOT ENFORCED, or remove the option");
    }
    return folding;
  }

  private CheckpointSettings checkpoints(CommonOptions options, ProducerProperties properties) {
    CheckpointSettings checkpoints = CheckpointSettings.read(context.getConfiguration());
    checkpoints.check(refusal, options);
    if (options.transactional()) {
      options
          .transactionTimeout()
          .ifPresent(
              timeout -> checkpoints.checkTimeout(refusal, properties.timeoutOption(), timeout));
    }
    return checkpoints;
  }

  private String bootstrapServers(OptionReader reader) {
    return reader
        .options()
        .getOptional(KafkaOptions.BOOTSTRAP_SERVERS)
        .orElseThrow(
            () ->
                refusal.missing(
                    KafkaOptions.BOOTSTRAP_SERVERS.key(),
                    "the sink has to know where Kafka is",
                    "set it to host:port of one or more brokers"));
  }

  private EncodingFormat<SerializationSchema<RowData>> keyFormat(TableFactoryHelper helper) {
    EncodingFormat<SerializationSchema<RowData>> format =
        helper
            .discoverOptionalEncodingFormat(
                SerializationFormatFactory.class, KafkaOptions.KEY_FORMAT)
            .orElse(null);
    if (format != null && !format.getChangelogMode().containsOnly(RowKind.INSERT)) {
      throw refusal.value(
          KafkaOptions.KEY_FORMAT.key(),
          helper.getOptions().get(KafkaOptions.KEY_FORMAT),
          "a key cannot hold changes",
          "use an insert-only format such as 'json'");
    }
    return format;
  }

  private EncodingFormat<SerializationSchema<RowData>> valueFormat(TableFactoryHelper helper) {
    return helper
        .discoverOptionalEncodingFormat(SerializationFormatFactory.class, KafkaOptions.FORMAT)
        .or(
            () ->
                helper.discoverOptionalEncodingFormat(
                    SerializationFormatFactory.class, KafkaOptions.VALUE_FORMAT))
        .orElseThrow(
            () ->
                refusal.missing(
                    KafkaOptions.FORMAT.key(),
                    "rows have to be encoded somehow",
                    "set it, for example to 'json'"));
  }
}
