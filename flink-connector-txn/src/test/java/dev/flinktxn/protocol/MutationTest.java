// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MutationTest {

  private static final int BOUND = 20_000;

  @ParameterizedTest
  @EnumSource
  void aProtocolWithoutOneRuleIsCaught(Mutation mutation) {
    try (ProtocolSimulation simulation = ProtocolSimulation.onABroker(mutation.rules())) {
      assertThatThrownBy(() -> simulation.runAll(BOUND, mutation::mayShowIn))
          .as("within %d schedules", BOUND)
          .isInstanceOf(AssertionError.class)
          .hasCauseInstanceOf(Violation.class);
    }
  }
}
