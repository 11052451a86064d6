// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.KeepLogsOnFailure;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.SecuredBroker;
import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that asks for SSL and SASL: who gets in, and what those are told who do not. */
class SecuredBrokerITCase {

  private static final Duration START = Duration.ofSeconds(15);
  private static final String WRONG = "wr0ng-s3cr3t";

  private static final RunDirectory RUN = RunDirectory.create("secured");

  @RegisterExtension
  static final KeepLogsOnFailure KEEP_LOGS_ON_FAILURE = new KeepLogsOnFailure(RUN);

  private static SecuredBroker broker;

  @BeforeAll
  static void start() {
    broker = SecuredBroker.start(RUN, Distribution.locate());
  }

  @AfterAll
  static void stop() {
    broker.close();
    RUN.close();
  }

  private static Map<String, String> login(String protocol, String mechanism) {
    return broker.client(
        protocol, mechanism, SecuredBroker.SUPER, SecuredBroker.password(SecuredBroker.SUPER));
  }

  static Stream<Arguments> connections() {
    return Stream.of(
        Arguments.of("PLAIN", login("SASL_PLAINTEXT", "PLAIN")),
        Arguments.of("SCRAM-SHA-256", login("SASL_PLAINTEXT", "SCRAM-SHA-256")),
        Arguments.of("SCRAM-SHA-512", login("SASL_PLAINTEXT", "SCRAM-SHA-512")),
        Arguments.of("SSL, PEM", broker.client("SSL")),
        Arguments.of("SSL, PKCS12", broker.clientWithPkcs12("SSL")),
        Arguments.of("SASL over SSL", login("SASL_SSL", "SCRAM-SHA-512")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("connections")
  void anInsertIsCommitted(String name, Map<String, String> client) throws Exception {
    String topic = "rows-" + UUID.randomUUID();
    broker.probe().createTopic(topic, 2);
    List<String> options =
        new ArrayList<>(List.of("topic", topic, "sink.transactional-id-prefix", topic));
    client.forEach((key, value) -> options.addAll(List.of("properties." + key, value)));
    Sql.streaming("execution.checkpointing.interval", "10 min")
        .table(options.toArray(String[]::new))
        .tables()
        .executeSql("INSERT INTO orders VALUES (1, 'a'), (2, 'b')")
        .await(60, TimeUnit.SECONDS);
    assertThat(broker.probe().committed(topic))
        .containsExactlyInAnyOrder("{\"id\":1,\"name\":\"a\"}", "{\"id\":2,\"name\":\"b\"}");
    assertThat(broker.probe().transactions(topic + "~")).isNotEmpty();
    assertThat(broker.probe().isStable(topic)).isTrue();
  }

  private interface Opening {
    AutoCloseable open(KafkaRig rig) throws Exception;
  }

  /** The start of a writer with {@code client}, with and without transactions. */
  private static List<Throwable> starts(Map<String, String> client) throws Exception {
    List<Throwable> failures = new ArrayList<>();
    for (Opening opening : List.<Opening>of(KafkaRig::writer, KafkaRig::rowTarget)) {
      try (KafkaRig rig =
          new KafkaRig(broker.process().bootstrapServers(), broker.probe().admin())) {
        rig.properties.putAll(client);
        long start = System.nanoTime();
        failures.add(catchThrowable(() -> opening.open(rig)));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(START);
      }
    }
    return failures;
  }

  /** One sentence, said once and for all, and no secret in it or below. */
  private static void assertRefused(Map<String, String> client, String... words) throws Exception {
    assertThat(starts(client))
        .allSatisfy(
            failure -> {
              assertThat(failure)
                  .isInstanceOf(RefusedException.class)
                  .hasMessageStartingWith("Table t: ")
                  .hasMessageEndingWith(".")
                  .hasMessageContainingAll(words);
              assertThat(Throwables.getStackTrace(failure)).doesNotContain("s3cr3t");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"PLAIN", "SCRAM-SHA-256"})
  void aWrongPasswordIsRefused(String mechanism) throws Exception {
    assertRefused(
        broker.client("SASL_SSL", mechanism, SecuredBroker.SUPER, WRONG),
        "refused the login",
        "'properties.sasl.jaas.config'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PLAIN", "SCRAM-SHA256", "GSSAPI"})
  void aMechanismThatTheLoginIsNotForIsRefused(String mechanism) throws Exception {
    Map<String, String> client = login("SASL_PLAINTEXT", "SCRAM-SHA-256");
    client.put("sasl.mechanism", mechanism);
    assertRefused(
        client,
        "option 'properties.sasl.mechanism' is '" + mechanism + "'",
        "'properties.sasl.jaas.config'",
        "ScramLoginModule",
        "[SCRAM-SHA-256, SCRAM-SHA-512]");
  }

  @Test
  void aMechanismThatTheBrokerDoesNotTakeIsRefused() throws Exception {
    Map<String, String> client = login("SASL_PLAINTEXT", "PLAIN");
    client.put("sasl.mechanism", "OAUTHBEARER");
    client.put(
        "sasl.jaas.config",
        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required"
            + " unsecuredLoginStringClaim_sub=\"root\";");
    client.put(
        "sasl.login.callback.handler.class",
        "org.apache.kafka.common.security.oauthbearer.internals.unsecured"
            + ".OAuthBearerUnsecuredLoginCallbackHandler");
    assertRefused(client, "'OAUTHBEARER' not enabled", "'properties.sasl.mechanism'");
  }

  @Test
  void aCertificateThatNobodyTrustsIsRefused() throws Exception {
    Map<String, String> client = broker.client("SSL");
    client.keySet().removeIf(key -> key.startsWith("ssl."));
    assertRefused(client, "SSL handshake", "certification path", "properties.ssl.", "trust store");
  }

  @Test
  void aMissingTrustStoreIsRefused() throws Exception {
    Map<String, String> client = login("SASL_SSL", "PLAIN");
    client.put("ssl.truststore.location", "/nowhere/trust.pem");
    assertRefused(client, "/nowhere/trust.pem", "properties.ssl.");
  }

  @Test
  void aWrongPasswordOfTheTrustStoreIsRefused() throws Exception {
    Map<String, String> client = broker.clientWithPkcs12("SSL");
    client.put("ssl.truststore.password", WRONG);
    assertRefused(client, "trust.p12", "password", "properties.ssl.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PLAIN", "SCRAM-SHA-256"})
  void aMissingLoginModuleIsRefusedWithTheOneToUse(String mechanism) throws Exception {
    Map<String, String> client = login("SASL_PLAINTEXT", mechanism);
    String usual = client.get("sasl.jaas.config").replaceAll(" .*", "");
    client.put("sasl.jaas.config", "com.example.Login required password=\"s3cr3t\";");
    assertRefused(
        client,
        "option 'properties.sasl.jaas.config' names the login module 'com.example.Login'",
        "use " + usual);
  }

  /** Kafka's own words repeat the piece that they stumble over. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x.Login required password=\"a\"s3cr3t\";",
        "x.Login s3cr3t password=\"a\";",
        "x.Login required password=\"s3cr3t\"",
        "x.Login required password='a' \"s3'cr3t s3cr3t\";"
      })
  void aMalformedLoginIsRefusedWithoutQuotingIt(String jaas) throws Exception {
    Map<String, String> client = login("SASL_PLAINTEXT", "PLAIN");
    client.put("sasl.jaas.config", jaas);
    assertRefused(
        client,
        "option 'properties.sasl.jaas.config' cannot be used",
        "PlainLoginModule required",
        "semicolon");
  }

  @Test
  void noLoginAtAllIsRefused() throws Exception {
    Map<String, String> client = login("SASL_PLAINTEXT", "PLAIN");
    client.remove("sasl.jaas.config");
    assertRefused(client, "'properties.sasl.jaas.config' is not set", "PlainLoginModule required");
  }

  @Test
  void aLoginThatNoConnectionUsesIsNotLookedAt() throws Exception {
    Map<String, String> client =
        Map.of("sasl.jaas.config", "com.example.Login required password=\"s3cr3t\";");
    assertThat(starts(client)).containsOnlyNulls();
  }

  /** Which of the two sides does not know of the other's security cannot be told from here. */
  @Tag("full")
  @ParameterizedTest
  @ValueSource(strings = {"SASL_PLAINTEXT", "SSL"})
  void aClientThatOffersNoSecurityIsAPassingTrouble(String protocol) throws Exception {
    Map<String, String> client =
        Map.of("bootstrap.servers", broker.client(protocol).get("bootstrap.servers"));
    assertThat(starts(client))
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(RefusedException.class)
                    .hasMessageContaining("properties.bootstrap.servers")
                    .hasMessageContaining("properties.security.protocol"));
  }
}
