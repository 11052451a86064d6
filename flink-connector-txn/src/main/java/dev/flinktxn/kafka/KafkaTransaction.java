// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.Transaction;
import java.io.IOException;
import org.apache.flink.table.data.RowData;
import org.apache.kafka.clients.producer.ProducerRecord;

/** One open Kafka transaction. Used by the task thread. */
final class KafkaTransaction implements Transaction {

  private final KafkaWriterStore store;
  private final KafkaSlot slot;
  private final RecordEncoder encoder;
  private final RecordSender sender;
  private KafkaHandle handle;
  private boolean prepared;
  private boolean closed;

  KafkaTransaction(
      KafkaWriterStore store, KafkaSlot slot, RecordEncoder encoder, RecordSender sender) {
    this.store = store;
    this.slot = slot;
    this.encoder = encoder;
    this.sender = sender;
    this.handle = current(true);
  }

  private KafkaHandle current(boolean empty) {
    TransactionalProducer state = slot.producer();
    return new KafkaHandle(state.producerId(), state.epoch(), state.transactionV2(), empty, -1);
  }

  @Override
  public void write(RowData row) throws IOException, InterruptedException {
    ProducerRecord<byte[], byte[]> record = encoder.encode(row);
    if (record == null) {
      return;
    }
    if (handle.empty()) {
      handle = current(false);
    }
    sender.send(record);
  }

  @Override
  public void flush() throws IOException, InterruptedException {
    sender.flush();
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
      sender.discard();
      store.abandon(slot, handle);
    }
  }
}
