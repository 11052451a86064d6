// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static dev.flinktxn.kafka.TransactionDescription.State.ABSENT;
import static dev.flinktxn.kafka.TransactionDescription.State.COMPLETE_ABORT;
import static dev.flinktxn.kafka.TransactionDescription.State.COMPLETE_COMMIT;
import static dev.flinktxn.kafka.TransactionDescription.State.EMPTY;
import static dev.flinktxn.kafka.TransactionDescription.State.ONGOING;
import static dev.flinktxn.kafka.TransactionDescription.State.OTHER;
import static dev.flinktxn.kafka.TransactionDescription.State.PREPARE_ABORT;
import static dev.flinktxn.kafka.TransactionDescription.State.PREPARE_COMMIT;
import static dev.flinktxn.kafka.TransactionEvidence.Standing.ABORTED;
import static dev.flinktxn.kafka.TransactionEvidence.Standing.COMMITTED;
import static dev.flinktxn.kafka.TransactionEvidence.Standing.COMMITTED_BEFORE;
import static dev.flinktxn.kafka.TransactionEvidence.Standing.ENDING;
import static dev.flinktxn.kafka.TransactionEvidence.Standing.OPEN;
import static dev.flinktxn.kafka.TransactionEvidence.Standing.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.kafka.TransactionDescription.State;
import dev.flinktxn.kafka.TransactionEvidence.Standing;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The states a broker passes through too quickly, or too rarely, to be shown on a real one. */
final class TransactionEvidenceTest {

  private static final long PRODUCER = 7;
  private static final short EPOCH = 10;
  private static final long START = 1_000;
  private static final long OTHER_START = 2_000;
  private static final long NO_START = -1;

  private static Standing standing(
      KafkaHandle handle, State state, long producer, int epoch, long start) {
    return TransactionEvidence.of(
            handle, new TransactionDescription(state, producer, (short) epoch, start))
        .standing();
  }

  private static KafkaHandle handle(boolean v2, long start) {
    return new KafkaHandle(PRODUCER, EPOCH, v2, false, start);
  }

  private static Arguments row(
      boolean v2, long known, State state, int raised, long start, Standing expected) {
    return Arguments.of(v2, known, state, raised, start, expected);
  }

  private static Arguments[] rows() {
    return new Arguments[] {
      row(true, START, ONGOING, 0, START, OPEN),
      row(true, START, ONGOING, 0, OTHER_START, UNKNOWN),
      row(true, NO_START, ONGOING, 0, START, OPEN),
      row(true, START, EMPTY, 0, NO_START, UNKNOWN),
      row(true, START, PREPARE_COMMIT, 1, START, COMMITTED),
      row(true, START, PREPARE_ABORT, 1, START, ABORTED),
      row(true, START, COMPLETE_COMMIT, 0, START, COMMITTED),
      row(true, START, COMPLETE_COMMIT, 0, OTHER_START, UNKNOWN),
      row(true, START, ONGOING, 1, START, ENDING),
      row(true, NO_START, ONGOING, 1, START, ENDING),
      row(true, START, ONGOING, 1, OTHER_START, COMMITTED_BEFORE),
      row(true, START, COMPLETE_ABORT, 1, OTHER_START, UNKNOWN),
      row(true, NO_START, COMPLETE_ABORT, 1, START, ABORTED),
      row(true, START, EMPTY, 1, NO_START, UNKNOWN),
      row(true, START, EMPTY, 2, NO_START, UNKNOWN),
      row(true, START, EMPTY, 3, NO_START, UNKNOWN),
      row(true, START, COMPLETE_ABORT, 2, OTHER_START, COMMITTED_BEFORE),
      row(true, START, COMPLETE_ABORT, 2, START, ABORTED),
      row(true, START, ONGOING, 5, OTHER_START, COMMITTED_BEFORE),
      row(true, START, COMPLETE_COMMIT, -1, OTHER_START, UNKNOWN),
      row(true, START, ABSENT, 0, NO_START, UNKNOWN),
      row(true, START, OTHER, 1, START, UNKNOWN),
      row(false, START, ONGOING, 0, START, OPEN),
      row(false, START, PREPARE_COMMIT, 0, START, COMMITTED),
      row(false, START, PREPARE_ABORT, 1, START, ABORTED),
      row(false, START, EMPTY, 1, NO_START, COMMITTED_BEFORE),
      row(false, START, ONGOING, 1, START, ENDING),
      row(false, START, ONGOING, 1, OTHER_START, COMMITTED_BEFORE),
      row(false, START, COMPLETE_ABORT, 1, START, ABORTED),
      row(false, START, COMPLETE_ABORT, 1, OTHER_START, COMMITTED_BEFORE),
      row(false, NO_START, COMPLETE_ABORT, 1, START, ABORTED),
      row(false, START, EMPTY, 2, NO_START, UNKNOWN),
      row(false, START, COMPLETE_COMMIT, 2, OTHER_START, COMMITTED_BEFORE),
    };
  }

  @ParameterizedTest(name = "v2={0} known start={1}: {2}, epoch raised by {3}, start {4}: {5}")
  @MethodSource("rows")
  void readsTheStateOfTheId(
      boolean v2, long known, State state, int raised, long start, Standing expected) {
    assertThat(standing(handle(v2, known), state, PRODUCER, EPOCH + raised, start))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNewProducerIdInUseProvesTheCommitAndAnIdleOneNothing(boolean v2) {
    KafkaHandle handle = handle(v2, START);
    assertThat(standing(handle, EMPTY, PRODUCER + 1, 0, NO_START)).isEqualTo(UNKNOWN);
    assertThat(standing(handle, ONGOING, PRODUCER + 1, 0, OTHER_START)).isEqualTo(COMMITTED_BEFORE);
    assertThat(standing(handle, COMPLETE_ABORT, PRODUCER + 1, 1, OTHER_START))
        .isEqualTo(COMMITTED_BEFORE);
  }

  @ParameterizedTest
  @ValueSource(longs = {START, NO_START})
  void theLastEpochEndsUnderANewProducerId(long known) {
    short last = Short.MAX_VALUE - 1;
    KafkaHandle handle = new KafkaHandle(PRODUCER, last, true, false, known);
    assertThat(standing(handle, PREPARE_COMMIT, PRODUCER, Short.MAX_VALUE, START))
        .isEqualTo(COMMITTED);
    assertThat(standing(handle, COMPLETE_COMMIT, PRODUCER + 1, 0, START)).isEqualTo(COMMITTED);
    assertThat(standing(handle, COMPLETE_ABORT, PRODUCER + 1, 0, START)).isEqualTo(ABORTED);
    assertThat(standing(handle, COMPLETE_ABORT, PRODUCER, Short.MAX_VALUE, START))
        .isEqualTo(ABORTED);
    assertThat(standing(handle, EMPTY, PRODUCER + 1, 0, NO_START)).isEqualTo(UNKNOWN);
  }
}
