// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import java.util.List;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.types.DataType;
import org.apache.flink.types.RowKind;

/** The declared PRIMARY KEY of a table. */
public final class PrimaryKey {

  /**
   * The rows a table takes that is written by its key: what a key holds now, or that it is gone.
   * Deletes come with all their columns, for those that are NOT NULL have to be there.
   */
  public static final ChangelogMode CHANGES =
      ChangelogMode.newBuilder()
          .addContainedKind(RowKind.INSERT)
          .addContainedKind(RowKind.UPDATE_AFTER)
          .addContainedKind(RowKind.DELETE)
          .build();

  private PrimaryKey() {}

  /**
   * Its columns' positions in the rows, in the order in which it names them; empty without one. By
   * name: the context counts computed columns too, which rows do not have.
   */
  public static int[] of(DynamicTableFactory.Context context) {
    List<String> columns = DataType.getFieldNames(context.getPhysicalRowDataType());
    return context.getCatalogTable().getResolvedSchema().getPrimaryKey().stream()
        .flatMap(key -> key.getColumns().stream())
        .mapToInt(columns::indexOf)
        .toArray();
  }
}
