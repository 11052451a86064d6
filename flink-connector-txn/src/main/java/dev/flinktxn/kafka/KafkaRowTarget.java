// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.RowTarget;
import java.io.IOException;
import java.time.Duration;
import org.apache.flink.table.data.RowData;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Rows to Kafka without transactions, from an idempotent producer. Used by the task thread. */
final class KafkaRowTarget implements RowTarget {

  private final KafkaProducer<byte[], byte[]> producer;
  private final RecordEncoder encoder;
  private final SendMetrics metrics;
  private final Deliveries deliveries;
  private final String table;

  KafkaRowTarget(KafkaTarget target, KafkaProducer<byte[], byte[]> producer, SendMetrics metrics) {
    this.producer = producer;
    this.encoder = target.encoder();
    this.metrics = metrics;
    this.deliveries = new Deliveries(target.table(), metrics.errors());
    this.table = target.table();
    metrics.follow(producer);
  }

  @Override
  public void write(RowData row) throws IOException, InterruptedException {
    deliveries.check();
    ProducerRecord<byte[], byte[]> record = encoder.encode(row);
    if (record == null) {
      return;
    }
    try {
      producer.send(record, deliveries);
    } catch (InterruptException e) {
      throw KafkaSlot.interrupted(e);
    } catch (KafkaException | IllegalStateException e) {
      deliveries.check();
      throw Deliveries.failure(table, record.topic(), e);
    }
    metrics.sent(record);
  }

  @Override
  public void flush() throws IOException, InterruptedException {
    try {
      producer.flush();
    } catch (InterruptException e) {
      throw KafkaSlot.interrupted(e);
    }
    deliveries.check();
  }

  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    try {
      producer.close(Duration.ZERO);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
