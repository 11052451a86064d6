// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.ExternalSystem;
import dev.flinktxn.protocol.RefusedException;
import dev.flinktxn.protocol.RowTarget;
import dev.flinktxn.protocol.WriterStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;

/** One table in Kafka, as the protocol sees it. */
final class KafkaSystem implements ExternalSystem {
  private static final long serialVersionUID = 1L;

  private static final Duration ANY_TIMEOUT = Duration.ofMinutes(1);

  private final KafkaTarget target;

  KafkaSystem(KafkaTarget target) {
    this.target = target;
  }

  @Override
  public WriterStore openWriterStore(WriterInitContext context)
      throws IOException, InterruptedException {
    ProducerSettings settings = new ProducerSettings(target.properties());
    validate(target.table(), settings.transactional("check", ANY_TIMEOUT));
    TopicPartitions partitions = new TopicPartitions();
    openEncoder(context, partitions);
    int subtask = context.getTaskInfo().getIndexOfThisSubtask();
    CoordinatorClient client = connect("writer-" + subtask);
    try {
      TransactionLimits limits =
          new StartupChecks(target, settings, subtask).checkTransactions(client);
      return new KafkaWriterStore(
          target,
          settings,
          client,
          limits,
          new SendMetrics(context.metricGroup()),
          partitions,
          context.getProcessingTimeService());
    } catch (IOException | InterruptedException | RuntimeException e) {
      client.close();
      throw e;
    }
  }

  @Override
  public CommitterStore openCommitterStore(CommitterInitContext context) {
    String name = "committer-" + context.getTaskInfo().getIndexOfThisSubtask();
    return new KafkaCommitterStore(
        () -> {
          // Restored transactions are committed before the writer has checked anything.
          validate(target.table(), new ProducerSettings(target.properties()).plain(name));
          return connect(name);
        });
  }

  @Override
  public RowTarget openRowTarget(WriterInitContext context)
      throws IOException, InterruptedException {
    ProducerSettings settings = new ProducerSettings(target.properties());
    TaskInfo task = context.getTaskInfo();
    Map<String, Object> properties = settings.plain("rows-" + task.getIndexOfThisSubtask());
    validate(target.table(), properties);
    TopicPartitions partitions = new TopicPartitions();
    openEncoder(context, partitions);
    new StartupChecks(target, settings, task.getIndexOfThisSubtask()).checkTopics();
    KafkaProducer<byte[], byte[]> producer;
    try {
      producer = new KafkaProducer<>(properties);
    } catch (KafkaException e) {
      throw BrokerRefusal.unusable(target.table(), e);
    }
    partitions.ask(producer);
    return new KafkaRowTarget(
        target,
        producer,
        new SendMetrics(context.metricGroup()),
        context.getProcessingTimeService());
  }

  @Override
  public String describe() {
    return target.describe();
  }

  private CoordinatorClient connect(String name) throws IOException {
    ProducerSettings settings = new ProducerSettings(target.properties());
    try {
      return new CoordinatorClient(
          settings.connection(), settings.clientId(name), settings.requestTimeout());
    } catch (KafkaException e) {
      throw BrokerRefusal.unusable(target.table(), e);
    }
  }

  private void openEncoder(WriterInitContext context, PartitionLookup partitions)
      throws IOException, InterruptedException {
    TaskInfo task = context.getTaskInfo();
    try {
      target
          .encoder()
          .open(
              context.asSerializationSchemaInitializationContext(),
              partitions,
              task.getIndexOfThisSubtask(),
              task.getNumberOfParallelSubtasks());
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("Table " + target.table() + ": cannot open the record format", e);
    }
  }

  /** Refuses properties that no client can be made of. */
  static void validate(String table, Map<String, Object> properties) throws RefusedException {
    try {
      ProducerConfig checked = new ProducerConfig(properties);
      Codecs.check(checked.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG), table);
      LoginModules.check(checked, table);
    } catch (ConfigException e) {
      throw new RefusedException(
          "Table " + table + ": a properties.* option is wrong: " + e.getMessage(), e);
    }
  }
}
