// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Breaks when kafka-clients no longer has what is reached by reflection; no broker needed. */
final class TransactionalProducerTest {

  private static TransactionalProducer producer() {
    ProducerSettings settings =
        new ProducerSettings(Map.of("bootstrap.servers", "127.0.0.1:1", "max.block.ms", "100"));
    return new TransactionalProducer(settings.transactional("id", Duration.ofMinutes(1)));
  }

  @Test
  void findsEveryMemberItReachesFor() {
    try (TransactionalProducer producer = producer()) {
      assertThat(producer.producerId()).isEqualTo(-1);
      assertThat(producer.epoch()).isEqualTo((short) -1);
      assertThat(producer.transactionV2()).isFalse();
    }
  }

  @Test
  void cannotBeResumedBeforeItHasBegun() {
    try (TransactionalProducer producer = producer()) {
      assertThatThrownBy(() -> producer.resume(1, (short) 1))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(producer::initializeAgain).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void leavesNoThreadWhenItIsClosedByAnInterruptedOne() {
    TransactionalProducer producer = producer();
    Thread.currentThread().interrupt();
    producer.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.contains("flinktxn-id"));
  }
}
