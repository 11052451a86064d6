// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.RowTarget;
import java.io.IOException;
import java.time.Duration;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.table.data.RowData;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Rows to Kafka without transactions, from an idempotent producer. Used by the task thread. */
final class KafkaRowTarget implements RowTarget {

  private final KafkaProducer<byte[], byte[]> producer;
  private final RecordEncoder encoder;
  private final RecordSender sender;

  KafkaRowTarget(
      KafkaTarget target,
      KafkaProducer<byte[], byte[]> producer,
      SendMetrics metrics,
      ProcessingTimeService timers) {
    this.producer = producer;
    this.encoder = target.encoder();
    this.sender = RecordSender.of(target, producer, metrics, timers);
    metrics.follow(producer);
  }

  @Override
  public void write(RowData row) throws IOException, InterruptedException {
    ProducerRecord<byte[], byte[]> record = encoder.encode(row);
    if (record != null) {
      sender.send(record);
    }
  }

  @Override
  public void flush() throws IOException, InterruptedException {
    sender.flush();
  }

  @Override
  public void close() {
    sender.discard();
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
