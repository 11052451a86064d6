// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static dev.flinktxn.scenario.ProcessLab.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.KafkaFaults;
import dev.flinktxn.fixture.KafkaRequest;
import dev.flinktxn.fixture.RelayFault;
import dev.flinktxn.fixture.TaskManagerProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A1 with its part of A15, and K4: the TaskManager dies before or after a commit takes effect. */
class CrashAtCommitProcessITCase {

  @RegisterExtension static final ProcessLab LAB = ProcessLab.withSlots(2);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> FIRST =
      List.of(row(1, "ant", 10), row(2, "bee", 20), row(3, "cat", 30));
  private static final List<String> SECOND = List.of(row(4, "dog", 40), row(5, "eel", 50));
  private static final List<String> ALL = Stream.of(FIRST, SECOND).flatMap(List::stream).toList();

  private interface Change extends UnaryOperator<ProcessInsert> {}

  private interface Fate extends Consumer<RelayFault> {}

  static Stream<Arguments> variants() {
    Change chained = insert -> insert;
    Change parallel = insert -> insert.parallelism(2);
    Fate delivered = RelayFault::release;
    Fate dropped = RelayFault::discard;
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
    RelayFault held =
        broker.faults().hold(KafkaFaults.commitsOf(job.prefix() + "~"), Integer.MAX_VALUE);
    drip.dropOneByOne(FIRST);
    broker.awaitWritten(job.topic(), FIRST.size(), LIMIT);

    job.checkpoint();
    held.awaitHits(1, LIMIT);
    assertThat(job.committed()).isEmpty();
    assertThat(broker.unfinished(job.prefix())).isNotEmpty();

    LAB.replaceTaskManager();
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

  @Test
  void recognisesACommitWhoseReplyDiedWithTheTaskManager() throws Exception {
    ProcessBroker broker = LAB.broker();
    Drip drip = LAB.drip();
    ProcessJob job = LAB.insertInto(broker, "committed", 1).from(drip).start();
    Predicate<KafkaRequest> commits = KafkaFaults.commitsOf(job.prefix() + "~");
    RelayFault lostReply = broker.faults().holdReply(commits, 1);
    drip.drop(FIRST);
    broker.awaitWritten(job.topic(), FIRST.size(), LIMIT);

    job.checkpoint();
    lostReply.awaitHits(1, LIMIT);
    job.awaitCommitted(FIRST);
    TaskManagerProcess successor = LAB.replaceTaskManager();
    lostReply.discard();
    job.awaitRestored(1);

    job.awaitMetric("alreadyCommitted", 1);
    assertThat(broker.faults().count(commits)).isEqualTo(1);

    RelayFault lostAgain = broker.faults().cutAfter(commits, 1);
    drip.drop(SECOND);
    broker.awaitWritten(job.topic(), ALL.size(), LIMIT);
    job.checkpoint();
    lostAgain.awaitHits(1, LIMIT);
    job.awaitCommitted(ALL);
    job.awaitMetric("alreadyCommitted", 2);
    job.awaitMetric("lostTransactions", 0);
    assertThat(job.restarts()).isEqualTo(1);
    assertThat(successor.output().lines()).noneMatch(line -> line.contains(" ERROR "));
  }
}
