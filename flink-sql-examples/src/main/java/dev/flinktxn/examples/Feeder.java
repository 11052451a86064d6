// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Writes the flights into the input topic at an even pace, in order of departure within each
 * partition, and a closing mark behind the last flight of each. Holds back the last flights until
 * it is told that enough checkpoints have completed. Has a thread of its own; its methods are for
 * another one.
 */
final class Feeder implements AutoCloseable {

  private static final Duration FEED = Duration.ofSeconds(25);
  private static final Duration SLICE = Duration.ofMillis(50);

  private final String bootstrapServers;
  private final String topic;
  private final int partitions;
  private final List<Flight> flights;
  private final int perSlice;
  private final int heldBack;
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final Thread thread = new Thread(this::run, "feeder");
  private volatile boolean released;
  private volatile int sent;

  /** A feeder that is not started yet. */
  Feeder(String bootstrapServers, String topic, int partitions, List<Flight> flights) {
    this.bootstrapServers = bootstrapServers;
    this.topic = topic;
    this.partitions = partitions;
    this.flights = flights;
    this.perSlice = Math.toIntExact(flights.size() * SLICE.toMillis() / FEED.toMillis());
    this.heldBack = flights.size() / 20;
  }

  void start() {
    thread.start();
  }

  private void run() {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "acks", "all", "enable.idempotence", true);
    StringSerializer strings = new StringSerializer();
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings, strings, strings)) {
      long start = System.nanoTime();
      for (int i = 0; i < flights.size(); i++) {
        if (i % perSlice == 0) {
          parkUntil(start + i / perSlice * SLICE.toNanos());
        }
        while (i == flights.size() - heldBack && !released && !thread.isInterrupted()) {
          LockSupport.parkNanos(SLICE.toNanos());
        }
        if (thread.isInterrupted()) {
          throw new IllegalStateException("stopped after " + i + " flights");
        }
        send(producer, i % partitions, flights.get(i).json());
        sent = i + 1;
      }
      String closingMark = Flight.closingMark(flights.get(flights.size() - 1).departure());
      for (int partition = 0; partition < partitions; partition++) {
        send(producer, partition, closingMark);
      }
      producer.flush();
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  private static void parkUntil(long nanos) {
    while (System.nanoTime() < nanos && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(nanos - System.nanoTime());
    }
  }

  private void send(KafkaProducer<String, String> producer, int partition, String record) {
    producer.send(
        new ProducerRecord<>(topic, partition, null, record),
        (metadata, e) -> {
          if (e != null) {
            failure.compareAndSet(null, e);
          }
        });
  }

  /** Lets the last flights go. */
  void sendTheRest() {
    released = true;
  }

  boolean halfSent() {
    return sent >= flights.size() / 2;
  }

  /** How many flights were handed to the producer. */
  int sent() {
    return sent;
  }

  /**
   * Whether everything has arrived in the topic.
   *
   * @throws IllegalStateException when something certainly or possibly has not
   */
  boolean finished() {
    if (failure.get() != null) {
      throw new IllegalStateException("not every flight reached " + topic, failure.get());
    }
    return !thread.isAlive();
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
