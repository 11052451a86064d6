// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of Kafka's classes in a jar that holds them in package {@code moved}. */
class ClientClassNamesTest {

  private static final String PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule";
  private static final String MOVED = "moved.common.security.plain.PlainLoginModule";

  private final ClientClassNames names = new ClientClassNames("moved.");

  private String jaas(String value) {
    return names.translate("sasl.jaas.config", value);
  }

  @Test
  void areTranslatedInALogin() {
    assertThat(jaas(PLAIN + " required username=\"u\" password=\"p\";"))
        .isEqualTo(MOVED + " required username=\"u\" password=\"p\";");
  }

  @Test
  void ofTheOfficialConnectorAreTranslatedToo() {
    assertThat(jaas("org.apache.flink.kafka.shaded." + PLAIN + " required;"))
        .isEqualTo(MOVED + " required;");
  }

  @Test
  void areTranslatedAtTheBeginningOfEachEntryAndNowhereElse() {
    String inside =
        " required a=\"; "
            + PLAIN
            + " \\\"; "
            + PLAIN
            + "\" b='; "
            + PLAIN
            + "' "
            + PLAIN
            + "=x // it's; "
            + PLAIN
            + "\n /* \" ;"
            + PLAIN
            + " */ c=\"$1\\\\\";";
    String between = " \n// it's\n /* \"\n ; */ ";
    assertThat(jaas(between + PLAIN + inside + PLAIN + inside + between + PLAIN + inside))
        .isEqualTo(between + MOVED + inside + MOVED + inside + between + MOVED + inside);
  }

  @Test
  void ofOthersStay() {
    String mine = "com.example.org.apache.kafka.Login required; x" + PLAIN + " required;";
    assertThat(jaas(mine)).isEqualTo(mine);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sasl.login.callback.handler.class",
        "ssl.engine.factory.class",
        "partitioner.class",
        "interceptor.classes",
        "security.providers",
        "metric.reporters",
        "config.providers.file.class"
      })
  void areTranslatedInListsOfClasses(String key) {
    assertThat(names.translate(key, "org.apache.kafka.A, com.example.B,org.apache.kafka.common.C"))
        .isEqualTo("moved.A, com.example.B,moved.common.C");
    assertThat(names.translate(key, " org.apache.kafka.A")).isEqualTo(" moved.A");
    assertThat(names.translate(key, "com.org.apache.kafka.A")).isEqualTo("com.org.apache.kafka.A");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"client.id", "ssl.key.password", "sasl.kerberos.service.name", "ssl.keystore.key"})
  void areNotLookedForInOtherValues(String key) {
    assertThat(names.translate(key, PLAIN)).isEqualTo(PLAIN);
  }

  @Test
  void areShownAsTheirDocumentationHasThem() {
    assertThat(names.original(MOVED)).isEqualTo(PLAIN);
    assertThat(names.original("com.example.Login")).isEqualTo("com.example.Login");
  }

  @Test
  void ofALongLoginTakeNoStack() {
    String password = "\"" + "a\\\"".repeat(100_000) + "\"";
    assertThat(jaas(PLAIN + " required password=" + password + ";"))
        .isEqualTo(MOVED + " required password=" + password + ";");
  }

  @Test
  void stayAsTheyAreOutsideTheJar() {
    assertThat(ClientClassNames.here().translate("sasl.jaas.config", PLAIN)).isEqualTo(PLAIN);
  }
}
