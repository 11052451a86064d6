// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.kafka.TransactionDescription.State;
import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;

/**
 * One transactional id of a writer, with the producer that keeps it for the writer's life. Its
 * transactions follow one another; each is ended by a committer somewhere.
 *
 * <p>On v2 the next one begins with the producer id and epoch the broker moved the id to when it
 * ended the last, without a request. On v1 an end leaves the epoch as it is, so the id is
 * initialised before each begin: no two transactions share an epoch. Used by the task thread.
 */
final class KafkaSlot implements AutoCloseable {

  /** What is done with an id right after the producer has initialised it. */
  interface Initialized {
    /** For producers that need nothing more. */
    Initialized NOTHING = (id, producer) -> {};

    /** Called by the task thread. */
    void then(String transactionalId, TransactionalProducer producer)
        throws IOException, InterruptedException;
  }

  /** Where a committed transaction left the id. */
  private record Left(long producerId, short epoch) {}

  private final String transactionalId;
  private final String table;
  private final Duration patience;
  private final Object transactionTimeout;
  private final TransactionalProducer producer;
  private final Initialized initialized;
  private KafkaHandle last;
  private Left left;
  private long begunNanos;

  KafkaSlot(
      String transactionalId,
      String table,
      Map<String, Object> properties,
      Duration patience,
      Initialized initialized)
      throws IOException {
    this.transactionalId = transactionalId;
    this.table = table;
    this.patience = patience;
    this.initialized = initialized;
    this.transactionTimeout = properties.get(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);
    try {
      this.producer = new TransactionalProducer(properties);
    } catch (KafkaException e) {
      throw new IOException("Table " + table + ": cannot create a Kafka producer", e);
    }
  }

  String transactionalId() {
    return transactionalId;
  }

  TransactionalProducer producer() {
    return producer;
  }

  /** Begins the first transaction of this id. */
  void beginFirst() throws IOException, InterruptedException {
    initialize(producer::initialize);
    begin();
  }

  /** Begins the next one; the last was {@link #committed} or empty. */
  void beginNext() throws IOException, InterruptedException {
    if (last.empty()) {
      producer.resume(last.producerId(), last.epoch());
    } else if (left != null && last.v2()) {
      producer.resume(left.producerId(), left.epoch());
    } else if (left != null) {
      initialize(producer::initializeAgain);
    } else {
      throw new IllegalStateException(transactionalId + " was not seen committed");
    }
    begin();
  }

  /**
   * Begins the next one after a time in which the broker may have forgotten this id, or may do so
   * any moment: initialising it counts as a use.
   */
  void beginAfterIdling() throws IOException, InterruptedException {
    initialize(producer::initializeAgain);
    begin();
  }

  private void begin() {
    left = null;
    begunNanos = System.nanoTime();
    producer.beginTransaction();
  }

  /** Notes the transaction that was written last. */
  void wrote(KafkaHandle handle) {
    last = handle;
  }

  /** Notes that the last transaction is committed and where that left the id. */
  void committed(KafkaHandle handle, TransactionDescription now) {
    if (last != null
        && last.producerId() == handle.producerId()
        && last.epoch() == handle.epoch()) {
      left = new Left(now.producerId(), now.epoch());
    }
  }

  /** Whether the last transaction of this id was begun at most {@code age} ago. */
  boolean begunWithin(Duration age) {
    return System.nanoTime() - begunNanos < age.toNanos();
  }

  /** Whether nobody has used the id since its last transaction. */
  boolean isWhereItWasLeft(TransactionDescription now) {
    if (last.empty()) {
      return now.state() == State.EMPTY
          && now.producerId() == last.producerId()
          && now.epoch() == last.epoch();
    }
    return now.isCommit() && now.producerId() == left.producerId() && now.epoch() == left.epoch();
  }

  private void initialize(Runnable first) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    Runnable next = first;
    while (true) {
      try {
        next.run();
        break;
      } catch (InterruptException e) {
        throw interrupted(e);
      } catch (TimeoutException e) {
        if (System.nanoTime() - deadline > 0) {
          throw failed("did not become usable within " + patience, e);
        }
        // The request is still under way; asking again waits for it on.
        next = producer::initialize;
      } catch (TransactionalIdAuthorizationException e) {
        throw failed("is denied. " + BrokerRefusal.transactionalIdAcl(transactionalId), e);
      } catch (InvalidTxnTimeoutException e) {
        throw new RefusedException(
            "Table "
                + table
                + ": the broker allows no transaction timeout of "
                + transactionTimeout
                + " ms; set sink.transaction-timeout to at most its transaction.max.timeout.ms",
            e);
      } catch (KafkaException e) {
        throw failed("cannot be initialised", e);
      }
    }
    initialized.then(transactionalId, producer);
  }

  private IOException failed(String what, KafkaException cause) {
    return new IOException(
        "Table "
            + table
            + ": Kafka transactional id '"
            + transactionalId
            + "' "
            + what
            + " ("
            + cause.getMessage()
            + ")",
        cause);
  }

  /** Turns Kafka's way of saying "interrupted" into Java's. */
  static InterruptedException interrupted(InterruptException e) {
    Thread.interrupted();
    InterruptedException interrupted = new InterruptedException("Interrupted in a Kafka producer");
    interrupted.initCause(e);
    return interrupted;
  }

  @Override
  public void close() {
    producer.close();
  }
}
