// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

class CheckpointSettingsTest {

  private static final Refusal REFUSAL = new Refusal("c.d.orders");

  private static CheckpointSettings settings(String... settings) {
    Configuration configuration = new Configuration();
    for (int i = 0; i < settings.length; i += 2) {
      configuration.setString(settings[i], settings[i + 1]);
    }
    return CheckpointSettings.read(configuration);
  }

  @Test
  void doesNotMistakeCheckpointsThatAreOffForAtLeastOnce() {
    CheckpointSettings off = settings("execution.checkpointing.mode", "AT_LEAST_ONCE");
    assertThat(off.enabled()).isFalse();
    assertThatCode(() -> off.check(REFUSAL)).doesNotThrowAnyException();
  }

  @Test
  void anIntervalOfZeroMeansOff() {
    assertThat(settings("execution.checkpointing.interval", "0 ms").enabled()).isFalse();
  }

  @Test
  void batchJobsTakeNoCheckpoints() {
    CheckpointSettings batch =
        settings(
            "execution.runtime-mode", "BATCH",
            "execution.checkpointing.interval", "1 min",
            "execution.checkpointing.mode", "AT_LEAST_ONCE",
            "execution.checkpointing.checkpoints-after-tasks-finish", "false");
    assertThat(batch.enabled()).isFalse();
    assertThatCode(() -> batch.check(REFUSAL)).doesNotThrowAnyException();
    assertThatCode(() -> batch.checkTimeout(REFUSAL, "t", Duration.ofSeconds(1)))
        .doesNotThrowAnyException();
    assertThat(batch.warnings("c.d.orders", Optional.of(Duration.ofSeconds(1)))).isEmpty();
  }

  @Test
  void refusesATimeoutNotLongerThanTheInterval() {
    CheckpointSettings minute = settings("execution.checkpointing.interval", "1 min");
    assertThatThrownBy(
            () -> minute.checkTimeout(REFUSAL, "sink.transaction-timeout", Duration.ofMinutes(1)))
        .hasMessage(
            "Table c.d.orders: option 'sink.transaction-timeout' is '1 min', but it has to be"
                + " longer than 'execution.checkpointing.interval', which is '1 min'; set it to"
                + " more than the interval plus 'execution.checkpointing.timeout' (10 min), or"
                + " take checkpoints more often.");
    assertThatCode(() -> minute.checkTimeout(REFUSAL, "t", Duration.ofMillis(60_001)))
        .doesNotThrowAnyException();
  }

  @Test
  void warnsOfATimeoutThatASlowCheckpointExceeds() {
    CheckpointSettings settings =
        settings(
            "execution.checkpointing.interval", "1 min",
            "execution.checkpointing.timeout", "90 s",
            "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    assertThat(settings.warnings("c.d.orders", Optional.of(Duration.ofSeconds(149))))
        .singleElement()
        .asString()
        .contains("c.d.orders", "149 s", "150 s", "sink.transaction-timeout");
    assertThat(settings.warnings("c.d.orders", Optional.of(Duration.ofSeconds(150)))).isEmpty();
    assertThat(settings.warnings("c.d.orders", Optional.empty())).isEmpty();
  }

  @Test
  void warnsWhenAFailedJobLosesItsCheckpoints() {
    String interval = "execution.checkpointing.interval";
    String retention = "execution.checkpointing.externalized-checkpoint-retention";
    assertThat(settings(interval, "1 min").warnings("c.d.orders", Optional.empty()))
        .singleElement()
        .asString()
        .contains(retention, "NO_EXTERNALIZED_CHECKPOINTS", "RETAIN_ON_CANCELLATION");
    assertThat(
            settings(interval, "1 min", retention, "DELETE_ON_CANCELLATION")
                .warnings("c.d.orders", Optional.empty()))
        .isEmpty();
    assertThat(settings().warnings("c.d.orders", Optional.empty())).isEmpty();
  }
}
