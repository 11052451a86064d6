// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.FlushTimer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Keeps the last record of each key and sends them after a number of rows, after a time, or when
 * flushed: in the order of the last change of each key. What this loses is the order between an
 * older record of a key, which is not sent, and the records of other keys; no record arrives before
 * one that was written earlier and is sent at all.
 */
final class FoldingSender implements RecordSender {

  /** So that few long rows do not fill the heap. */
  private static final long FULL = 8 << 20;

  private record Key(String topic, ByteBuffer bytes) {}

  private final RecordSender next;
  private final int maxRows;
  private final FlushTimer timer;

  /** In the order of the last change. */
  private final Map<Key, ProducerRecord<byte[], byte[]>> last = new LinkedHashMap<>();

  private int rows;
  private long bytes;

  FoldingSender(RecordSender next, Folding folding, ProcessingTimeService timers) {
    this.next = next;
    this.maxRows = folding.maxRows() == 0 ? Integer.MAX_VALUE : folding.maxRows();
    this.timer = new FlushTimer(timers, folding.interval(), this::sendAll);
  }

  @Override
  public void send(ProducerRecord<byte[], byte[]> record) throws IOException, InterruptedException {
    if (rows == 0) {
      timer.start();
    }
    Key key = new Key(record.topic(), ByteBuffer.wrap(record.key()));
    last.remove(key);
    last.put(key, record);
    rows++;
    bytes += record.key().length + (record.value() == null ? 0 : record.value().length);
    if (rows >= maxRows || bytes >= FULL) {
      sendAll();
    }
  }

  private void sendAll() throws IOException, InterruptedException {
    for (ProducerRecord<byte[], byte[]> record : last.values()) {
      next.send(record);
    }
    discard();
  }

  @Override
  public void flush() throws IOException, InterruptedException {
    sendAll();
    next.flush();
  }

  @Override
  public void discard() {
    timer.stop();
    last.clear();
    rows = 0;
    bytes = 0;
  }
}
