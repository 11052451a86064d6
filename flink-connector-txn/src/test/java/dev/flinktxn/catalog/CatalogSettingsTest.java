// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.fixture.SqlPlanner;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ObjectPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatalogSettingsTest {

  private static final String URL = "jdbc:postgresql://db/shop?ssl=true&password=s3cr3t";
  private static final Map<String, String> OPTIONS =
      Map.of(
          "type", "txn",
          "url", URL,
          "username", "flink",
          "sink.transactional-id-prefix", "shop",
          "sink.inline-max-size", "2 mb",
          "properties.ApplicationName", "shop",
          "properties.sslpassword", "s3cr3t",
          "txn-kafka.properties.bootstrap.servers", "broker:9092",
          "txn-kafka.properties.sasl.jaas.config", "s3cr3t");

  private static final ObjectPath ORDERS = new ObjectPath("Sales EU", "a.b");

  private static CatalogSettings settings(String... changes) {
    return CatalogSettings.of("pg", SqlPlanner.changed(OPTIONS, changes));
  }

  @Test
  void aTableShowsNoSecretAndItsConnectorGetsThemAll() {
    Map<String, String> shown = settings().tableOptions("txn-jdbc", ORDERS, Map.of());
    assertThat(shown)
        .containsOnly(
            Map.entry("connector", "txn-jdbc"),
            Map.entry("url", "jdbc:postgresql://db/shop?ssl=true"),
            Map.entry("table-name", "Sales EU.\"a.b\""),
            Map.entry("username", "flink"),
            Map.entry("sink.transactional-id-prefix", "shop.Sales_20EU.a_2eb"),
            Map.entry("sink.inline-max-size", "2 mb"),
            Map.entry("properties.ApplicationName", "shop"));
    assertThat(settings().complete("txn-jdbc", ORDERS, shown))
        .containsAllEntriesOf(OPTIONS_FOR_JDBC)
        .containsEntry("url", URL)
        .doesNotContainKey("txn-kafka.properties.bootstrap.servers");
    assertThat(settings().toString() + shown).doesNotContain("s3cr3t");
  }

  private static final Map<String, String> OPTIONS_FOR_JDBC =
      Map.of("properties.sslpassword", "s3cr3t", "properties.ApplicationName", "shop");

  @Test
  void otherConnectorsGetWhatIsGivenUnderTheirName() {
    Map<String, String> own = Map.of("connector", "txn-kafka", "topic", "t");
    Map<String, String> shown = settings().tableOptions("txn-kafka", ORDERS, own);
    assertThat(shown)
        .containsOnly(
            Map.entry("connector", "txn-kafka"),
            Map.entry("topic", "t"),
            Map.entry("properties.bootstrap.servers", "broker:9092"),
            Map.entry("sink.transactional-id-prefix", "shop.Sales_20EU.a_2eb"));
    assertThat(settings().complete("txn-kafka", ORDERS, shown))
        .containsEntry("properties.sasl.jaas.config", "s3cr3t");
    assertThat(settings().tableOptions("kafka", ORDERS, Map.of("connector", "kafka")))
        .containsOnlyKeys("connector");
  }

  @Test
  void aHintToAnotherDatabaseGetsNoCredentials() {
    Map<String, String> given =
        SqlPlanner.changed(
            settings().tableOptions("txn-jdbc", ORDERS, Map.of()),
            "url",
            "jdbc:postgresql://elsewhere/shop",
            "username",
            null);
    assertThat(settings().complete("txn-jdbc", ORDERS, given))
        .containsEntry("url", "jdbc:postgresql://elsewhere/shop")
        .doesNotContainKeys("username", "password", "properties.sslpassword")
        .doesNotContainValue("s3cr3t");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "passwort | x | did you mean 'password'",
        "sink.transaction-prefix | x | use 'sink.transactional-id-prefix' instead",
        "sink.inline-max-sise | 1 mb | did you mean 'sink.inline-max-size'",
        "propertis.ssl | true | did you mean",
        "sink.transactional-id-prefix | a~b | 1 to 64 characters",
        "url | jdbc:mysql://u:s3cr3t@h/db | begins with 'jdbc:mysql:'"
      })
  void refusesWhatCannotBe(String key, String value, String words) {
    assertThatThrownBy(() -> settings(key, value))
        .isInstanceOf(ValidationException.class)
        .hasMessageStartingWith("Catalog pg: option '" + key + "'")
        .hasMessageContaining(words)
        .hasMessageNotContaining("s3cr3t");
  }

  @Test
  void refusesToBeWithoutUrl() {
    assertThatThrownBy(() -> settings("url", null)).hasMessageContaining("option 'url' is not set");
  }
}
