// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.table.CheckpointSettings;
import dev.flinktxn.table.CommonOptions;
import dev.flinktxn.table.IdempotentUpsert;
import dev.flinktxn.table.OptionReader;
import dev.flinktxn.table.Refusal;
import dev.flinktxn.table.SinkOptions;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.table.connector.format.EncodingFormat;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil.TableFactoryHelper;
import org.apache.flink.table.factories.SerializationFormatFactory;
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
    refuseUpserts(options);
    properties.check(options.transactional());
    CheckpointSettings checkpoints = checkpoints(options, properties);
    refuseKey();
    Topics topics = Topics.read(reader);
    RecordColumns columns = RecordColumns.read(reader, context.getPhysicalRowDataType());
    Map<String, String> client = properties.forClient(bootstrapServers(reader));
    EncodingFormat<SerializationSchema<RowData>> keyFormat = keyFormat(helper);
    EncodingFormat<SerializationSchema<RowData>> valueFormat = valueFormat(helper);
    helper.validateExcept(KafkaOptions.PROPERTIES);
    return new KafkaSinkAdapter(
        refusal,
        options,
        checkpoints,
        topics,
        client,
        columns,
        keyFormat,
        valueFormat,
        Partitioners.of(reader, context.getClassLoader()),
        context.getPhysicalRowDataType());
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

  private void refuseUpserts(CommonOptions options) {
    if (options.idempotentUpsert() != IdempotentUpsert.NEVER) {
      throw refusal.value(
          SinkOptions.IDEMPOTENT_UPSERT.key(),
          options.idempotentUpsert(),
          "idempotent upserts are not available yet in this version",
          "set it to 'never' or remove it");
    }
  }

  private void refuseKey() {
    if (context.getPrimaryKeyIndexes().length > 0) {
      throw refusal.of(
          "a PRIMARY KEY is declared, but writing by key is not available yet in this version;"
              + " remove the PRIMARY KEY to append rows");
    }
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
