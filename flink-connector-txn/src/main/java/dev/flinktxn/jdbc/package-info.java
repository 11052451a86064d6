/**
 * The connector {@code txn-jdbc}: rows into a stock PostgreSQL, exactly once, and rows from it.
 *
 * <p>Rows are encoded in the format of COPY while they arrive. What a checkpoint holds of one
 * subtask is a <em>unit</em> with a random id: a small one rides in the committable ({@code
 * inline}), a larger one waits in a staging table of its own. The committer moves the unit into the
 * target in one short transaction whose first statement inserts the unit's id into the
 * <em>ledger</em>; the ledger is what says whether an earlier try went through.
 *
 * <p>A scan reads the whole table as of one moment: its coordinator holds a transaction open whose
 * snapshot all readers use (pg_export_snapshot), and deals out <em>splits</em>, ranges of blocks
 * whose rows come in the order in which they lie. So within that snapshot a count of rows says how
 * far a split has been emitted, and a reader that failed goes on there. Without the snapshot (the
 * coordinator or the database went down) a checkpoint from the middle of a scan ends the job with a
 * message; one from before or after it is as good as ever, and without one the scan starts over.
 * Lookups are queries of their own, each seeing the present state.
 */
package dev.flinktxn.jdbc;
