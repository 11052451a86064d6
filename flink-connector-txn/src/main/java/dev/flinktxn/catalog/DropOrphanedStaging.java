// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.jdbc.JdbcHousekeeping;
import dev.flinktxn.jdbc.JdbcHousekeeping.Orphan;
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

/** {@code sys.drop_orphaned_staging}: drops staging tables of jobs that never came back. */
public final class DropOrphanedStaging implements Procedure {

  private static final Duration OLD = Duration.ofDays(7);

  private final Systems systems;

  DropOrphanedStaging(Systems systems) {
    this.systems = systems;
  }

  /**
   * Drops each table that nothing keeps, and says why others stay.
   *
   * @param context not used
   * @param prefix matched exactly; null for all, and for tables that are not registered any more
   * @param olderThan since when a table has to be there; null for 7 days
   * @param dryRun null for true
   * @throws org.apache.flink.table.api.ValidationException if an argument or an option is wrong
   */
  @ProcedureHint(
      argument = {
        @ArgumentHint(name = "prefix", type = @DataTypeHint("STRING"), isOptional = true),
        @ArgumentHint(name = "older_than", type = @DataTypeHint("STRING"), isOptional = true),
        @ArgumentHint(name = "dry_run", type = @DataTypeHint("BOOLEAN"), isOptional = true)
      },
      output =
          @DataTypeHint(
              "ROW<`prefix` STRING, `transaction` STRING, `object` STRING, `since`"
                  + " TIMESTAMP_LTZ(3), `rows` BIGINT, `bytes` BIGINT, `state` STRING, `action`"
                  + " STRING, `reason` STRING>"))
  public Row[] call(ProcedureContext context, String prefix, String olderThan, Boolean dryRun)
      throws Exception {
    Duration age = Arguments.duration("older_than", olderThan);
    List<Row> rows = new ArrayList<>();
    try (JdbcHousekeeping housekeeping = systems.housekeeping()) {
      for (Orphan orphan :
          housekeeping.staged(Arguments.anyPrefix(prefix), age == null ? OLD : age)) {
        String action = Arguments.dryRun(dryRun) ? "would drop" : "dropped";
        String reason = null;
        if (orphan.keep() != null) {
          action = "kept";
          reason = orphan.keep();
        } else if (!Arguments.dryRun(dryRun)) {
          try {
            housekeeping.drop(orphan);
          } catch (IOException e) {
            action = "failed";
            reason = e.getMessage();
          }
        }
        rows.add(
            Row.of(
                orphan.prefix(),
                orphan.transaction(),
                orphan.table(),
                orphan.createdAt(),
                orphan.rows(),
                orphan.bytes(),
                orphan.state(),
                action,
                reason));
      }
    }
    return rows.toArray(Row[]::new);
  }
}
