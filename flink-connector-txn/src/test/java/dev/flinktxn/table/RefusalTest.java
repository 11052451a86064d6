// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalTest {

  private final Refusal refusal = new Refusal("c.d.orders");

  @Test
  void saysTableOptionFoundNeededAndWhatToDo() {
    assertThat(refusal.value("sink.x", 3, "it has to be 4", "set it to 4"))
        .hasMessage("Table c.d.orders: option 'sink.x' is '3', but it has to be 4; set it to 4.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password",
        "properties.ssl.key.password",
        "properties.sasl.jaas.config",
        "properties.ssl.keystore.key",
        "properties.sasl.oauthbearer.client.secret",
        "properties.basic.auth.credentials"
      })
  void neverShowsASecret(String option) {
    assertThat(refusal.value(option, "s3cr3t", "it is wrong", "correct it"))
        .hasMessageContaining(option)
        .hasMessageNotContaining("s3cr3t");
  }
}
