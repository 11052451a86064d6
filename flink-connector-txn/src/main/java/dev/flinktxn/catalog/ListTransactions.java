// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.protocol.Remnant;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.table.procedures.Procedure;
import org.apache.flink.types.Row;

/** {@code sys.list_transactions}: what a prefix has left in Kafka and in the database. */
public final class ListTransactions implements Procedure {

  private final Systems systems;

  ListTransactions(Systems systems) {
    this.systems = systems;
  }

  /**
   * Lists what there is, and changes nothing. A system that does not answer has a row that says so.
   *
   * @param context not used
   * @param prefix matched exactly
   * @param bootstrapServers of Kafka; null for the catalog's
   * @throws org.apache.flink.table.api.ValidationException if an argument or an option is wrong
   */
  @ProcedureHint(
      argument = {
        @ArgumentHint(name = "prefix", type = @DataTypeHint("STRING")),
        @ArgumentHint(name = "bootstrap_servers", type = @DataTypeHint("STRING"), isOptional = true)
      },
      output =
          @DataTypeHint(
              "ROW<`system` STRING, `kind` STRING, `transaction` STRING, `object` STRING, `state`"
                  + " STRING, `since` TIMESTAMP_LTZ(3), `age_seconds` BIGINT, `timeout_seconds`"
                  + " BIGINT, `rows` BIGINT, `bytes` BIGINT, `owner` STRING, `detail` STRING>"))
  public Row[] call(ProcedureContext context, String prefix, String bootstrapServers)
      throws Exception {
    List<Row> rows = new ArrayList<>();
    String exactly = Arguments.prefix(prefix);
    systems
        .call(exactly, bootstrapServers)
        .visit(
            remains -> {
              for (Remnant remnant : remains.of(exactly)) {
                rows.add(row(remains.system(), remnant));
              }
            },
            (system, reason) ->
                rows.add(
                    Row.of(
                        system,
                        null,
                        null,
                        null,
                        "NOT ASKED",
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        reason)));
    return rows.toArray(Row[]::new);
  }

  private static Row row(String system, Remnant remnant) {
    Instant since = remnant.since();
    return Row.of(
        system,
        remnant.kind(),
        remnant.transaction(),
        remnant.object(),
        remnant.state(),
        since,
        since == null ? null : Duration.between(since, Instant.now()).toSeconds(),
        remnant.timeout() == null ? null : remnant.timeout().toSeconds(),
        remnant.rows(),
        remnant.bytes(),
        remnant.owner(),
        remnant.detail());
  }
}
