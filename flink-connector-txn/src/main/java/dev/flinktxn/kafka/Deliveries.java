// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.metrics.Counter;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;

/**
 * Keeps the first failed delivery of many records until the task thread asks for it. The producer's
 * thread reports, the task thread asks; one object serves all records, so that none costs one.
 */
final class Deliveries implements Callback {

  private record Failure(String topic, Exception cause) {}

  private final String table;
  private final Counter errors;
  private final AtomicReference<Failure> first = new AtomicReference<>();
  private final AtomicInteger failed = new AtomicInteger();
  private int counted;

  Deliveries(String table, Counter errors) {
    this.table = table;
    this.errors = errors;
  }

  @Override
  public void onCompletion(RecordMetadata metadata, Exception exception) {
    if (exception != null) {
      failed.incrementAndGet();
      first.compareAndSet(null, new Failure(metadata == null ? null : metadata.topic(), exception));
    }
  }

  /**
   * Fails if a delivery has failed.
   *
   * @throws RefusedException if it would fail again for ever
   * @throws IOException otherwise
   */
  void check() throws IOException {
    Failure failure = first.get();
    if (failure != null) {
      int now = failed.get();
      errors.inc(now - counted);
      counted = now;
      throw failure(table, failure.topic(), failure.cause());
    }
  }

  /** The failure of one record in words. */
  static IOException failure(String table, String topic, Exception cause) {
    String where = "Table " + table + ": a record for Kafka topic '" + topic + "' ";
    if (cause instanceof RecordTooLargeException) {
      return new RefusedException(
          where
              + "is too large: "
              + cause.getMessage()
              + " Raise properties.max.request.size, and max.message.bytes of the topic, or keep"
              + " such rows out.",
          cause);
    }
    return new IOException(where + "could not be written: " + cause.getMessage(), cause);
  }
}
