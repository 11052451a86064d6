// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Random;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TransactionalWriterTest {

  private static final Duration PERIOD = Duration.ofMinutes(1);

  private final FixedClock clock = new FixedClock();
  private final ScriptedStore store = new ScriptedStore();
  private TransactionalWriter writer;
  private long checkpoint;

  @BeforeEach
  void open() throws Exception {
    writer = writer(false);
  }

  private TransactionalWriter writer(boolean batch) throws Exception {
    SinkSettings settings =
        new SinkSettings("t", "p", true, true, batch, false, PERIOD, SinkSettings.COMMIT_PATIENCE);
    return new TransactionalWriter(
        settings,
        0,
        store,
        new Slots(),
        OrphanCleanup.open(settings, 0, 2, store, clock),
        clock,
        new Random(1));
  }

  private OpenTransaction predecessor(int subtask) {
    Attempt attempt = new Attempt(clock.now - 1_000, "predeces");
    return new OpenTransaction(new TransactionName("p", attempt, subtask, 0), "1");
  }

  private void write() throws Exception {
    writer.write(Row.of(0, 0), null);
  }

  private Collection<Committable> barrier() throws Exception {
    writer.flush(false);
    Collection<Committable> prepared = writer.prepareCommit();
    writer.snapshotState(++checkpoint);
    return prepared;
  }

  @Test
  void readsWhenItOpensAndChangesNothing() {
    assertThat(store.calls).containsExactly("list p");
  }

  @Test
  void asksNothingOfTheSystemInAnEmptyInterval() throws Exception {
    barrier();
    store.calls.clear();
    for (int i = 0; i < 50; i++) {
      assertThat(barrier()).isEmpty();
    }
    assertThat(store.calls).isEmpty();
  }

  @Test
  void asksNothingAfterDataEitherOnceItIsSettled() throws Exception {
    write();
    barrier();
    store.sightings.put(0, Sighting.COMMITTED);
    write();
    barrier();
    store.sightings.put(1, Sighting.COMMITTED);
    store.calls.clear();
    for (int i = 0; i < 50; i++) {
      barrier();
    }
    assertThat(store.calls).isEmpty();
  }

  @Test
  void beginsAtTheFirstRowAndLooksBeforeItPrepares() throws Exception {
    barrier();
    store.calls.clear();
    write();
    write();
    Collection<Committable> prepared = barrier();
    assertThat(store.calls)
        .containsExactly("begin 0", "write", "write", "flush", "look at [0]", "prepare 0");
    assertThat(prepared)
        .singleElement()
        .satisfies(
            committable -> {
              assertThat(committable.handle()).asString().isEqualTo("prepared 0");
              assertThat(committable.name().prefix()).isEqualTo("p");
              assertThat(committable.name().subtask()).isZero();
              assertThat(committable.checkpoint()).isEqualTo(1);
              assertThat(committable.begunAt()).isEqualTo(clock.now);
              assertThat(committable.timeout()).isEqualTo(900_000);
            });
  }

  @Test
  void looksOnceForEachCheckpointWithData() throws Exception {
    for (int i = 0; i < 100; i++) {
      int last = store.begun.isEmpty() ? -1 : store.begun.get(store.begun.size() - 1);
      write();
      if (last >= 0) {
        store.sightings.put(last, Sighting.COMMITTED);
      }
      barrier();
    }
    assertThat(store.calls.stream().filter(call -> call.startsWith("look"))).hasSize(100);
  }

  @Test
  void usesThreeNamesForFiveHundredCheckpoints() throws Exception {
    for (int i = 0; i < 500; i++) {
      int last = store.begun.isEmpty() ? -1 : store.begun.get(store.begun.size() - 1);
      write();
      if (last >= 0) {
        store.sightings.put(last, Sighting.COMMITTED);
      }
      barrier();
    }
    assertThat(new HashSet<>(store.begun)).containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void failsBeforeItPreparesWhatIsGone() throws Exception {
    write();
    store.sightings.put(0, Sighting.ABORTED);
    assertThatThrownBy(() -> writer.flush(false))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContainingAll(
            "p~", "-0-0", "ABORTED", "900,000 ms", "last completed checkpoint");
    assertThat(store.calls).doesNotContain("prepare 0");
  }

  @Test
  void failsWhenWhatItHasPreparedWasAborted() throws Exception {
    write();
    barrier();
    write();
    store.sightings.put(0, Sighting.ABORTED);
    assertThatThrownBy(() -> writer.flush(false)).isExactlyInstanceOf(IOException.class);
  }

  @Test
  void goesOnWithANewNameWhenTheSystemHasForgottenOne() throws Exception {
    write();
    barrier();
    store.sightings.put(0, Sighting.UNKNOWN);
    for (int i = 0; i < 10; i++) {
      write();
      barrier();
      store.sightings.put(store.begun.get(store.begun.size() - 1), Sighting.COMMITTED);
    }
    assertThat(store.begun.subList(1, 11)).doesNotContain(0);
  }

  @Test
  void cleansUpAtTheFirstBarrierAndThenOnceAPeriod() throws Exception {
    store.open.add(predecessor(0));
    writer = writer(false);
    store.calls.clear();
    write();
    assertThat(store.calls).containsExactly("begin 0", "write");
    barrier();
    assertThat(store.calls).contains("list p", "clean up " + predecessor(0).name());
    store.calls.clear();
    clock.now += PERIOD.toMillis() - 1;
    barrier();
    assertThat(store.calls).isEmpty();
    clock.now += 1;
    barrier();
    assertThat(store.calls).containsExactly("list p", "look at [0]");
  }

  @Test
  void doesNotCleanUpAtTheEndOfItsInputButAtTheBarrierAfterIt() throws Exception {
    store.open.add(predecessor(0));
    writer = writer(false);
    write();
    store.calls.clear();
    writer.flush(true);
    writer.prepareCommit();
    assertThat(store.calls).containsExactly("flush", "look at [0]", "prepare 0");
    store.calls.clear();
    writer.snapshotState(1);
    assertThat(store.calls)
        .containsExactly("list p", "clean up " + predecessor(0).name(), "look at [0]");
  }

  @Test
  void failsAtTheBarrierAfterTheEndOfItsInputIfWhatItPreparedIsGone() throws Exception {
    write();
    writer.flush(true);
    writer.prepareCommit();
    store.sightings.put(0, Sighting.ABORTED);
    assertThatThrownBy(() -> writer.snapshotState(1)).isExactlyInstanceOf(IOException.class);
  }

  @Test
  void cleansUpAtTheEndOfItsInputInBatchMode() throws Exception {
    store.open.add(predecessor(0));
    writer = writer(true);
    store.calls.clear();
    writer.flush(true);
    assertThat(store.calls).containsExactly("list p", "clean up " + predecessor(0).name());
  }

  @Test
  void abortsOnlyWhatItHasNotPrepared() throws Exception {
    write();
    barrier();
    write();
    store.calls.clear();
    writer.close();
    assertThat(store.calls).containsExactly("abort 1", "close");
    writer = writer(false);
    write();
    barrier();
    store.calls.clear();
    writer.close();
    assertThat(store.calls).containsExactly("close");
  }

  @Test
  void endsTheJobWhenTheSystemRefusesToBegin() throws Exception {
    store.beginFailure = new RefusedException("no transaction of that kind");
    assertThatThrownBy(this::write)
        .isInstanceOf(SuppressRestartsException.class)
        .hasRootCauseMessage("no transaction of that kind");
  }

  @Test
  void aRowThatCanNeverBeWrittenEndsTheJob() {
    store.writeFailure = new RefusedException("the row is too large");
    assertThatThrownBy(this::write)
        .isInstanceOf(SuppressRestartsException.class)
        .hasCause(store.writeFailure);
  }

  @Test
  void remembersItsPrefix() throws Exception {
    assertThat(writer.snapshotState(1)).containsExactly(new WriterState("p"));
  }
}
