// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.internals.TransactionManager;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;

/**
 * A producer whose transactions are ended by somebody else: the one place that reaches into
 * kafka-clients by reflection. Kafka's own producer wants to end what it began; here a committer
 * does, so the producer must be told afterwards what the answer to EndTxn would have told it.
 *
 * <p>kafka-clients is packed into our jar at one version, and a test covers every member named
 * here.
 */
final class TransactionalProducer implements AutoCloseable {

  private final KafkaProducer<byte[], byte[]> producer;
  private final TransactionManager manager;
  private final Method transitionTo;
  private final Method setProducerIdAndEpoch;
  private final Method producerIdAndEpoch;
  private final Method resetSequenceNumbers;
  private final Method resetTransactionState;
  private final Object ending;

  TransactionalProducer(Map<String, Object> properties) {
    this.producer = new KafkaProducer<>(properties);
    try {
      Field managerField = KafkaProducer.class.getDeclaredField("transactionManager");
      managerField.setAccessible(true);
      this.manager = (TransactionManager) managerField.get(producer);
      Class<?> state = TransactionManager.class.getDeclaredField("currentState").getType();
      this.transitionTo = method("transitionTo", state);
      this.setProducerIdAndEpoch = method("setProducerIdAndEpoch", ProducerIdAndEpoch.class);
      this.producerIdAndEpoch = method("producerIdAndEpoch");
      this.resetSequenceNumbers = method("resetSequenceNumbers");
      this.resetTransactionState = method("resetTransactionState");
      Field endingField = state.getDeclaredField("COMMITTING_TRANSACTION");
      endingField.setAccessible(true);
      this.ending = endingField.get(null);
    } catch (ReflectiveOperationException | RuntimeException e) {
      producer.close(Duration.ZERO);
      throw new IllegalStateException("This kafka-clients is not the one of the sink's jar", e);
    }
  }

  private static Method method(String name, Class<?>... parameters) throws NoSuchMethodException {
    Method method = TransactionManager.class.getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    return method;
  }

  KafkaProducer<byte[], byte[]> producer() {
    return producer;
  }

  /** Gets a producer id for the transactional id; aborts what is open under it. */
  void initialize() {
    producer.initTransactions();
  }

  /** {@link #initialize} once more, after somebody else has ended the transaction begun here. */
  void initializeAgain() {
    synchronized (manager) {
      invoke(transitionTo, ending);
      invoke(resetSequenceNumbers);
      invoke(resetTransactionState);
      manager.transitionToUninitialized(new KafkaException("initialised anew"));
      invoke(setProducerIdAndEpoch, ProducerIdAndEpoch.NONE);
    }
    producer.initTransactions();
  }

  /**
   * Makes the producer ready for the next transaction, after somebody else has ended the one begun
   * here and the broker moved the id to this producer id and epoch. Does what the producer itself
   * does with the answer to its own EndTxn; asks the broker nothing.
   */
  void resume(long producerId, short epoch) {
    synchronized (manager) {
      invoke(transitionTo, ending);
      invoke(setProducerIdAndEpoch, new ProducerIdAndEpoch(producerId, epoch));
      invoke(resetSequenceNumbers);
      manager.maybeUpdateTransactionV2Enabled(true);
      invoke(resetTransactionState);
    }
  }

  /** Goes on with what the broker answered to an initialisation that was not sent from here. */
  void become(ProducerIdAndEpoch initialized) {
    synchronized (manager) {
      invoke(setProducerIdAndEpoch, initialized);
      invoke(resetSequenceNumbers);
    }
  }

  void beginTransaction() {
    producer.beginTransaction();
  }

  /** Whether the transaction in progress is written under transaction version 2. */
  boolean transactionV2() {
    return manager.isTransactionV2Enabled();
  }

  long producerId() {
    return current().producerId;
  }

  short epoch() {
    return current().epoch;
  }

  ProducerIdAndEpoch current() {
    return (ProducerIdAndEpoch) invoke(producerIdAndEpoch);
  }

  private Object invoke(Method method, Object... arguments) {
    try {
      return method.invoke(manager, arguments);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          "The Kafka producer is not in the state to be resumed", e.getCause());
    }
  }

  /**
   * Stops the producer where it stands: what it has begun is neither committed nor aborted. Returns
   * when its thread has ended.
   */
  @Override
  public void close() {
    // An interrupted thread would leave the producer's own thread behind.
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
