// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TortureRowsTest {

  private static final int KEYS = TortureRows.KEYS;

  private static void assertTally(TortureRows.Tally tally, long lost, long duplicated) {
    assertThat(List.of(tally.lost(), tally.duplicated())).containsExactly(lost, duplicated);
  }

  @Test
  void rowsThatAreMissingTwiceThereOrNobodysCount() {
    String zero = TortureRows.row(0);
    String one = TortureRows.row(1);
    assertTally(TortureRows.appended(2, List.of(one, zero)), 0, 0);
    assertTally(TortureRows.appended(2, List.of(one)), 1, 0);
    assertTally(TortureRows.appended(2, List.of(one, zero, one)), 0, 1);
    assertTally(TortureRows.appended(2, List.of(one, zero, TortureRows.row(2))), 0, 1);
    assertTally(TortureRows.appended(2, List.of(one, one)), 1, 1);
  }

  @Test
  void eachChangeOfAKeyCountsOnce() {
    assertTally(TortureRows.changes(2, List.of("0 1", "1 1")), 0, 0);
    assertTally(TortureRows.changes(2, List.of("0 1", "1 2")), 1, 1);
  }

  @Test
  void theLastStateHasCountGreatestIdAndSum() {
    String first = "0 2 " + KEYS + " " + KEYS;
    assertThat(TortureRows.states(KEYS + 1, List.of(first)).lost()).isEqualTo(KEYS - 1);
    assertThat(TortureRows.states(KEYS + 1, List.of("0 1 0 0")).duplicated()).isEqualTo(1);
  }
}
