// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
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
    assertThat(options.idempotentUpsert()).isEqualTo(IdempotentUpsert.NEVER);
  }

  @Test
  void readsOtherValues() {
    CommonOptions options =
        read(
            "sink.transactional-id-prefix", "A.b_c-9",
            "sink.delivery-guarantee", "At-Least-Once",
            "sink.transaction-timeout", "7 min",
            "sink.on-lost-transaction", "continue",
            "sink.idempotent-upsert", "fallback",
            "sink.parallelism", "3");

    assertThat(options.prefix()).contains("A.b_c-9");
    assertThat(options.guarantee()).isEqualTo(DeliveryGuarantee.AT_LEAST_ONCE);
    assertThat(options.transactional()).isFalse();
    assertThat(options.transactionTimeout()).contains(Duration.ofMinutes(7));
    assertThat(options.onLostTransaction()).isEqualTo(OnLostTransaction.CONTINUE);
    assertThat(options.parallelism()).contains(3);
    assertThat(options.idempotentUpsert()).isEqualTo(IdempotentUpsert.FALLBACK);
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
  void upsertsAlwaysAreNoTransactionsAndNeedNoPrefix() {
    CommonOptions options = read("sink.idempotent-upsert", "always");
    assertThat(options.transactional()).isFalse();
    assertThat(options.prefix()).isEmpty();
    SinkSettings settings = options.settings("c.d.orders", false);
    assertThat(settings.transactional()).isFalse();
    assertThat(settings.flushAtBarrier()).isTrue();
  }

  @Test
  void aFallbackIsTransactionalUntilItFallsBack() {
    CommonOptions options =
        read("sink.transactional-id-prefix", "orders", "sink.idempotent-upsert", "fallback");
    assertThat(options.transactional()).isTrue();
    SinkSettings settings = options.withoutTransactions().settings("c.d.orders", false);
    assertThat(settings.transactional()).isFalse();
    assertThat(settings.flushAtBarrier()).isTrue();
    assertThat(settings.prefix()).isEqualTo("orders");
  }

  @Test
  void aFallbackNeedsAPrefix() {
    assertThatThrownBy(() -> read("sink.idempotent-upsert", "fallback"))
        .hasMessageContaining("'sink.transactional-id-prefix' is not set");
  }

  @Test
  void refusesUpsertsThatMayLoseRows() {
    assertThatThrownBy(
            () -> read("sink.idempotent-upsert", "always", "sink.delivery-guarantee", "none"))
        .hasMessageContainingAll(
            "'sink.idempotent-upsert' is 'always'", "'sink.delivery-guarantee' is 'none'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"always", "fallback"})
  void upsertsNeedAKey(String upsert) {
    CommonOptions options =
        read("sink.transactional-id-prefix", "orders", "sink.idempotent-upsert", upsert);
    Refusal refusal = new Refusal("c.d.orders");
    assertThatThrownBy(() -> options.checkKey(refusal, false))
        .hasMessageContainingAll(
            "'sink.idempotent-upsert' is '" + upsert + "'", "PRIMARY KEY (...) NOT ENFORCED");
    assertThatCode(() -> options.checkKey(refusal, true)).doesNotThrowAnyException();
  }

  @Test
  void neverForwardsThePrefix() {
    assertThat(SinkOptions.forwarded())
        .doesNotContain(SinkOptions.TRANSACTIONAL_ID_PREFIX, SinkOptions.DELIVERY_GUARANTEE)
        .isSubsetOf(SinkOptions.all());
  }
}
