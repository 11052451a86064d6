// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * The input of a torture run: numbered rows, written to a topic by a thread of its own, each once,
 * past the relay. What has to come out follows from how many there were.
 */
final class TortureRows implements AutoCloseable {

  static final int KEYS = 200;

  private static final int STEPS_PER_SECOND = 20;

  private final KafkaProducer<String, String> producer;
  private final String topic;
  private final int perSecond;
  private final Thread thread;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean ending;
  private volatile long written;

  TortureRows(String bootstrapServers, String topic, int perSecond) {
    this.topic = topic;
    this.perSecond = perSecond;
    // However long the broker is away, each row is written once and none is given up.
    Map<String, Object> properties =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            true,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            Integer.MAX_VALUE,
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            Long.MAX_VALUE,
            ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
            500);
    producer = new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
    thread = new Thread(this::write, "torture-rows");
    thread.setDaemon(true);
    thread.start();
  }

  private void write() {
    long start = System.nanoTime();
    Future<RecordMetadata> last = null;
    while (!ending && failure.get() == null) {
      long due = (System.nanoTime() - start) * perSecond / Duration.ofSeconds(1).toNanos();
      while (written < due && !ending) {
        last = producer.send(new ProducerRecord<>(topic, row(written)), this::sent);
        written++;
      }
      LockSupport.parkNanos(Duration.ofSeconds(1).toNanos() / STEPS_PER_SECOND);
    }
    if (last != null) {
      producer.flush();
    }
  }

  private void sent(RecordMetadata metadata, Exception trouble) {
    if (trouble != null) {
      failure.compareAndSet(null, trouble);
    }
  }

  /** Ends the input; when it returns every row is in the topic. */
  long end() {
    ending = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    if (failure.get() != null) {
      throw new IllegalStateException("the input itself was not written", failure.get());
    }
    return written;
  }

  /** A row as it goes in, and comes out of the append sinks. */
  static String row(long id) {
    return "{\"id\":" + id + ",\"k\":" + id % KEYS + ",\"v\":\"row-" + id + "\"}";
  }

  /** What has to be in the append sinks. */
  static Tally appended(long rows, List<String> found) {
    Tally tally = new Tally(found);
    for (long id = 0; id < rows; id++) {
      tally.expect(row(id));
    }
    return tally;
  }

  /** The changes of every key: its first row, its second, and so on, each once. */
  static Tally changes(long rows, List<String> found) {
    Tally tally = new Tally(found);
    Map<Long, Long> counts = new HashMap<>();
    for (long id = 0; id < rows; id++) {
      long key = id % KEYS;
      tally.expect(key + " " + counts.merge(key, 1L, Long::sum));
    }
    return tally;
  }

  /** The last state of every key. */
  static Tally states(long rows, List<String> found) {
    Map<Long, long[]> states = new HashMap<>();
    for (long id = 0; id < rows; id++) {
      long[] state = states.computeIfAbsent(id % KEYS, key -> new long[3]);
      state[0]++;
      state[1] = Math.max(state[1], id);
      state[2] += id;
    }
    Tally tally = new Tally(found);
    states.forEach((key, s) -> tally.expect(key + " " + s[0] + " " + s[1] + " " + s[2]));
    return tally;
  }

  @Override
  public void close() {
    ending = true;
    producer.close(Duration.ZERO);
  }

  /** The multiset of what was found, held against what was to be found. */
  static final class Tally {

    private final Map<String, Integer> left = new HashMap<>();
    private long lost;
    private long duplicated;

    Tally(List<String> found) {
      found.forEach(row -> left.merge(row, 1, Integer::sum));
    }

    private void expect(String row) {
      Integer count = left.remove(row);
      if (count == null) {
        lost++;
      } else {
        duplicated += count - 1;
      }
    }

    long lost() {
      return lost;
    }

    /** Rows found more than once, or that were never to be found. */
    long duplicated() {
      return duplicated + left.values().stream().mapToInt(Integer::intValue).sum();
    }
  }
}
