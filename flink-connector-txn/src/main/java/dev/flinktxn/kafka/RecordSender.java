// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.io.IOException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Sends records through a producer and sees to it that none fails unnoticed. */
final class RecordSender {

  private final String table;
  private final KafkaProducer<byte[], byte[]> producer;
  private final SendMetrics metrics;
  private final Deliveries deliveries;

  RecordSender(String table, KafkaProducer<byte[], byte[]> producer, SendMetrics metrics) {
    this.table = table;
    this.producer = producer;
    this.metrics = metrics;
    this.deliveries = new Deliveries(table, metrics.errors());
  }

  /**
   * Hands one record to the producer.
   *
   * @throws IOException if this or an earlier one could not be delivered
   */
  void send(ProducerRecord<byte[], byte[]> record) throws IOException, InterruptedException {
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

  /**
   * Returns once every record is on the broker.
   *
   * @throws IOException if one could not be delivered
   */
  void flush() throws IOException, InterruptedException {
    try {
      producer.flush();
    } catch (InterruptException e) {
      throw KafkaSlot.interrupted(e);
    }
    deliveries.check();
  }
}
