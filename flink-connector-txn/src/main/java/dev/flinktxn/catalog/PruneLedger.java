// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.jdbc.JdbcHousekeeping;
import dev.flinktxn.jdbc.JdbcHousekeeping.Memory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.table.procedures.Procedure;
import org.apache.flink.types.Row;
import org.apache.flink.util.TimeUtils;

/** {@code sys.prune_ledger}: forgets the commits of jobs that never came back. */
public final class PruneLedger implements Procedure {

  private final Systems systems;

  PruneLedger(Systems systems) {
    this.systems = systems;
  }

  /**
   * Forgets what was committed long ago. A checkpoint from before that, restored later, finds its
   * transactions UNKNOWN.
   *
   * @param context not used
   * @param prefix matched exactly; null for all
   * @param olderThan how long ago the commit has to be; at least an hour
   * @param dryRun null for true
   * @throws org.apache.flink.table.api.ValidationException if an argument or an option is wrong
   */
  @ProcedureHint(
      argument = {
        @ArgumentHint(name = "older_than", type = @DataTypeHint("STRING")),
        @ArgumentHint(name = "prefix", type = @DataTypeHint("STRING"), isOptional = true),
        @ArgumentHint(name = "dry_run", type = @DataTypeHint("BOOLEAN"), isOptional = true)
      },
      output =
          @DataTypeHint(
              "ROW<`prefix` STRING, `transactions` BIGINT, `prunable` BIGINT, `oldest`"
                  + " TIMESTAMP_LTZ(3), `newest` TIMESTAMP_LTZ(3), `action` STRING, `reason`"
                  + " STRING>"))
  public Row[] call(ProcedureContext context, String olderThan, String prefix, Boolean dryRun)
      throws Exception {
    Duration age = Arguments.duration("older_than", olderThan);
    if (age == null || age.compareTo(JdbcHousekeeping.SHORTEST_RETENTION) < 0) {
      throw Arguments.refusal(
          "older_than",
          olderThan,
          "it has to be '%s' or more"
              .formatted(TimeUtils.formatWithHighestUnit(JdbcHousekeeping.SHORTEST_RETENTION)));
    }
    List<Row> rows = new ArrayList<>();
    try (JdbcHousekeeping housekeeping = systems.housekeeping()) {
      for (Memory memory : housekeeping.memories(Arguments.anyPrefix(prefix), age)) {
        rows.add(prune(housekeeping, memory, age, Arguments.dryRun(dryRun)));
      }
    }
    return rows.toArray(Row[]::new);
  }

  private static Row prune(
      JdbcHousekeeping housekeeping, Memory memory, Duration age, boolean dryRun)
      throws InterruptedException {
    String action = dryRun ? "would prune" : "pruned";
    String reason = memory.keep();
    if (reason != null) {
      action = "kept";
    } else if (memory.prunable() == 0) {
      action = "nothing to prune";
    } else if (!dryRun) {
      try {
        housekeeping.prune(memory.prefix(), age);
      } catch (IOException e) {
        action = "failed";
        reason = e.getMessage();
      }
    }
    return Row.of(
        memory.prefix(),
        memory.units(),
        memory.prunable(),
        memory.oldest(),
        memory.newest(),
        action,
        reason);
  }
}
