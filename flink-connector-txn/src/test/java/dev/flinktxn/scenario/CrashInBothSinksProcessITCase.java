// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static dev.flinktxn.scenario.ProcessLab.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.Fault;
import dev.flinktxn.fixture.KafkaFaults;
import dev.flinktxn.fixture.RelayFault;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A1 with its part of A15 for one job that writes the rows of one source to Kafka and to
 * PostgreSQL: the TaskManager dies between the checkpoint and the commits.
 */
class CrashInBothSinksProcessITCase {

  @RegisterExtension static final ProcessLab LAB = ProcessLab.withSlots(2);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> FIRST =
      List.of(row(1, "ant", 10), row(2, "bee", 20), row(3, "cat", 30));
  private static final List<String> SECOND = List.of(row(4, "dog", 40), row(5, "eel", 50));
  private static final List<String> ALL = Stream.of(FIRST, SECOND).flatMap(List::stream).toList();

  private interface Change extends UnaryOperator<ProcessInsert> {}

  private interface Fate extends Consumer<Fault> {}

  private static final Change CHAINED = insert -> insert;
  private static final Change PARALLEL = insert -> insert.parallelism(2);
  private static final Fate DELIVERED = Fault::release;
  private static final Fate DROPPED = Fault::discard;

  @Test
  void commitsAfterTheRestoreWhatTheCheckpointHolds() throws Exception {
    ProcessTopic topic = LAB.topic(LAB.broker(), "both", 2);
    ProcessTable table = LAB.table(TargetKind.PG_STAGED, "both");
    crash(topic, table, ProcessInsert::unchained, DELIVERED, 2);
  }

  /** Both committers of a chained task are in one thread, so the second waits for the first. */
  static Stream<Arguments> variants() {
    return Stream.of(
        Arguments.of("chained, delivered", TargetKind.PG_INLINE, CHAINED, DELIVERED),
        Arguments.of("chained, dropped", TargetKind.PG_STAGED, CHAINED, DROPPED),
        Arguments.of("parallelism 2", TargetKind.PG_INLINE, PARALLEL, DROPPED));
  }

  @Tag("full")
  @ParameterizedTest(name = "{0}")
  @MethodSource("variants")
  void soItDoesHoweverTheTasksAreMade(String name, TargetKind kind, Change change, Fate fate)
      throws Exception {
    ProcessTopic topic = LAB.topic(LAB.broker(), "both", 2);
    crash(topic, LAB.table(kind, "both"), change, fate, 1);
  }

  private static void crash(
      ProcessTopic topic, ProcessTable table, Change change, Fate fate, int sinksAtCommit)
      throws Exception {
    ProcessBroker broker = topic.broker();
    Drip drip = LAB.drip();
    ProcessInsert insert = LAB.insertInto(topic).alsoInto(table).from(drip);
    final ProcessJob job = change.apply(insert).start();
    RelayFault byKafka =
        broker.faults().hold(KafkaFaults.commitsOf(topic.prefix() + "~"), Integer.MAX_VALUE);
    Fault byPostgres = table.target().holdCommits(Integer.MAX_VALUE);
    drip.dropOneByOne(FIRST);
    job.awaitMetric("numRecordsSend", 2 * FIRST.size());

    job.checkpoint();
    Await.until(
        "commits at " + sinksAtCommit + " relays",
        LIMIT,
        () -> Math.min(byKafka.hits(), 1) + Math.min(byPostgres.hits(), 1) >= sinksAtCommit);
    assertNothingVisible(topic, table);
    assertThat(broker.unfinished(topic.prefix())).isNotEmpty();
    assertThat(table.target().open(table.prefix()).isEmpty())
        .as("rows in PostgreSQL before their commit")
        .isEqualTo(!table.target().kind().holdsOpenRows());

    LAB.replaceTaskManager();
    assertNothingVisible(topic, table);
    fate.accept(byKafka);
    fate.accept(byPostgres);
    job.awaitRestored(1);
    job.awaitAllCommitted(FIRST);
    job.awaitMetric("alreadyCommitted", fate == DELIVERED ? sinksAtCommit : 0);

    drip.dropOneByOne(SECOND);
    job.awaitMetric("numRecordsSend", 2 * SECOND.size());
    job.checkpoint();
    job.awaitAllCommitted(ALL);
    for (ProcessSink sink : job.sinks()) {
      assertThat(sink.committed().stream().mapToInt(ProcessLab::qty).sum()).isEqualTo(150);
    }
    assertThat(job.restarts()).isEqualTo(1);
  }

  private static void assertNothingVisible(ProcessTopic topic, ProcessTable table) {
    assertThat(topic.committed()).isEmpty();
    assertThat(table.committed()).isEmpty();
  }
}
