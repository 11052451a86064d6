// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.BrokerProcess;
import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.ClusterSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.FlinkCluster;
import dev.flinktxn.fixture.KafkaProbe;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import dev.flinktxn.fixture.PostgresSettings;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.SqlClient;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Kafka, PostgreSQL and Flink as processes, and the shipped scripts filled in for them. */
final class ExampleServers implements AutoCloseable {

  private static final Pattern TOPIC =
      Pattern.compile("--create --topic (\\S+)(?: --partitions (\\d+))?");
  private static final Pattern TABLE =
      Pattern.compile("CREATE TABLE \\w+ \\((?:[^()]|\\([^()]*\\))*\\)");

  private final RunDirectory run;
  private final BrokerProcess broker;
  private final Postgres postgres;
  private final PostgresDatabase database;
  private final FlinkCluster flink;
  private final KafkaProbe kafka;
  private final SqlClient client;

  /** Starts everything; if that fails, what was started ends with this JVM. */
  ExampleServers(RunDirectory run) throws SQLException {
    this.run = run;
    Distribution distribution = Distribution.locate();
    this.broker = BrokerProcess.start(run, distribution, BrokerSettings.usual());
    this.postgres = Postgres.startProcess(run, PostgresSettings.usual());
    this.flink = FlinkCluster.start(run, distribution, ClusterSettings.slots(4), 1);
    this.database = postgres.database();
    this.kafka = new KafkaProbe(broker.bootstrapServers());
    this.client =
        flink.sqlClient(
            Path.of(System.getProperty("connector.jar")),
            distribution.connector("flink-sql-connector-kafka"));
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  String jdbcUrl() {
    return database.url() + "?user=" + database.user();
  }

  FlinkCluster flink() {
    return flink;
  }

  KafkaProbe kafka() {
    return kafka;
  }

  PostgresDatabase database() {
    return database;
  }

  SqlClient client() {
    return client;
  }

  /** Creates the topics and tables that the head of the script asks for, and fills it in. */
  Path prepare(String name) throws SQLException {
    String script = SqlScript.shipped(name).text();
    String head = comments(script.lines().takeWhile(line -> !line.isEmpty()));
    for (Matcher topic = TOPIC.matcher(head); topic.find(); ) {
      kafka.createTopic(
          topic.group(1), topic.group(2) == null ? 1 : Integer.parseInt(topic.group(2)));
    }
    for (Matcher table = TABLE.matcher(head); table.find(); ) {
      database.execute(table.group());
    }
    return run.write(name, List.of(filledIn(script)));
  }

  private String filledIn(String script) {
    Map<String, String> values =
        Map.of(
            "bootstrap.servers",
            bootstrapServers(),
            "jdbc.url",
            jdbcUrl(),
            "directory",
            files().toUri().toString());
    SqlScript filled = new SqlScript(script);
    for (Map.Entry<String, String> value : values.entrySet()) {
      if (script.contains("${" + value.getKey() + "}")) {
        filled = filled.with(value.getKey(), value.getValue());
      }
    }
    return filled.complete();
  }

  /** Where the script that writes files puts them. */
  Path files() {
    return run.path().resolve("files");
  }

  /** The text of comment lines, as one line. */
  static String comments(Stream<String> lines) {
    return String.join(" ", lines.map(line -> line.replaceFirst("^--\\s*", "")).toList());
  }

  /** Appends records to the first partition of a topic. */
  void send(String topic, List<String> records) {
    StringSerializer strings = new StringSerializer();
    Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers());
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings, strings, strings)) {
      records.forEach(record -> producer.send(new ProducerRecord<>(topic, 0, null, record)));
    }
  }

  @Override
  public void close() throws SQLException {
    try (broker;
        postgres;
        database;
        flink;
        kafka) {
      // Ends all of them, the last one first.
    }
  }
}
