// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static dev.flinktxn.catalog.CalledProcedures.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.catalog.CalledProcedures;
import dev.flinktxn.fixture.Fault;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A dead job beside live ones of similar prefixes: what is listed, what is refused, what is
 * finished and aborted, and that nothing else is touched.
 */
@ExtendWith(ScenarioExtension.class)
class ProceduresITCase {

  private static final List<String> COMMITTED = List.of(Rows.row(1, "committed", 1));
  private static final List<String> PREPARED =
      List.of(Rows.row(2, "prepared", 2), Rows.row(3, "prepared", 3));
  private static final List<String> OPEN = List.of(Rows.row(4, "open", 4), Rows.row(5, "open", 5));

  private static final List<String> NEIGHBOURS =
      List.of(Rows.row(8, "neighbour", 8), Rows.row(9, "neighbour", 9));

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @ParameterizedTest
  @EnumSource(names = {"TV2", "PG_INLINE", "PG_STAGED"})
  void aDeadJobIsFinishedAndClearedAway(TargetKind kind, Scenario scenario) throws Exception {
    run(kind, scenario);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(names = {"TV1", "PG_POOLED_STAGED"})
  void andInOtherPlaces(TargetKind kind, Scenario scenario) throws Exception {
    run(kind, scenario);
  }

  private static void run(TargetKind kind, Scenario scenario) throws Exception {
    final CalledProcedures procedures = procedures(scenario.on(kind), kind);
    Flow orders = scenario.flow("orders", 2);
    Map<Flow, RunningJob> neighbours = new LinkedHashMap<>();
    for (String name : List.of("orders2", "orders-eu")) {
      Flow neighbour = scenario.flow(name, 2);
      neighbour.drop(NEIGHBOURS);
      neighbours.put(neighbour, neighbour.job().start());
      neighbour.awaitWritten(NEIGHBOURS.size());
    }
    // A crash waits for the threads of the job that it ends.
    scenario.threads().ignorePresent();
    String checkpoint = die(scenario, orders);
    Map<Flow, Set<String>> ofNeighbours = new HashMap<>();
    neighbours.keySet().forEach(flow -> ofNeighbours.put(flow, flow.openTransactions()));

    String prefix = "prefix => '" + orders.prefix() + "'";
    String finish = "finish_transactions(checkpoint => '" + checkpoint + "', " + prefix;
    String abort = "abort_transactions(" + prefix;
    final Set<String> left = orders.openTransactions();
    List<Row> listed = procedures.call("list_transactions(" + prefix + ")");
    assertThat(column(listed, "transaction").stream().filter(left::contains).distinct())
        .as("listed %s", listed)
        .containsExactlyInAnyOrderElementsOf(left);
    assertThat(column(listed, "transaction"))
        .allMatch(name -> name.equals("null") || name.startsWith(orders.prefix() + "~"));
    assertThat(listed.toString()).contains(kind.isKafka() ? "Ongoing" : "committed transactions");

    // Somebody might have begun it a moment ago.
    for (String dryRun : List.of("true", "false")) {
      assertActions(procedures.call(finish + ", dry_run => " + dryRun + ")"), "refused", 1);
      assertActions(
          procedures.call(abort + ", dry_run => " + dryRun + ")"), "refused", left.size());
    }
    assertActions(procedures.call(finish + ", quiet_for => '0 s')"), "would commit", 1);
    assertActions(procedures.call(abort + ", quiet_for => '0 s')"), "would abort", left.size());
    assertThat(orders.openTransactions()).as("after dry runs").isEqualTo(left);
    assertThat(orders.committed()).isEqualTo(COMMITTED);

    assertActions(procedures.call(finish + ", force => true, dry_run => false)"), "committed", 1);
    orders.awaitCommitted(Rows.all(COMMITTED, PREPARED));
    assertActions(
        procedures.call(finish + ", quiet_for => '0 s', dry_run => false)"),
        "was committed already",
        1);
    int rest = orders.openTransactions().size();
    assertThat(rest).isEqualTo(kind == TargetKind.PG_INLINE ? 0 : 1);
    assertActions(procedures.call(abort + ", force => true, dry_run => false)"), "aborted", rest);
    assertThat(orders.openTransactions()).isEmpty();
    assertActions(procedures.call(abort + ", force => true, dry_run => false)"), "", 0);

    ofNeighbours.forEach(
        (flow, before) -> assertThat(flow.openTransactions()).as(flow.prefix()).isEqualTo(before));
    for (Map.Entry<Flow, RunningJob> neighbour : neighbours.entrySet()) {
      assertThat(neighbour.getValue().restarts()).isZero();
      neighbour.getValue().stopWithSavepoint();
      assertThat(neighbour.getKey().committed()).isEqualTo(NEIGHBOURS);
    }
    assertThat(orders.committed()).isEqualTo(Rows.all(COMMITTED, PREPARED));

    // It may come back after all, from that checkpoint.
    RunningJob again = orders.job().restoring(checkpoint).start();
    orders.drop(OPEN);
    orders.awaitWritten(COMMITTED.size() + PREPARED.size() + 2 * OPEN.size());
    again.stopWithSavepoint();
    assertThat(orders.committed()).isEqualTo(Rows.all(COMMITTED, PREPARED, OPEN));
  }

  @ParameterizedTest
  @EnumSource(names = {"TV2", "PG_STAGED"})
  void aLiveOwnerIsSeenHoweverShortTheQuiet(TargetKind kind, Scenario scenario) throws Exception {
    CalledProcedures procedures = procedures(scenario.on(kind), kind);
    Flow flow = scenario.flow("live", 1);
    Numbers numbers = new Numbers(1_000_000, Duration.ofMillis(20).toNanos(), "n");
    RunningJob job = flow.job().from(numbers).start();
    flow.awaitWritten(1);
    Set<String> open = flow.openTransactions();
    assertThat(open).isNotEmpty();
    String call =
        "abort_transactions(prefix => '"
            + flow.prefix()
            + "', quiet_for => '0 s', dry_run => false)";

    List<Row> rows = procedures.call(call);

    assertActions(rows, "refused", open.size());
    assertThat(rows.toString())
        .contains(kind.isKafka() ? "was written or ended within 2 s" : "works for this prefix")
        .contains("force => true");
    for (String other : List.of(flow.prefix().toUpperCase(Locale.ROOT), flow.prefix() + "x")) {
      assertActions(procedures.call(call.replace(flow.prefix(), other)), "", 0);
    }
    assertThat(flow.openTransactions()).isEqualTo(open);
    job.stopWithSavepoint();
    assertThat(job.restarts()).isZero();
    assertThat(flow.committed()).hasSize(Math.toIntExact(job.total("numRecordsSend")));
  }

  @Test
  void rowsThatTheTableRefusesAreKeptUntilItTakesThem(Scenario scenario) throws Exception {
    CalledProcedures procedures =
        procedures(scenario.on(TargetKind.PG_STAGED), TargetKind.PG_STAGED);
    Flow flow = scenario.flow("refused", 1);
    PostgresTables database = scenario.postgres();
    database.execute("ALTER TABLE refused ADD UNIQUE (id)");
    String checkpoint = die(scenario, flow);
    database.execute("INSERT INTO refused VALUES (2, 'somebody else', 0)");
    String call =
        "finish_transactions(prefix => '%s', checkpoint => '%s', dry_run => false, force => true"
            .formatted(flow.prefix(), checkpoint);

    assertThatThrownBy(
            () -> procedures.call(call.replace(flow.prefix(), flow.prefix() + "x") + ")"))
        .hasStackTraceContaining("holds no sink with this sink.transactional-id-prefix");

    List<Row> refused = procedures.call(call + ")");

    assertActions(refused, "refused", 1);
    assertThat(refused.toString()).contains("(id)=(2)", "sink.on-existing-key");
    assertThat(flow.openTransactions()).hasSize(2);
    assertActions(procedures.call(call + ", on_existing_key => 'ignore')"), "committed", 1);
    assertThat(flow.committed())
        .isEqualTo(
            Rows.all(COMMITTED, List.of(Rows.row(2, "somebody else", 0)), PREPARED.subList(1, 2)));
    assertActions(
        procedures.call(
            "abort_transactions(prefix => '%s', dry_run => false, force => true)"
                .formatted(flow.prefix())),
        "aborted",
        1);
  }

  /** Leaves one transaction of the checkpoint that is answered, and one of no checkpoint. */
  private static String die(Scenario scenario, Flow flow) throws Exception {
    flow.drop(COMMITTED);
    // State in files, as it is when there is more of it.
    RunningJob job =
        flow.job()
            .with("execution.checkpointing.data-inline-threshold", "0 b")
            .with("execution.checkpointing.snapshot-compression", "true")
            .start();
    flow.awaitWritten(COMMITTED.size());
    job.checkpoint();
    flow.awaitCommitted(COMMITTED);
    flow.drop(PREPARED);
    flow.awaitWritten(COMMITTED.size() + PREPARED.size());
    String checkpoint;
    if (flow.target().kind().isStaged()) {
      // A savepoint alone commits nothing.
      checkpoint = job.savepoint();
      job.cancel();
    } else {
      Fault held = scenario.target().holdCommits(1);
      checkpoint = job.checkpoint();
      held.awaitHits(1, PATIENCE);
      job.cancel();
      held.discard();
    }
    // One that reads on, as a job does that never came to a checkpoint.
    Flow later =
        new Flow(scenario, flow.target(), flow.destination(), flow.prefix(), scenario.drip());
    later.drop(OPEN);
    RunningJob next = later.job().start();
    flow.awaitWritten(COMMITTED.size() + PREPARED.size() + OPEN.size());
    later.crash(next);
    return checkpoint;
  }

  private static CalledProcedures procedures(Scenario scenario, TargetKind kind) {
    Map<String, String> options = new HashMap<>();
    options.put("type", "txn");
    if (kind.isKafka()) {
      options.put(
          "txn-kafka.properties.bootstrap.servers", scenario.broker().bootstrapServersForJobs());
    }
    PostgresTables database = scenario.on(kind.isKafka() ? TargetKind.PG_INLINE : kind).postgres();
    Map<String, String> table = database.options("t", "p");
    options.put("url", table.get("url"));
    options.put("username", table.get("username"));
    scenario.on(kind);
    return new CalledProcedures(options);
  }

  private static void assertActions(List<Row> rows, String action, int count) {
    List<String> actions =
        column(rows, "action").stream().filter(found -> !found.equals("not asked")).toList();
    assertThat(actions).as("%s", rows).hasSize(count).allMatch(found -> found.endsWith(action));
  }
}
