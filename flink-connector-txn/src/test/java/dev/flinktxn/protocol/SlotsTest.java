// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SlotsTest {

  private final Slots slots = new Slots();

  private Committable prepare(int slot) {
    Attempt attempt = new Attempt(1, "00000000");
    TransactionName name = new TransactionName("p", attempt, 0, slot);
    Committable committable = new Committable(name, new byte[0], -1, 0, 0, -1);
    slots.prepared(committable);
    return committable;
  }

  @Test
  void threeCarryASteadyStream() {
    Committable previous = null;
    for (int checkpoint = 0; checkpoint < 500; checkpoint++) {
      int slot = slots.take();
      assertThat(slot).isLessThan(3);
      slots.looked(previous == null ? List.of() : List.of(previous), List.of());
      previous = prepare(slot);
    }
  }

  @Test
  void isNotFreeBeforeItsTransactionIsSeenCommitted() {
    prepare(slots.take());
    slots.looked(List.of(), List.of());
    assertThat(slots.take()).isEqualTo(1);
  }

  @Test
  void isNotFreeAtItsOwnSightingAlone() {
    Committable first = prepare(slots.take());
    slots.looked(List.of(first), List.of());
    assertThat(slots.unsettled()).isEmpty();
    assertThat(slots.take()).isEqualTo(1);
  }

  @Test
  void isFreeOnceWhatWasPreparedAfterItsSightingIsSeenCommitted() {
    Committable first = prepare(slots.take());
    slots.looked(List.of(first), List.of());
    Committable second = prepare(slots.take());
    slots.looked(List.of(second), List.of());
    assertThat(slots.take()).isZero();
    assertThat(slots.take()).isEqualTo(2);
  }

  @Test
  void isNotFreedByWhatWasPreparedBeforeItsSighting() {
    Committable first = prepare(slots.take());
    Committable second = prepare(slots.take());
    slots.looked(List.of(first), List.of());
    slots.looked(List.of(second), List.of());
    assertThat(slots.take()).isEqualTo(2);
  }

  @Test
  void isNeverUsedAgainOnceForgotten() {
    Committable first = prepare(slots.take());
    slots.looked(List.of(), List.of(first));
    assertThat(slots.unsettled()).isEmpty();
    Committable previous = null;
    for (int i = 0; i < 10; i++) {
      int slot = slots.take();
      assertThat(slot).isNotZero();
      slots.looked(previous == null ? List.of() : List.of(previous), List.of());
      previous = prepare(slot);
    }
  }

  @Test
  void keepsWhatIsUnsettledInTheOrderItWasPrepared() {
    Committable first = prepare(slots.take());
    Committable second = prepare(slots.take());
    Committable third = prepare(slots.take());
    slots.looked(List.of(second), List.of());
    assertThat(slots.unsettled()).containsExactly(first, third);
  }
}
