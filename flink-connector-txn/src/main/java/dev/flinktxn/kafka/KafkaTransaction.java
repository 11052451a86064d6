// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.Transaction;
import java.io.IOException;
import org.apache.flink.table.data.RowData;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** One open Kafka transaction. Used by the task thread. */
final class KafkaTransaction implements Transaction {

  private final KafkaWriterStore store;
  private final KafkaSlot slot;
  private final KafkaProducer<byte[], byte[]> producer;
  private final RecordEncoder encoder;
  private final SendMetrics metrics;
  private final Deliveries deliveries;
  private final String table;
  private KafkaHandle handle;
  private boolean prepared;
  private boolean closed;

  KafkaTransaction(
      KafkaWriterStore store,
      KafkaSlot slot,
      RecordEncoder encoder,
      SendMetrics metrics,
      String table) {
    this.store = store;
    this.slot = slot;
    this.producer = slot.producer().producer();
    this.encoder = encoder;
    this.metrics = metrics;
    this.deliveries = new Deliveries(table, metrics.errors());
    this.table = table;
    this.handle = current(true);
  }

  private KafkaHandle current(boolean empty) {
    TransactionalProducer state = slot.producer();
    return new KafkaHandle(state.producerId(), state.epoch(), state.transactionV2(), empty, -1);
  }

  @Override
  public void write(RowData row) throws IOException, InterruptedException {
    deliveries.check();
    ProducerRecord<byte[], byte[]> record = encoder.encode(row);
    if (record == null) {
      return;
    }
    if (handle.empty()) {
      handle = current(false);
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
  public byte[] handle() {
    return handle.encode();
  }

  /** Notes what a look has told about this transaction. */
  void startedAt(KafkaHandle seen, long time) {
    if (handle.producerId() == seen.producerId() && handle.epoch() == seen.epoch()) {
      handle = new KafkaHandle(handle.producerId(), handle.epoch(), handle.v2(), false, time);
    }
  }

  @Override
  public byte[] prepare() {
    prepared = true;
    slot.wrote(handle);
    return handle.encode();
  }

  boolean isPrepared() {
    return prepared;
  }

  @Override
  public void close() {
    if (!prepared && !closed) {
      closed = true;
      store.abandon(slot, handle);
    }
  }
}
