// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.LongPredicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MutationTest {

  private static final int BOUND = 20_000;

  @ParameterizedTest
  @EnumSource
  void aProtocolWithoutOneRuleIsCaught(Mutation mutation) {
    try (ProtocolSimulation simulation = ProtocolSimulation.onABroker(mutation.rules())) {
      assertCaught(simulation, mutation::mayShowIn);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLedgerWithoutOneRuleIsCaught(LedgerRule rule) {
    try (ProtocolSimulation simulation = ProtocolSimulation.onALedger(rule.without())) {
      assertCaught(simulation, rule::mayShowIn);
    }
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "CLEANS_UP_AT_OPEN",
        "CLEANS_UP_WHEN_INPUT_ENDS",
        "CLEANS_UP_ONCE_ONLY",
        "DOES_NOT_ASK_WHO_IS_ALIVE",
        "IGNORES_THE_SUBTASK",
        "IGNORES_THE_AGE_OF_AN_ATTEMPT",
        "DOES_NOT_MOVE_PAST_A_PREDECESSOR",
        "SHARES_NAMES",
        "MATCHES_PREFIXES_LOOSELY",
        "TAKES_LOST_FOR_COMMITTED",
        "TAKES_UNKNOWN_FOR_COMMITTED",
        "TAKES_RETRY_FOR_COMMITTED",
        "TAKES_A_LOST_REPLY_FOR_LOST",
        "DROPS_COMMITTABLES_OF_ABORTED_CHECKPOINTS"
      })
  void aProtocolWithoutOneRuleIsCaughtOnALedgerToo(Mutation mutation) {
    try (ProtocolSimulation simulation = ProtocolSimulation.onALedger(mutation.rules())) {
      assertCaught(simulation, mutation::mayShowIn);
    }
  }

  private static void assertCaught(ProtocolSimulation simulation, LongPredicate condition) {
    assertThatThrownBy(() -> simulation.runAll(BOUND, condition))
        .as("within %d schedules", BOUND)
        .isInstanceOf(AssertionError.class)
        .hasCauseInstanceOf(Violation.class);
  }
}
