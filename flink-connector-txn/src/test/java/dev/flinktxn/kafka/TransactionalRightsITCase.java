// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.CapturedLog;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.KeepLogsOnFailure;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.SecuredBroker;
import dev.flinktxn.fixture.SqlPlanner;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.api.TableResult;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * K11: what a principal needs to write in transactions, and where a table goes on without them
 * because the principal may not.
 */
class TransactionalRightsITCase {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration PLANNING = Duration.ofSeconds(10);
  private static final String ENABLED = SecuredBroker.ORDINARY.get(0);
  private static final String WITHOUT_IDS = SecuredBroker.ORDINARY.get(1);
  private static final String OWN = "own";

  private static final RunDirectory RUN = RunDirectory.create("rights");

  @RegisterExtension
  static final KeepLogsOnFailure KEEP_LOGS_ON_FAILURE = new KeepLogsOnFailure(RUN);

  private static SecuredBroker broker;
  private String topic;

  @BeforeAll
  static void start() {
    broker = SecuredBroker.start(RUN, Distribution.locate());
    broker.allow(
        ENABLED,
        ResourceType.TRANSACTIONAL_ID,
        PatternType.PREFIXED,
        OWN,
        AclOperation.WRITE,
        AclOperation.DESCRIBE);
  }

  @AfterAll
  static void stop() {
    broker.close();
    RUN.close();
  }

  @BeforeEach
  void createTopic() {
    topic = "rows-" + UUID.randomUUID();
    broker.probe().createTopic(topic, 1);
    for (String user : SecuredBroker.ORDINARY) {
      broker.allow(
          user,
          ResourceType.TOPIC,
          PatternType.LITERAL,
          topic,
          AclOperation.WRITE,
          AclOperation.DESCRIBE);
    }
  }

  private static Map<String, String> login(String user) {
    return broker.client("SASL_PLAINTEXT", "PLAIN", user, SecuredBroker.password(user));
  }

  private String[] options(Map<String, String> client, String prefix, String... more) {
    List<String> options =
        new ArrayList<>(List.of("topic", topic, "sink.transactional-id-prefix", prefix));
    client.forEach((key, value) -> options.addAll(List.of("properties." + key, value)));
    options.addAll(Arrays.asList(more));
    return options.toArray(String[]::new);
  }

  private static Sql session() {
    return Sql.streaming("execution.checkpointing.interval", "500 ms");
  }

  private Sql append(String user, String prefix) {
    return session().table(options(login(user), prefix));
  }

  /** A table by key that falls back, or does not, in a session. */
  private Sql keyed(Map<String, String> client, String prefix, String upsert) {
    return session()
        .declare(
            "orders",
            "id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED",
            options(client, prefix, "key.format", "json", "sink.idempotent-upsert", upsert));
  }

  private static TableResult insert(Sql sql, boolean byKey) {
    String insert = "INSERT INTO orders VALUES (1, 'a'), (2, 'b')";
    return sql.tables().executeSql(byKey ? SqlPlanner.byKey(insert) : insert);
  }

  private void awaitTwoRows() {
    Await.until("rows", LIMIT, () -> broker.probe().committed(topic).size() >= 2);
    assertThat(broker.probe().committed(topic))
        .containsExactlyInAnyOrder("{\"id\":1,\"name\":\"a\"}", "{\"id\":2,\"name\":\"b\"}");
  }

  private static void assertDenied(TableResult insert, String... words) {
    Throwable failure = catchThrowable(() -> insert.await(60, TimeUnit.SECONDS));
    assertThat(failure).isNotNull();
    assertThat(Throwables.getStackTrace(failure))
        .contains("kafka-acls.sh --add")
        .contains(words)
        .doesNotContain("s3cr3t");
  }

  @Test
  void theIdsOfThePrefixAndTheTopicAreEnough() throws Exception {
    insert(append(ENABLED, OWN + ".orders"), false).await(60, TimeUnit.SECONDS);
    awaitTwoRows();
    assertThat(broker.probe().transactions(OWN + ".orders~")).isNotEmpty();
  }

  @Test
  void idsOfAnotherPrefixAreDeniedNamingTheAcl() {
    assertDenied(
        insert(append(ENABLED, "other"), false),
        "option 'sink.transactional-id-prefix' = 'other'",
        "--resource-pattern-type prefixed --transactional-id 'other'");
  }

  @Test
  void aTopicOfSomebodyElseIsDeniedNamingTheAcl() {
    topic = "foreign-" + UUID.randomUUID();
    broker.probe().createTopic(topic, 1);
    assertDenied(
        insert(append(ENABLED, OWN + ".foreign"), false),
        "option 'topic' names [" + topic + "]",
        "--topic '" + topic + "'");
  }

  @Test
  void aKeyedTableWithoutTheRightFallsBackAndSaysSoOnce() throws Exception {
    try (CapturedLog log = CapturedLog.ofWarnings()) {
      TableResult job = insert(keyed(login(WITHOUT_IDS), "fallback", "fallback"), true);
      assertThat(log.messages())
          .filteredOn(warning -> warning.contains("idempotent"))
          .singleElement()
          .asString()
          .contains("orders", "sink.idempotent-upsert", "no transactional id may be used")
          .contains("kafka-acls.sh --add", "--transactional-id 'fallback'")
          .doesNotContain("s3cr3t");
      job.await(60, TimeUnit.SECONDS);
    }
    awaitTwoRows();
    assertThat(broker.probe().transactions("fallback~")).isEmpty();
  }

  @Test
  void aKeyedTableThatNeverFallsBackIsDeniedNamingTheAcl() {
    assertDenied(
        insert(keyed(login(WITHOUT_IDS), "never", "never"), true),
        "option 'sink.transactional-id-prefix' = 'never'",
        "--transactional-id 'never'");
    assertThat(broker.probe().committed(topic)).isEmpty();
  }

  @Test
  void aKeyedTableWithTheRightStaysTransactional() throws Exception {
    try (CapturedLog log = CapturedLog.ofWarnings()) {
      insert(keyed(login(ENABLED), OWN + ".keyed", "fallback"), true).await(60, TimeUnit.SECONDS);
      assertThat(log.messages()).noneMatch(warning -> warning.contains("idempotent"));
    }
    awaitTwoRows();
    assertThat(broker.probe().transactions(OWN + ".keyed~")).isNotEmpty();
  }

  /** A refused login says nothing about transactions: it is the tasks' to report. */
  @Test
  void aWrongPasswordIsNoReasonToFallBack() throws Exception {
    assertStaysTransactional(broker.client("SASL_PLAINTEXT", "PLAIN", WITHOUT_IDS, "wr0ng-s3cr3t"));
  }

  @Test
  void brokersThatAreAwayAreNoReasonToFallBack() throws Exception {
    assertStaysTransactional(Map.of("bootstrap.servers", "127.0.0.1:1"));
  }

  @Test
  void brokersThatSayNothingAreNoReasonToFallBack() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      assertStaysTransactional(Map.of("bootstrap.servers", "127.0.0.1:" + silent.getLocalPort()));
    }
  }

  private void assertStaysTransactional(Map<String, String> client) {
    Sql sql = keyed(client, "away", "fallback");
    String insert = "INSERT INTO orders SELECT * FROM endless";
    // The first plan of a session loads the planner.
    sql.plan("SELECT * FROM endless");
    try (CapturedLog log = CapturedLog.ofWarnings()) {
      long start = System.nanoTime();
      sql.plan(SqlPlanner.byKey(insert));
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PLANNING);
      assertThat(log.messages()).noneMatch(warning -> warning.contains("idempotent"));
    }
  }
}
