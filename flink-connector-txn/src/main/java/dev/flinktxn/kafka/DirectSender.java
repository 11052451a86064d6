// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.io.IOException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Hands each record to a producer and sees to it that none fails unnoticed. */
final class DirectSender implements RecordSender {

  private final String table;
  private final KafkaProducer<byte[], byte[]> producer;
  private final SendMetrics metrics;
  private final Deliveries deliveries;

  DirectSender(String table, KafkaProducer<byte[], byte[]> producer, SendMetrics metrics) {
    this.table = table;
    this.producer = producer;
    this.metrics = metrics;
    this.deliveries = new Deliveries(table, metrics.errors());
  }

  @Override
  public void send(ProducerRecord<byte[], byte[]> record) throws IOException, InterruptedException {
    deliveries.check();
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
}
