// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.Serializable;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.table.types.logical.RowType;

/**
 * What is read of one table.
 *
 * @param table the table's name in Flink, for messages
 * @param address where it is
 * @param declared the DDL's columns
 * @param rows the type of the rows that are read: some of the DDL's columns
 * @param conditions what a row has to fulfil to be read
 * @param limit how many rows are enough, if it is known; negative otherwise
 */
record ReadTarget(
    String table,
    JdbcAddress address,
    RowType declared,
    RowType rows,
    List<PushedCondition> conditions,
    long limit)
    implements Serializable {

  private static final long serialVersionUID = 1L;

  /** The columns that have to be there: those of the rows and those of conditions. */
  Set<String> columns() {
    Set<String> columns = new TreeSet<>(rows.getFieldNames());
    conditions.forEach(condition -> columns.addAll(condition.columns()));
    return columns;
  }

  OptionalLong enough() {
    return limit < 0 ? OptionalLong.empty() : OptionalLong.of(limit);
  }

  /** The table in words, for messages. */
  String describe() {
    return address.describe();
  }

  /** Without anything that may be secret. */
  @Override
  public String toString() {
    return describe();
  }
}
