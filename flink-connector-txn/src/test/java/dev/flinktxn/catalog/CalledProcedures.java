// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** A SQL session in which the procedures are called, and their rows by name of column. */
public final class CalledProcedures {

  private final TableEnvironment session =
      TableEnvironment.create(EnvironmentSettings.inStreamingMode());

  /** A session with a catalog {@code ops} of these options. */
  public CalledProcedures(Map<String, String> options) {
    session.registerCatalog("ops", new ProceduresCatalog("ops", options));
  }

  /** Calls {@code sys.<call>}, such as {@code list_transactions(prefix => 'orders')}. */
  public List<Row> call(String call) throws Exception {
    return rows("CALL ops.sys." + call);
  }

  List<Row> rows(String statement) throws Exception {
    TableResult result = session.executeSql(statement);
    List<String> names = result.getResolvedSchema().getColumnNames();
    List<Row> rows = new ArrayList<>();
    try (CloseableIterator<Row> found = result.collect()) {
      while (found.hasNext()) {
        Row row = found.next();
        Row named = Row.withNames();
        for (int i = 0; i < names.size(); i++) {
          named.setField(names.get(i), row.getField(i));
        }
        rows.add(named);
      }
    }
    return rows;
  }

  /** One column of rows, as text. */
  public static List<String> column(List<Row> rows, String name) {
    return rows.stream().map(row -> String.valueOf(row.getField(name))).toList();
  }
}
