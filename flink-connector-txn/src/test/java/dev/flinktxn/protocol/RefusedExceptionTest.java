// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusedExceptionTest {

  /** Flink's SQL client shows the innermost cause and nothing else. */
  @Test
  void isTheInnermostCauseAndKeepsItsOrigin() {
    Exception origin = new IllegalStateException("no brokers given");
    RefusedException refused = new RefusedException("Table t: set the option", origin);
    assertThat(refused).hasNoCause().hasMessage("Table t: set the option");
    assertThat(refused.getSuppressed()).containsExactly(origin);
  }
}
