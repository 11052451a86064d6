// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.protocol.SinkSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommonOptionsTest {

  private static CommonOptions read(String... options) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      values.put(options[i], options[i + 1]);
    }
    return CommonOptions.read(
        new OptionReader(new Refusal("c.d.orders"), Configuration.fromMap(values)));
  }

  @Test
  void readsTheDefaults() {
    CommonOptions options = read("sink.transactional-id-prefix", "orders");

    assertThat(options.guarantee()).isEqualTo(DeliveryGuarantee.EXACTLY_ONCE);
    assertThat(options.transactional()).isTrue();
    assertThat(options.transactionTimeout()).isEmpty();
    assertThat(options.onLostTransaction()).isEqualTo(OnLostTransaction.FAIL);
    assertThat(options.parallelism()).isEmpty();
    assertThat(SinkOptions.IDEMPOTENT_UPSERT.defaultValue()).isEqualTo(IdempotentUpsert.NEVER);
  }

  @Test
  void readsOtherValues() {
    CommonOptions options =
        read(
            "sink.transactional-id-prefix", "A.b_c-9",
            "sink.delivery-guarantee", "At-Least-Once",
            "sink.transaction-timeout", "7 min",
            "sink.on-lost-transaction", "continue",
            "sink.idempotent-upsert", "never",
            "sink.parallelism", "3");

    assertThat(options.prefix()).contains("A.b_c-9");
    assertThat(options.guarantee()).isEqualTo(DeliveryGuarantee.AT_LEAST_ONCE);
    assertThat(options.transactional()).isFalse();
    assertThat(options.transactionTimeout()).contains(Duration.ofMinutes(7));
    assertThat(options.onLostTransaction()).isEqualTo(OnLostTransaction.CONTINUE);
    assertThat(options.parallelism()).contains(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"at-least-once", "none"})
  void needsNoPrefixWithoutTransactions(String guarantee) {
    assertThat(read("sink.delivery-guarantee", guarantee).prefix()).isEmpty();
  }

  @Test
  void refusesABadPrefixEvenWithoutTransactions() {
    assertThatThrownBy(
            () ->
                read(
                    "sink.delivery-guarantee", "none",
                    "sink.transactional-id-prefix", "a/b"))
        .hasMessageContaining("'sink.transactional-id-prefix' is 'a/b'");
  }

  @Test
  void tellsTheProtocolWhatIsPromised() {
    SinkSettings exactly =
        read(
                "sink.transactional-id-prefix", "orders",
                "sink.on-lost-transaction", "continue",
                "sink.transaction-timeout", "2 min")
            .settings("c.d.orders", false);
    assertThat(exactly.table()).isEqualTo("c.d.orders");
    assertThat(exactly.prefix()).isEqualTo("orders");
    assertThat(exactly.transactional()).isTrue();
    assertThat(exactly.continueOnLoss()).isTrue();
    assertThat(exactly.batch()).isFalse();
    assertThat(exactly.commitPatience()).isEqualTo(Duration.ofMinutes(2));

    SinkSettings atLeast =
        read("sink.delivery-guarantee", "at-least-once").settings("c.d.orders", true);
    assertThat(atLeast.transactional()).isFalse();
    assertThat(atLeast.flushAtBarrier()).isTrue();
    assertThat(atLeast.continueOnLoss()).isFalse();
    assertThat(atLeast.batch()).isTrue();
    assertThat(atLeast.commitPatience()).isEqualTo(SinkSettings.COMMIT_PATIENCE);

    assertThat(read("sink.delivery-guarantee", "none").settings("t", false).flushAtBarrier())
        .isFalse();
  }

  @Test
  void neverForwardsThePrefix() {
    assertThat(SinkOptions.forwarded())
        .doesNotContain(SinkOptions.TRANSACTIONAL_ID_PREFIX, SinkOptions.DELIVERY_GUARANTEE)
        .isSubsetOf(SinkOptions.all());
  }
}
