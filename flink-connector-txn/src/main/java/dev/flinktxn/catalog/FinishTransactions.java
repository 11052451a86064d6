// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.catalog.CheckpointedTransactions.Prepared;
import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.Outcome;
import dev.flinktxn.protocol.RefusedException;
import dev.flinktxn.protocol.Remains;
import dev.flinktxn.protocol.Remnant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.table.procedures.Procedure;
import org.apache.flink.types.Row;

/**
 * {@code sys.finish_transactions}: commits what a completed checkpoint holds and a dead job did not
 * get to, by what the job's committer would commit it with. The checkpoint itself is the evidence.
 */
public final class FinishTransactions implements Procedure {

  private static final String OPEN = "OPEN";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 2_000;

  private final Systems systems;
  private final CheckpointedTransactions checkpoints;

  FinishTransactions(Systems systems, ClassLoader loader) {
    this.systems = systems;
    this.checkpoints = new CheckpointedTransactions(loader);
  }

  /**
   * Commits each transaction and says what became of it. Called again, it finds them committed.
   *
   * @param context not used
   * @param prefix matched exactly
   * @param checkpoint the directory of the newest completed checkpoint, or of a savepoint
   * @param quietFor how long the prefix has to have been quiet; null for the default
   * @param onExistingKey the table's {@code sink.on-existing-key}; null for the sink's default
   * @param dryRun null for true
   * @param force whether signs of life do not count; null for false
   * @param bootstrapServers of Kafka; null for the catalog's
   * @throws org.apache.flink.table.api.ValidationException if an argument or an option is wrong
   */
  @ProcedureHint(
      argument = {
        @ArgumentHint(name = "prefix", type = @DataTypeHint("STRING")),
        @ArgumentHint(name = "checkpoint", type = @DataTypeHint("STRING")),
        @ArgumentHint(name = "quiet_for", type = @DataTypeHint("STRING"), isOptional = true),
        @ArgumentHint(name = "on_existing_key", type = @DataTypeHint("STRING"), isOptional = true),
        @ArgumentHint(name = "dry_run", type = @DataTypeHint("BOOLEAN"), isOptional = true),
        @ArgumentHint(name = "force", type = @DataTypeHint("BOOLEAN"), isOptional = true),
        @ArgumentHint(name = "bootstrap_servers", type = @DataTypeHint("STRING"), isOptional = true)
      },
      output =
          @DataTypeHint(
              "ROW<`system` STRING, `kind` STRING, `transaction` STRING, `object` STRING,"
                  + " `checkpoint` BIGINT, `rows` BIGINT, `bytes` BIGINT, `state` STRING, `action`"
                  + " STRING, `reason` STRING>"))
  public Row[] call(
      ProcedureContext context,
      String prefix,
      String checkpoint,
      String quietFor,
      String onExistingKey,
      Boolean dryRun,
      Boolean force,
      String bootstrapServers)
      throws Exception {
    Finish finish =
        new Finish(
            Arguments.prefix(prefix),
            Arguments.duration("quiet_for", quietFor),
            Arguments.dryRun(dryRun),
            Arguments.force(force),
            new ArrayList<>());
    List<Prepared> all = checkpoints.of(prefix, checkpoint);
    Systems.Call call = systems.call(prefix, bootstrapServers);
    Map<String, String> instead =
        onExistingKey == null ? Map.of() : Map.of("sink.on-existing-key", onExistingKey);
    finish.in(call.postgres(instead), all);
    if (finish.rows.size() < all.size()) {
      finish.in(
          call.kafka()
              .orElseThrow(
                  () ->
                      Arguments.refusal(
                          "bootstrap_servers",
                          null,
                          "the checkpoint holds Kafka transactions, and " + Systems.NO_BROKERS)),
          all);
    }
    return finish.rows.toArray(Row[]::new);
  }

  /** What was done about a transaction, and why. */
  private record End(String action, String reason) {}

  private record Finish(
      String prefix, Duration quietFor, boolean dryRun, boolean force, List<Row> rows) {

    void in(Remains opened, List<Prepared> all) throws IOException, InterruptedException {
      Systems.Call.visit(
          opened,
          remains -> {
            Map<Committable, Long> checkpoints = new IdentityHashMap<>();
            List<Committable> own = new ArrayList<>();
            for (Prepared prepared : all) {
              if (remains.holds(prepared.committable())) {
                own.add(prepared.committable());
                checkpoints.put(prepared.committable(), prepared.checkpoint());
              }
            }
            if (!own.isEmpty()) {
              finish(remains, own, checkpoints);
            }
          });
    }

    private void finish(Remains remains, List<Committable> own, Map<Committable, Long> checkpoints)
        throws IOException, InterruptedException {
      List<Remnant> standing = remains.standing(own);
      Optional<String> obstacle = force ? Optional.empty() : obstacle(remains, standing);
      Map<Committable, End> ends = new IdentityHashMap<>();
      if (!dryRun && obstacle.isEmpty()) {
        for (List<Committable> part : remains.parts(own)) {
          commit(remains, part, ends);
        }
      }
      for (int i = 0; i < own.size(); i++) {
        Remnant now = standing.get(i);
        End end = ends.getOrDefault(own.get(i), untouched(now, obstacle.orElse(null)));
        rows.add(
            Row.of(
                remains.system(),
                now.kind(),
                now.transaction(),
                now.object(),
                checkpoints.get(own.get(i)),
                now.rows(),
                now.bytes(),
                now.state(),
                end.action(),
                end.reason()));
      }
    }

    /** Of a transaction that nothing is done about. */
    private End untouched(Remnant now, String obstacle) {
      String action =
          switch (now.state()) {
            case OPEN ->
                obstacle == null ? "would commit" : dryRun ? "would be refused" : "refused";
            case "ABORTED", "LOST" -> "LOST";
            case "UNKNOWN" -> "UNKNOWN";
            case "ENDING" -> "call again";
            default -> "nothing to commit";
          };
      boolean refused = obstacle != null && now.state().equals(OPEN);
      return new End(action, refused ? obstacle : now.detail());
    }

    private Optional<String> obstacle(Remains remains, List<Remnant> standing)
        throws IOException, InterruptedException {
      if (standing.stream().noneMatch(now -> now.state().equals(OPEN))) {
        return Optional.empty();
      }
      Optional<String> sign = remains.signOfLife(prefix, quietFor);
      if (sign.isPresent()) {
        return Optional.of(sign.get() + "; when its job is dead all the same, pass force => true");
      }
      return remains.of(prefix).isEmpty()
          ? Optional.of(
              "this "
                  + remains.system()
                  + " has never heard of the prefix, so it may not be the one the job wrote to; if"
                  + " it is, pass force => true")
          : Optional.empty();
    }

    private static void commit(Remains remains, List<Committable> part, Map<Committable, End> ends)
        throws InterruptedException {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      long pause = FIRST_PAUSE_MILLIS;
      List<Committable> pending = part;
      try (CommitterStore store = remains.committer(part)) {
        while (true) {
          List<Outcome> outcomes = store.commit(pending);
          List<Committable> again = new ArrayList<>();
          for (int i = 0; i < pending.size(); i++) {
            ends.put(pending.get(i), end(outcomes.get(i)));
            if (outcomes.get(i).kind() == Outcome.Kind.RETRY) {
              again.add(pending.get(i));
            }
          }
          if (again.isEmpty() || System.nanoTime() - deadline > 0) {
            return;
          }
          pending = again;
          TimeUnit.MILLISECONDS.sleep(pause);
          pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
      } catch (IOException e) {
        for (Committable committable : pending) {
          ends.put(
              committable,
              new End(e instanceof RefusedException ? "refused" : "failed", e.getMessage()));
        }
      }
    }

    private static End end(Outcome outcome) {
      String action =
          switch (outcome.kind()) {
            case COMMITTED -> "committed";
            case ALREADY_COMMITTED -> "was committed already";
            case RETRY -> "not committed, call again";
            case LOST -> "LOST";
            case UNKNOWN -> "UNKNOWN";
          };
      return new End(action, outcome.evidence());
    }
  }
}
