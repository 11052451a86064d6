// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.ClusterSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.FlinkCluster;
import dev.flinktxn.fixture.FlinkRest;
import dev.flinktxn.fixture.KeepLogsOnFailure;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.SecuredBroker;
import dev.flinktxn.fixture.SqlResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A13: the drop-in jar, which holds Kafka's client in another package, logs in with the names that
 * Kafka's documentation gives. All of it in one session cluster, one submission after another: each
 * loads the jar anew, while Java's register of SASL mechanisms keeps what the first has put there.
 */
@Tag("full")
class SecuredBrokerProcessITCase {

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final String ROOT = SecuredBroker.SUPER;
  private static final String WRONG = "wr0ng-s3cr3t";

  private static final RunDirectory RUN = RunDirectory.create("secured-jar");

  @RegisterExtension
  static final KeepLogsOnFailure KEEP_LOGS_ON_FAILURE = new KeepLogsOnFailure(RUN);

  private static FlinkCluster cluster;
  private static SecuredBroker broker;

  @BeforeAll
  static void start() {
    Distribution distribution = Distribution.locate();
    cluster =
        FlinkCluster.start(
            RUN,
            distribution,
            ClusterSettings.slots(1).with("metrics.fetcher.update-interval", "500 ms"),
            1);
    broker = SecuredBroker.start(RUN, distribution);
  }

  @AfterAll
  static void stop() {
    broker.close();
    cluster.close();
    RUN.close();
  }

  @AfterEach
  void freeTheSlot() {
    List<String> ended = List.of("FINISHED", "FAILED", "CANCELED");
    for (FlinkRest.Job job : cluster.rest().jobs()) {
      if (!ended.contains(job.state())) {
        cluster.rest().cancel(job.id());
        cluster.awaitState(job.id(), "CANCELED", LIMIT);
      }
    }
  }

  private static Map<String, String> login(String mechanism, String user) {
    return broker.client("SASL_SSL", mechanism, user, SecuredBroker.password(user));
  }

  /** Submits an endless INSERT into a new topic {@code name}, by key where it may fall back. */
  private static String submit(String name, Map<String, String> client, boolean fallsBack) {
    broker.probe().createTopic(name, 1);
    Map<String, String> options = new TreeMap<>();
    client.forEach((key, value) -> options.put("properties." + key, value));
    options.putAll(
        Map.of(
            "connector",
            "txn-kafka",
            "topic",
            name,
            "format",
            "json",
            "sink.transactional-id-prefix",
            name));
    if (fallsBack) {
      options.put("key.format", "json");
      options.put("sink.idempotent-upsert", "fallback");
    }
    String with =
        options.entrySet().stream()
            .map(option -> "'" + option.getKey() + "' = '" + option.getValue() + "'")
            .collect(Collectors.joining(",\n  "));
    SqlResult result =
        cluster
            .sqlClient(Path.of(System.getProperty("connector.jar")))
            .run(
                """
                SET 'execution.checkpointing.interval' = '500 ms';
                CREATE TABLE numbers (n BIGINT) WITH (
                  'connector' = 'datagen', 'rows-per-second' = '10');
                CREATE TABLE topic (n BIGINT%s) WITH (
                  %s);
                INSERT INTO topic SELECT n FROM numbers%s;
                """
                    .formatted(
                        fallsBack ? ", PRIMARY KEY (n) NOT ENFORCED" : "",
                        with,
                        fallsBack ? " ON CONFLICT DO DEDUPLICATE" : ""),
                LIMIT);
    return result.jobId();
  }

  /** Rows arrive, in the mode that the gauge tells; then the job is ended. */
  private static void assertWrites(String name, Map<String, String> client, boolean transactional) {
    String job = submit(name, client, !transactional);
    Await.until("rows in " + name, LIMIT, () -> !broker.probe().committed(name).isEmpty());
    Await.until(
        "the mode of " + name,
        LIMIT,
        () ->
            cluster
                    .rest()
                    .metricSums(job, ".transactional")
                    .equals(List.of(transactional ? 1.0 : 0.0))
                && cluster.rest().restarts(job) == 0);
    assertThat(broker.probe().transactions(name + "~").isEmpty()).isEqualTo(!transactional);
    cluster.rest().cancel(job);
    cluster.awaitState(job, "CANCELED", LIMIT);
  }

  /** The job ends by itself, and says why in a sentence without a secret. */
  private static void assertEnds(String name, Map<String, String> client, String... words) {
    String job = submit(name, client, false);
    cluster.awaitState(job, "FAILED", LIMIT);
    assertThat(cluster.rest().restarts(job)).isZero();
    assertThat(cluster.rest().exceptions(job))
        .singleElement()
        .asString()
        .contains("Table default_catalog.default_database.topic: ")
        .contains(words)
        .doesNotContain("s3cr3t");
  }

  @Test
  void logsInUnderOrdinaryNames() {
    // A login that fails comes first: of the copies of Kafka's client in this cluster it is the
    // first, and it is the one that Java's register keeps.
    assertEnds(
        "wrong-password",
        broker.client("SASL_SSL", "SCRAM-SHA-512", ROOT, WRONG),
        "refused the login",
        "'properties.sasl.jaas.config'");
    assertWrites("scram", login("SCRAM-SHA-512", ROOT), true);
    assertWrites("scram-256", login("SCRAM-SHA-256", ROOT), true);
    assertWrites("plain", login("PLAIN", ROOT), true);

    Map<String, String> official = login("PLAIN", ROOT);
    official.computeIfPresent(
        "sasl.jaas.config", (key, value) -> "org.apache.flink.kafka.shaded." + value);
    assertWrites("official", official, true);

    Map<String, String> others = login("PLAIN", ROOT);
    others.put("partitioner.class", "org.apache.kafka.clients.producer.RoundRobinPartitioner");
    others.put("metric.reporters", "org.apache.kafka.common.metrics.JmxReporter");
    assertWrites("others", others, true);

    Map<String, String> missing = login("PLAIN", ROOT);
    missing.computeIfPresent("sasl.jaas.config", (key, value) -> value.replace("Plain", "Plane"));
    assertEnds(
        "missing",
        missing,
        "'org.apache.kafka.common.security.plain.PlaneLoginModule'",
        "use org.apache.kafka.common.security.plain.PlainLoginModule");
  }

  @Test
  void fallsBackWithoutTheRightToTransactionalIds() {
    String user = SecuredBroker.ORDINARY.get(0);
    broker.allow(
        user,
        ResourceType.TOPIC,
        PatternType.LITERAL,
        "fallen-back",
        AclOperation.WRITE,
        AclOperation.DESCRIBE);
    assertWrites("fallen-back", login("SCRAM-SHA-256", user), false);
  }
}
