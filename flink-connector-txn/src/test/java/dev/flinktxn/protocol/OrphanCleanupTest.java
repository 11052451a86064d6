// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrphanCleanupTest {

  private static final SinkSettings SETTINGS =
      new SinkSettings(
          "t",
          "p",
          true,
          true,
          false,
          false,
          SinkSettings.CLEANUP_PERIOD,
          SinkSettings.COMMIT_PATIENCE);

  private final FixedClock clock = new FixedClock();
  private final ScriptedStore store = new ScriptedStore();

  private OpenTransaction opened(long ago, int subtask, String incarnation) {
    Attempt attempt = new Attempt(clock.now - ago, "someones");
    OpenTransaction transaction =
        new OpenTransaction(new TransactionName("p", attempt, subtask, 0), incarnation);
    store.open.add(transaction);
    return transaction;
  }

  private OrphanCleanup cleanup(int subtask, int parallelism) throws Exception {
    OrphanCleanup cleanup = OrphanCleanup.open(SETTINGS, subtask, parallelism, store, clock);
    cleanup.cleanFor(new Attempt(cleanup.earliestOpening(), "mineness"));
    return cleanup;
  }

  @Test
  void abortsWhatOlderAttemptsOfItsSubtaskLeftOpen() throws Exception {
    OpenTransaction one = opened(1_000, 1, "a");
    OpenTransaction other = opened(90_000, 1, "b");
    OrphanCleanup cleanup = cleanup(1, 3);
    cleanup.run();
    assertThat(store.open).doesNotContain(one, other);
    assertThat(cleanup.aborted()).isEqualTo(2);
  }

  @Test
  void coversEachSubtaskOfAWiderPredecessorExactlyOnce() throws Exception {
    for (int subtask = 0; subtask < 7; subtask++) {
      opened(1_000, subtask, "a");
    }
    List<OpenTransaction> all = List.copyOf(store.open);
    cleanup(0, 3).run();
    assertThat(store.open).containsExactly(all.get(1), all.get(2), all.get(4), all.get(5));
    cleanup(1, 3).run();
    assertThat(store.open).containsExactly(all.get(2), all.get(5));
    cleanup(2, 3).run();
    assertThat(store.open).isEmpty();
  }

  @Test
  void leavesNewerAttemptsAlone() throws Exception {
    OrphanCleanup cleanup = cleanup(0, 1);
    OpenTransaction newer = opened(-1, 0, "a");
    cleanup.run();
    assertThat(store.open).containsExactly(newer);
  }

  @Test
  void failsNamingAnOlderAttemptThatBeganAfterItHadOpened() throws Exception {
    OpenTransaction orphan = opened(2_000, 0, "a");
    OrphanCleanup cleanup = cleanup(0, 1);
    OpenTransaction alive = opened(1_000, 0, "b");
    assertThatThrownBy(cleanup::run)
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContainingAll(alive.name().toString(), "sink.transactional-id-prefix 'p'");
    assertThat(store.open).as("aborts nothing").containsExactly(orphan, alive);
  }

  @Test
  void takesALaterTransactionOfTheSameNameForASignOfLife() throws Exception {
    OpenTransaction before = opened(1_000, 0, "a");
    OrphanCleanup cleanup = cleanup(0, 1);
    store.open.remove(before);
    store.open.add(new OpenTransaction(before.name(), "b"));
    assertThatThrownBy(cleanup::run).isExactlyInstanceOf(IOException.class);
  }

  @Test
  void movesPastAPredecessorWhoseClockWasAhead() throws Exception {
    OpenTransaction ahead = opened(-60_000, 0, "a");
    OrphanCleanup cleanup = cleanup(0, 1);
    assertThat(cleanup.earliestOpening()).isEqualTo(clock.now + 60_001);
    cleanup.run();
    assertThat(store.open).doesNotContain(ahead);
  }

  @Test
  void readsItsClockBeforeItReadsTheSystem() throws Exception {
    long before = clock.now;
    ProtocolClock ticking =
        new ProtocolClock() {
          @Override
          public long now() {
            return store.calls.isEmpty() ? before : before + 50_000;
          }

          @Override
          public void sleep(long millis) {}
        };
    assertThat(OrphanCleanup.open(SETTINGS, 0, 1, store, ticking).earliestOpening())
        .isEqualTo(before);
  }
}
