// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.protocol.Remains;
import dev.flinktxn.protocol.Remnant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.table.procedures.Procedure;
import org.apache.flink.types.Row;

/**
 * {@code sys.abort_transactions}: ends what a dead job has left open, as its successor would. The
 * rows of a checkpoint that relied on it are lost; {@link FinishTransactions} comes first.
 */
public final class AbortTransactions implements Procedure {

  private final Systems systems;

  AbortTransactions(Systems systems) {
    this.systems = systems;
  }

  /**
   * Aborts open Kafka transactions, rolls prepared ones back and drops staging tables.
   *
   * @param context not used
   * @param prefix matched exactly
   * @param transaction only the one of this name, or with this object; null for all
   * @param quietFor how long the prefix has to have been quiet; null for the default
   * @param dryRun null for true
   * @param force whether signs of life do not count; null for false
   * @param bootstrapServers of Kafka; null for the catalog's
   * @throws org.apache.flink.table.api.ValidationException if an argument or an option is wrong
   */
  @ProcedureHint(
      argument = {
        @ArgumentHint(name = "prefix", type = @DataTypeHint("STRING")),
        @ArgumentHint(name = "transaction", type = @DataTypeHint("STRING"), isOptional = true),
        @ArgumentHint(name = "quiet_for", type = @DataTypeHint("STRING"), isOptional = true),
        @ArgumentHint(name = "dry_run", type = @DataTypeHint("BOOLEAN"), isOptional = true),
        @ArgumentHint(name = "force", type = @DataTypeHint("BOOLEAN"), isOptional = true),
        @ArgumentHint(name = "bootstrap_servers", type = @DataTypeHint("STRING"), isOptional = true)
      },
      output =
          @DataTypeHint(
              "ROW<`system` STRING, `kind` STRING, `transaction` STRING, `object` STRING, `state`"
                  + " STRING, `action` STRING, `reason` STRING>"))
  public Row[] call(
      ProcedureContext context,
      String prefix,
      String transaction,
      String quietFor,
      Boolean dryRun,
      Boolean force,
      String bootstrapServers)
      throws Exception {
    Abort abort =
        new Abort(
            Arguments.prefix(prefix),
            transaction,
            Arguments.duration("quiet_for", quietFor),
            Arguments.dryRun(dryRun),
            Arguments.force(force),
            new ArrayList<>());
    systems
        .call(prefix, bootstrapServers)
        .visit(
            abort::in,
            (system, reason) ->
                abort.rows.add(Row.of(system, null, null, null, null, "not asked", reason)));
    return abort.rows.toArray(Row[]::new);
  }

  private record Abort(
      String prefix,
      String transaction,
      Duration quietFor,
      boolean dryRun,
      boolean force,
      List<Row> rows) {

    void in(Remains remains) throws IOException, InterruptedException {
      List<Remnant> chosen = remains.of(prefix).stream().filter(this::isChosen).toList();
      if (chosen.isEmpty()) {
        return;
      }
      Optional<String> sign = force ? Optional.empty() : remains.signOfLife(prefix, quietFor);
      for (Remnant remnant : chosen) {
        if (sign.isPresent()) {
          add(
              remains,
              remnant,
              dryRun ? "would be refused" : "refused",
              sign.get() + "; when its job is dead all the same, pass force => true");
        } else if (dryRun) {
          add(remains, remnant, "would abort", remnant.detail());
        } else {
          end(remains, remnant);
        }
      }
    }

    private boolean isChosen(Remnant remnant) {
      return remnant.open() != null
          && (transaction == null
              || transaction.equals(remnant.transaction())
              || transaction.equals(remnant.object()));
    }

    private void end(Remains remains, Remnant remnant) throws InterruptedException {
      try {
        switch (remains.end(remnant)) {
          case ABORTED -> add(remains, remnant, "aborted", null);
          case COMMITTED -> add(remains, remnant, "not aborted", "it was committed meanwhile");
          default ->
              add(remains, remnant, "gone", "it had ended before; how is not known any more");
        }
      } catch (IOException e) {
        add(remains, remnant, "failed", e.getMessage());
      }
    }

    private void add(Remains remains, Remnant remnant, String action, String reason) {
      rows.add(
          Row.of(
              remains.system(),
              remnant.kind(),
              remnant.transaction(),
              remnant.object(),
              remnant.state(),
              action,
              reason));
    }
  }
}
