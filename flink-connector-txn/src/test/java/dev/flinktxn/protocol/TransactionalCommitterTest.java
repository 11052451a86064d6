// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.flinktxn.protocol.Outcome.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.Test;

class TransactionalCommitterTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final FixedClock clock = new FixedClock();
  private final Counters counters = new Counters();
  private final Map<Integer, List<Kind>> script = new HashMap<>();
  private final List<List<Integer>> tries = new ArrayList<>();
  private IOException refusal;
  private boolean closed;

  /** Answers as the script says; the last answer of a slot is repeated. */
  private final CommitterStore store =
      new CommitterStore() {
        @Override
        public List<Outcome> commit(List<Committable> committables) throws IOException {
          if (refusal != null) {
            throw refusal;
          }
          List<Integer> slots = committables.stream().map(c -> c.name().slot()).toList();
          List<Outcome> outcomes = new ArrayList<>();
          for (int slot : slots) {
            List<Kind> kinds = script.get(slot);
            long round = tries.stream().filter(tried -> tried.contains(slot)).count();
            Kind kind = kinds.get((int) Math.min(round, kinds.size() - 1));
            outcomes.add(new Outcome(kind, "the evidence of " + slot));
          }
          tries.add(slots);
          return outcomes;
        }

        @Override
        public void close() {
          closed = true;
        }
      };

  private static final class Counters extends UnregisteredMetricsGroup {
    private final Map<String, Counter> byName = new HashMap<>();

    @Override
    public Counter counter(String name) {
      return byName.computeIfAbsent(name, key -> super.counter(key));
    }

    long of(String name) {
      return byName.get(name).getCount();
    }
  }

  private TransactionalCommitter committer(boolean continueOnLoss) {
    SinkSettings settings =
        new SinkSettings(
            "shop.orders",
            "orders",
            true,
            true,
            false,
            continueOnLoss,
            SinkSettings.CLEANUP_PERIOD,
            PATIENCE);
    return new TransactionalCommitter(
        settings, "Kafka topic 'orders'", store, clock, new CommitterMetrics(counters));
  }

  private Request request(int slot, Kind... kinds) {
    script.put(slot, Arrays.asList(kinds));
    TransactionName name =
        new TransactionName("orders", new Attempt(1_800_000_000_000L, "0abc123z"), 3, slot);
    return new Request(
        new Committable(name, new byte[0], 41, 1_799_999_000_000L, 1_799_999_060_000L, 900_000));
  }

  private void commit(TransactionalCommitter committer, Request... requests) throws Exception {
    committer.commit(Collections.unmodifiableList(Arrays.asList(requests)));
  }

  @Test
  void commitsAllInOneTry() throws Exception {
    Request first = request(0, Kind.COMMITTED);
    Request second = request(1, Kind.COMMITTED);
    commit(committer(false), first, second);
    assertThat(tries).containsExactly(List.of(0, 1));
    assertThat(first.done()).as("left to Flink, which counts it as committed").isFalse();
    assertThat(clock.sleeps).isEmpty();
    assertThat(counters.of("alreadyCommitted")).isZero();
  }

  @Test
  void saysWhatWasCommittedBefore() throws Exception {
    Request before = request(0, Kind.ALREADY_COMMITTED);
    Request now = request(1, Kind.COMMITTED);
    commit(committer(false), before, now);
    assertThat(before.done()).isTrue();
    assertThat(now.done()).isFalse();
    assertThat(counters.of("alreadyCommitted")).isEqualTo(1);
  }

  @Test
  void triesOnlyWhatIsUndecidedAgainAndWaitsLongerEachTime() throws Exception {
    commit(
        committer(false),
        request(0, Kind.COMMITTED),
        request(1, Kind.RETRY, Kind.RETRY, Kind.RETRY, Kind.ALREADY_COMMITTED),
        request(2, Kind.RETRY, Kind.COMMITTED));
    assertThat(tries).containsExactly(List.of(0, 1, 2), List.of(1, 2), List.of(1), List.of(1));
    assertThat(clock.sleeps).containsExactly(50L, 100L, 200L);
    assertThat(counters.of("commitRetries")).isEqualTo(4);
  }

  @Test
  void neverWaitsLongerThanFiveSecondsAtOnce() throws Exception {
    Kind[] kinds = new Kind[10];
    Arrays.fill(kinds, Kind.RETRY);
    kinds[9] = Kind.COMMITTED;
    commit(committer(false), request(0, kinds));
    assertThat(clock.sleeps).hasSize(9).allMatch(millis -> millis <= 5_000);
  }

  @Test
  void failsInTheOrdinaryWayWhenItsPatienceEnds() {
    Throwable failure = catchThrowable(() -> commit(committer(false), request(0, Kind.RETRY)));
    assertThat(failure)
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContainingAll(
            "shop.orders", "Kafka topic 'orders'", "-3-0", "the evidence of 0", "Nothing is lost");
    assertThat(clock.now - 1_800_000_000_000L)
        .isBetween(PATIENCE.toMillis(), PATIENCE.toMillis() + 5_000);
  }

  @Test
  void endsTheJobForALostTransactionAfterItHasCommittedTheOthers() {
    Request other = request(1, Kind.RETRY, Kind.ALREADY_COMMITTED);
    Throwable failure =
        catchThrowable(() -> commit(committer(false), request(0, Kind.LOST), other));
    assertThat(failure).isInstanceOf(SuppressRestartsException.class);
    assertThat(failure.getCause())
        .hasMessageContainingAll(
            "shop.orders",
            "Kafka topic 'orders'",
            "orders~mywpiww00abc123z-3-0",
            "the checkpoint after 41",
            "LOST",
            "the evidence of 0",
            "2027-01-15T07:43:20Z",
            "2027-01-15T07:44:20Z",
            "timeout is 900,000 ms",
            "sink.on-lost-transaction");
    assertThat(other.done()).isTrue();
    assertThat(counters.of("lostTransactions")).isEqualTo(1);
  }

  @Test
  void namesEachLostTransaction() {
    Throwable failure =
        catchThrowable(
            () -> commit(committer(false), request(0, Kind.LOST), request(1, Kind.UNKNOWN)));
    assertThat(failure.getCause()).hasMessageContaining("-3-0 ");
    assertThat(failure.getSuppressed()).hasSize(1);
    assertThat(failure.getSuppressed()[0].getCause())
        .hasMessageContainingAll("-3-1 ", "UNKNOWN", "may or may not be in the target");
  }

  @Test
  void goesOnAfterALossIfTheUserSaysSoAndCountsIt() throws Exception {
    Request lost = request(0, Kind.LOST);
    commit(committer(true), lost, request(1, Kind.UNKNOWN), request(2, Kind.COMMITTED));
    assertThat(counters.of("lostTransactions")).isEqualTo(2);
    assertThat(tries).hasSize(1);
  }

  @Test
  void aRefusalOfTheCommitterItselfSaysNothingAboutTheTransactions() {
    refusal = new IOException("wrong password");
    assertThatThrownBy(() -> commit(committer(false), request(0, Kind.COMMITTED)))
        .isSameAs(refusal);
  }

  @Test
  void endsTheJobWhenTheSystemRefusesTheRowsForGood() {
    refusal = new RefusedException("key (id) = (1) exists already");
    assertThatThrownBy(() -> commit(committer(true), request(0, Kind.COMMITTED)))
        .isInstanceOf(SuppressRestartsException.class)
        .hasCause(refusal);
    assertThat(counters.of("lostTransactions")).isZero();
  }

  @Test
  void anInterruptEndsTheWait() {
    ProtocolClock interrupted =
        new ProtocolClock() {
          @Override
          public long now() {
            return clock.now;
          }

          @Override
          public void sleep(long millis) throws InterruptedException {
            throw new InterruptedException();
          }
        };
    TransactionalCommitter committer =
        new TransactionalCommitter(
            new SinkSettings("t", "p", true, true, false, false, PATIENCE, PATIENCE),
            "target",
            store,
            interrupted,
            new CommitterMetrics(counters));
    assertThatThrownBy(() -> commit(committer, request(0, Kind.RETRY)))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void closesItsStore() throws Exception {
    committer(false).close();
    assertThat(closed).isTrue();
  }
}
