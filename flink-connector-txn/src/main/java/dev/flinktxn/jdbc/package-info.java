/**
 * The connector {@code txn-jdbc}: rows into a stock PostgreSQL, exactly once.
 *
 * <p>Rows are encoded in the format of COPY while they arrive. What a checkpoint holds of one
 * subtask is a <em>unit</em> with a random id: a small one rides in the committable ({@code
 * inline}), a larger one waits in a staging table of its own. The committer moves the unit into the
 * target in one short transaction whose first statement inserts the unit's id into the
 * <em>ledger</em>; the ledger is what says whether an earlier try went through.
 */
package dev.flinktxn.jdbc;
