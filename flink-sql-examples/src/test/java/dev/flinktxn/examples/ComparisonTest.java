// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  private static final HourlyDelay ANT = row("ANT", 1);
  private static final HourlyDelay BEE = row("BEE", 2);
  private static final HourlyDelay CAT = row("CAT", 3);

  private static HourlyDelay row(String origin, int worst) {
    return new HourlyDelay(LocalDateTime.of(2001, 1, 1, 10, 0), origin, 1, worst, worst);
  }

  @Test
  void theSameRowsInAnotherOrderAreExact() {
    Comparison<HourlyDelay> comparison =
        Comparison.of(List.of(ANT, BEE, CAT), List.of(CAT, ANT, BEE));

    assertThat(comparison).isEqualTo(new Comparison<>(3, List.of(), List.of()));
    assertThat(comparison.exact()).isTrue();
  }

  @Test
  void aMissingRowIsLost() {
    Comparison<HourlyDelay> comparison = Comparison.of(List.of(ANT, BEE, CAT), List.of(CAT, ANT));

    assertThat(comparison).isEqualTo(new Comparison<>(3, List.of(BEE), List.of()));
    assertThat(comparison.exact()).isFalse();
  }

  @Test
  void everyRowTooMuchIsDuplicated() {
    Comparison<HourlyDelay> comparison =
        Comparison.of(List.of(ANT, BEE), List.of(ANT, BEE, ANT, ANT));

    assertThat(comparison).isEqualTo(new Comparison<>(2, List.of(), List.of(ANT, ANT)));
    assertThat(comparison.exact()).isFalse();
  }

  @Test
  void aRowThatShouldBeThereTwiceIsLostWhenItIsThereOnce() {
    assertThat(Comparison.of(List.of(ANT, ANT), List.of(ANT)))
        .isEqualTo(new Comparison<>(2, List.of(ANT), List.of()));
  }

  @Test
  void aWrongValueIsALossAndARowNobodyAskedFor() {
    HourlyDelay wrong = row("BEE", 99);

    assertThat(Comparison.of(List.of(ANT, BEE), List.of(ANT, wrong)))
        .isEqualTo(new Comparison<>(2, List.of(BEE), List.of(wrong)));
  }

  @Test
  void asManyRowsAsExpectedAreNotEnough() {
    assertThat(Comparison.of(List.of(ANT, BEE), List.of(ANT, ANT)))
        .isEqualTo(new Comparison<>(2, List.of(BEE), List.of(ANT)));
  }

  @Test
  void nothingWrittenIsEverythingLost() {
    assertThat(Comparison.of(List.of(ANT, BEE), List.of()).lost())
        .containsExactlyInAnyOrder(ANT, BEE);
  }
}
