// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.io.IOException;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Where the records of one table go. Used by the task thread. */
interface RecordSender {

  /** Sends records of {@code target} through {@code producer}, folded if the table asks for it. */
  static RecordSender of(
      KafkaTarget target,
      KafkaProducer<byte[], byte[]> producer,
      SendMetrics metrics,
      ProcessingTimeService timers) {
    DirectSender direct = new DirectSender(target.table(), producer, metrics);
    return target.folding().isOn() ? new FoldingSender(direct, target.folding(), timers) : direct;
  }

  /**
   * Takes one record.
   *
   * @throws IOException if this or an earlier one could not be delivered
   */
  void send(ProducerRecord<byte[], byte[]> record) throws IOException, InterruptedException;

  /**
   * Returns once every record is on the broker.
   *
   * @throws IOException if one could not be delivered
   */
  void flush() throws IOException, InterruptedException;

  /** Forgets the records that no producer has got yet. */
  default void discard() {}
}
