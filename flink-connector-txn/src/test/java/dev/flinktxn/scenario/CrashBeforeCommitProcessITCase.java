// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static dev.flinktxn.scenario.ProcessLab.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.KafkaFault;
import dev.flinktxn.fixture.KafkaFaults;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A1 and its A15: the TaskManager dies between the checkpoint and its commit. */
class CrashBeforeCommitProcessITCase {

  @RegisterExtension static final ProcessLab LAB = ProcessLab.withSlots(2);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> FIRST =
      List.of(row(1, "ant", 10), row(2, "bee", 20), row(3, "cat", 30));
  private static final List<String> SECOND = List.of(row(4, "dog", 40), row(5, "eel", 50));
  private static final List<String> ALL = Stream.of(FIRST, SECOND).flatMap(List::stream).toList();

  private interface Change extends UnaryOperator<ProcessInsert> {}

  private interface Fate extends Consumer<KafkaFault> {}

  static Stream<Arguments> variants() {
    Change chained = insert -> insert;
    Change parallel = insert -> insert.parallelism(2);
    Fate delivered = KafkaFault::release;
    Fate dropped = KafkaFault::discard;
    return Stream.of(
        Arguments.of("the commit arrives after the crash", chained, delivered),
        Arguments.of("the commit never arrives", chained, dropped),
        Arguments.of("chaining off", (Change) ProcessInsert::unchained, dropped),
        Arguments.of("parallelism 2", parallel, dropped));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("variants")
  void commitsAfterTheRestoreWhatTheCheckpointHolds(String name, Change change, Fate fate)
      throws Exception {
    ProcessBroker broker = LAB.broker();
    Drip drip = LAB.drip();
    ProcessInsert insert = LAB.insertInto(broker, "crash", 2).from(drip);
    ProcessJob job = change.apply(insert).start();
    KafkaFault held =
        broker.faults().hold(KafkaFaults.commitsOf(job.prefix() + "~"), Integer.MAX_VALUE);
    drip.dropOneByOne(FIRST);
    broker.awaitWritten(job.topic(), FIRST.size(), LIMIT);

    job.checkpoint();
    held.awaitHits(1, LIMIT);
    assertThat(job.committed()).isEmpty();
    assertThat(broker.unfinished(job.prefix())).isNotEmpty();

    LAB.replaceTaskManagers();
    assertThat(job.committed()).isEmpty();
    fate.accept(held);
    job.awaitRestored(1);
    job.awaitCommitted(FIRST);

    drip.dropOneByOne(SECOND);
    broker.awaitWritten(job.topic(), ALL.size(), LIMIT);
    job.checkpoint();
    job.awaitCommitted(ALL);
    assertThat(job.committed().stream().mapToInt(ProcessLab::qty).sum()).isEqualTo(150);
    assertThat(job.restarts()).isEqualTo(1);
  }
}
