// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.types.logical.RowType;

/**
 * What the tasks are given of one table.
 *
 * @param table the table's name in Flink, for messages
 * @param url the JDBC URL without its parameters, hence without secrets
 * @param properties what the driver is given, the URL's parameters, user and password among them;
 *     never shown
 * @param tableName the table in the database
 * @param rows the type of the rows; its field names are the names of columns
 * @param key the declared PRIMARY KEY, empty without one
 * @param prefix the namespace of what the sink leaves behind; null only without transactions
 * @param strategy how transactions commit
 * @param onExistingKey what happens to a row whose key exists already
 * @param inlineMaxBytes how much of a subtask's pending rows may travel in committables
 * @param schema the schema that holds ledger and staging tables
 * @param ledgerRetention how long the ledger remembers
 * @param flushMaxRows rows per flush, without transactions
 * @param flushInterval time between flushes, without transactions; zero for none
 * @param transactionTimeout the longest one commit transaction may take, its waits included
 * @param preparedPerSubtask how many prepared transactions one subtask may hold at once; 0 under
 *     ledger
 */
record JdbcTarget(
    String table,
    String url,
    Map<String, String> properties,
    TableName tableName,
    RowType rows,
    List<String> key,
    String prefix,
    CommitStrategy strategy,
    OnExistingKey onExistingKey,
    long inlineMaxBytes,
    String schema,
    Duration ledgerRetention,
    int flushMaxRows,
    Duration flushInterval,
    Duration transactionTimeout,
    int preparedPerSubtask)
    implements Serializable {

  private static final long serialVersionUID = 1L;

  /** The same without transactions, which leaves nothing in {@code schema}. */
  JdbcTarget withoutTransactions() {
    return new JdbcTarget(
        table,
        url,
        properties,
        tableName,
        rows,
        key,
        null,
        strategy,
        onExistingKey,
        inlineMaxBytes,
        schema,
        ledgerRetention,
        flushMaxRows,
        flushInterval,
        transactionTimeout,
        preparedPerSubtask);
  }

  /** The target in words, for messages. */
  String describe() {
    return "PostgreSQL table " + tableName;
  }

  /** Without the properties, which may hold secrets. */
  @Override
  public String toString() {
    return describe();
  }
}
