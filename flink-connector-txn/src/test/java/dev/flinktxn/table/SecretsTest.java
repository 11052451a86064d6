// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password",
        "properties.sasl.jaas.config",
        "properties.ssl.keystore.password",
        "properties.ssl.keystore.key",
        "properties.sslpassword",
        "s3.secret-key",
        "properties.sasl.oauthbearer.client.credentials.client.secret",
        "avro-confluent.basic-auth.user-info",
        "auth.token"
      })
  void knowsOptionsThatHoldOne(String key) {
    assertThat(Secrets.named(key)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "url",
        "username",
        "key.format",
        "key.fields",
        "properties.ssl.truststore.location",
        "properties.sasl.oauthbearer.token.endpoint.url",
        "sink.transactional-id-prefix",
        "properties.sasl.mechanism"
      })
  void leavesOthers(String key) {
    assertThat(Secrets.named(key)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://h/db?user=u&password=p",
        "jdbc:postgresql://h/db?sslpassword=p",
        "mongodb://user:pw@host/db",
        "a.b.PlainLoginModule required username=\"u\" password=\"p\";"
      })
  void findsOneInAValue(String value) {
    assertThat(Secrets.within(value)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://h:5432/db?ssl=true&ApplicationName=a",
        "host:9092,other:9092",
        "file:///tmp/password",
        "password",
        "http://host:80/a@b"
      })
  void findsNoneInOthers(String value) {
    assertThat(Secrets.within(value)).isFalse();
  }
}
