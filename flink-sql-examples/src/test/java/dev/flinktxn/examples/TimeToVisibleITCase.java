// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.Json;
import dev.flinktxn.fixture.KeepLogsOnFailure;
import dev.flinktxn.fixture.RunDirectory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How long a row takes from its producer to a reader of committed rows, through a job that writes
 * it to both systems. {@code -Dvisible.interval} sets the checkpoint interval in seconds.
 */
@Tag("full")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TimeToVisibleITCase {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int INTERVAL = Integer.getInteger("visible.interval", 1);
  private static final int ROWS = Math.max(500, 6 * INTERVAL * 50);

  private static final String SCRIPT =
      """
      SET 'execution.checkpointing.interval' = '%1$d s';
      CREATE TABLE ticks (id BIGINT, sent BIGINT) WITH (
        'connector' = 'kafka', 'topic' = 'ticks', 'properties.bootstrap.servers' = '%2$s',
        'properties.group.id' = 'ticks', 'scan.startup.mode' = 'earliest-offset',
        'format' = 'json');
      CREATE TABLE topic (id BIGINT, sent BIGINT) WITH (
        'connector' = 'txn-kafka', 'topic' = 'seen', 'properties.bootstrap.servers' = '%2$s',
        'sink.transactional-id-prefix' = 'seen-in-kafka', 'format' = 'json');
      CREATE TABLE seen (id BIGINT, sent BIGINT) WITH (
        'connector' = 'txn-jdbc', 'url' = '%3$s', 'table-name' = 'seen',
        'sink.transactional-id-prefix' = 'seen-in-postgres');
      EXECUTE STATEMENT SET BEGIN
      INSERT INTO topic SELECT * FROM ticks;
      INSERT INTO seen SELECT * FROM ticks;
      END;
      """;

  private static final RunDirectory RUN = RunDirectory.create("visible");

  @RegisterExtension
  static final KeepLogsOnFailure KEEP_LOGS_ON_FAILURE = new KeepLogsOnFailure(RUN);

  private static ExampleServers servers;

  private final List<Long> inKafka = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> inPostgres = Collections.synchronizedList(new ArrayList<>());

  @BeforeAll
  static void start() throws Exception {
    servers = new ExampleServers(RUN);
  }

  @AfterAll
  static void stop() throws Exception {
    if (servers != null) {
      servers.close();
    }
    RUN.close();
  }

  @Test
  void aRowIsVisibleWithTheCheckpointAfterIt() throws Exception {
    servers.kafka().createTopic("ticks", 1);
    servers.kafka().createTopic("seen", 1);
    servers.database().execute("CREATE TABLE seen (id bigint, sent bigint)");
    String script = SCRIPT.formatted(INTERVAL, servers.bootstrapServers(), servers.jdbcUrl());
    String job = servers.client().run(script, LIMIT).jobId();
    servers.flink().awaitRunning(job, LIMIT);
    servers.flink().awaitCheckpoints(job, 1, LIMIT);

    Thread reader = new Thread(this::readTopic, "read-topic");
    Thread observer = new Thread(this::readTable, "read-table");
    reader.start();
    observer.start();
    try {
      send();
      Await.until("all rows", LIMIT, () -> inKafka.size() >= ROWS && inPostgres.size() >= ROWS);
      reader.join();
      observer.join();
    } finally {
      reader.interrupt();
      observer.interrupt();
    }
    report("txn-kafka", inKafka);
    report("txn-jdbc", inPostgres);
    assertThat(inKafka).hasSize(ROWS);
    assertThat(inPostgres).hasSize(ROWS);
  }

  private static void send() {
    StringSerializer strings = new StringSerializer();
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers.bootstrapServers()), strings, strings)) {
      long start = System.nanoTime();
      for (int id = 0; id < ROWS; id++) {
        while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(20L * id)) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        String row = "{\"id\":%d,\"sent\":%d}".formatted(id, System.currentTimeMillis());
        producer.send(new ProducerRecord<>("ticks", row));
      }
    }
  }

  private void readTopic() {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            servers.bootstrapServers(),
            "isolation.level",
            "read_committed",
            "auto.offset.reset",
            "earliest");
    StringDeserializer strings = new StringDeserializer();
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings, strings, strings)) {
      consumer.assign(List.of(new TopicPartition("seen", 0)));
      while (!Thread.currentThread().isInterrupted() && inKafka.size() < ROWS) {
        for (ConsumerRecord<String, String> row : consumer.poll(Duration.ofMillis(10))) {
          inKafka.add(System.currentTimeMillis() - Json.parse(row.value()).get("sent").number());
        }
      }
    }
  }

  private void readTable() {
    long last = -1;
    try (Connection connection = servers.database().connect();
        PreparedStatement rows =
            connection.prepareStatement("SELECT id, sent FROM seen WHERE id > ? ORDER BY id")) {
      while (!Thread.currentThread().isInterrupted() && inPostgres.size() < ROWS) {
        rows.setLong(1, last);
        try (ResultSet found = rows.executeQuery()) {
          long now = System.currentTimeMillis();
          while (found.next()) {
            last = found.getLong(1);
            inPostgres.add(now - found.getLong(2));
          }
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void report(String sink, List<Long> millis) {
    List<Long> sorted = millis.stream().sorted().toList();
    System.out.printf(
        "VISIBLE %s interval %d s, %d rows: least %d ms, median %d ms, 99 %% %d ms, most %d ms%n",
        sink,
        INTERVAL,
        sorted.size(),
        sorted.get(0),
        sorted.get(sorted.size() / 2),
        sorted.get(sorted.size() * 99 / 100),
        sorted.get(sorted.size() - 1));
  }
}
