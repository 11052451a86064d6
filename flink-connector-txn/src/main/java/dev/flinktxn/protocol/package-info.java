// SPDX-License-Identifier: Apache-2.0
/**
 * The two-phase commit both sinks share: names, ownership, begin, prepare, commit, abort, clean-up.
 *
 * <p>The promise: after every restore the target holds what the restored positions allow, each row
 * once; what is missing is named by a failed job. The argument, with the mutation of {@code
 * MutationTest} that shows what each rule is for:
 *
 * <ul>
 *   <li><b>Rows of a completed checkpoint are committed.</b> They are in transactions prepared
 *       before its barrier, and the committables are in its state: those of earlier, aborted
 *       checkpoints too (DROPS_COMMITTABLES_OF_ABORTED_CHECKPOINTS). A transaction that is gone
 *       when its barrier comes fails the attempt before the checkpoint can count on it: the writer
 *       looks after the flush and before it prepares (DOES_NOT_LOOK_BEFORE_IT_PREPARES), and, once
 *       its input has ended, at every barrier. From then on only a timeout, a third party or a fork
 *       can abort it, because this sink does not:
 *   <li><b>(a)</b> No two attempts share a name (SHARES_NAMES): nothing a predecessor does to its
 *       own names can end a successor's transaction.
 *   <li><b>(b)</b> Opening changes nothing (CLEANS_UP_AT_OPEN). Clean-up runs at real barriers
 *       only, that is in {@code flush(false)} or, after the end of the input, in {@code
 *       snapshotState}; not in the flush of endInput, which no barrier precedes
 *       (CLEANS_UP_WHEN_INPUT_ENDS). A barrier comes only when all tasks run, which is after every
 *       committer has committed what it restored; so what an older attempt still holds open then,
 *       no checkpoint of this history relies on. It is repeated about once a minute
 *       (CLEANS_UP_ONCE_ONLY), for a predecessor that was only paused. In batch mode, where no
 *       barrier comes, it runs at {@code flush(true)}.
 *   <li><b>(c)</b> It aborts what parses exactly under the own prefix (MATCHES_PREFIXES_LOOSELY),
 *       has a subtask that is the own one modulo the parallelism, so that after any rescale each
 *       orphan has one owner and no sibling is touched (IGNORES_THE_SUBTASK), and an attempt older
 *       than the own (IGNORES_THE_AGE_OF_AN_ATTEMPT). A writer is younger than everything it finds
 *       open when it opens, whatever its clock says (DOES_NOT_MOVE_PAST_A_PREDECESSOR).
 *   <li><b>(d)</b> A name is begun again only after its transaction was seen committed, never after
 *       an abort (REUSES_A_SLOT_WITHOUT_A_LOOK, REUSES_AN_ABORTED_SLOT). So evidence of a later
 *       begin proves the commit. And only after a transaction prepared after that sighting was seen
 *       committed too: then a newer checkpoint has completed, and a restore of the latest never has
 *       to judge a name in use. Where a begin initialises the id (Kafka TV1), a crash between that
 *       and the first record leaves a state that proves nothing, and without this second half the
 *       latest checkpoint could end UNKNOWN (REUSES_A_SLOT_AT_ITS_SIGHTING). Three names carry a
 *       steady stream; more are taken while checkpoints abort, overlap or are notified late.
 *   <li><b>(e)</b> Before (c): an older attempt of the own names' subtask that has begun a
 *       transaction since this writer opened is alive. Then nothing is aborted and the attempt
 *       fails, naming it (DOES_NOT_ASK_WHO_IS_ALIVE: it also keeps a paused predecessor, or another
 *       job under the same prefix, from taking the living for its orphans).
 *   <li><b>Nothing is committed before a completed checkpoint relies on it, and nothing is called
 *       committed, lost or undecided that is not.</b> A reply that did not come decides nothing
 *       (TAKES_RETRY_FOR_COMMITTED, TAKES_A_LOST_REPLY_FOR_LOST,
 *       TAKES_A_FENCE_IN_PROGRESS_FOR_A_LATER_BEGIN); LOST and UNKNOWN end the job, or are counted
 *       if the user says so (TAKES_LOST_FOR_COMMITTED, TAKES_UNKNOWN_FOR_COMMITTED). The others of
 *       the same checkpoint are committed first.
 * </ul>
 *
 * <p><b>Assumptions.</b> Committables reach the committer before the barrier, are dealt out once at
 * a restore, and are committed before the restored task runs. Automatic restarts restore the latest
 * completed checkpoint. No two transactions of one name have the same start time (or whatever else
 * an adapter tells them apart by). No row is lost or doubled because of clocks; they decide how
 * soon orphans go: clocks of one job agree within the heartbeat timeout, or an orphan may wait for
 * the next restart.
 *
 * <p><b>Known limits</b>, loud unless it says otherwise:
 *
 * <ul>
 *   <li>Forks, that is two histories from one checkpoint or savepoint, or a savepoint older than a
 *       restart of its job: what the other branch aborted ends LOST; what it committed stays,
 *       beside what is written again (silent, as with every restore of an old state).
 *   <li>A stop-with-savepoint that completes while the job fails before it has stopped: Flink
 *       itself goes on from the checkpoint before, which is such a fork. Its message says to
 *       restore the savepoint instead.
 *   <li>Two live jobs under one prefix: the younger says so at its first barrier after a begin of
 *       the older; what one aborts of the other in the meantime ends LOST.
 *   <li>A transaction prepared for an aborted checkpoint is not looked at in intervals without
 *       rows, which ask nothing; its timeout shows as LOST when the next checkpoint completes.
 *   <li>What the system has forgotten ends UNKNOWN at a restore, as does, on TV2, an id that
 *       somebody else has initialised.
 *   <li>Batch: a lost partition after a partial commit doubles its rows (silent). A writer paused
 *       before it has opened, and given up, may abort its successor's transaction, which ends LOST.
 *   <li>A task paused before it has opened, given up, and killed after it has begun leaves an
 *       orphan until the next restart or its timeout.
 * </ul>
 *
 * <p><b>Evidence.</b> {@code ProtocolSimulationTest} runs the classes of this package against an
 * in-memory transaction coordinator (TV1, TV2, raised between; roll-over of producer ids) under a
 * seeded scheduler that kills, pauses, restarts, rescales and loses replies at every call. {@code
 * mvn -pl flink-connector-txn test -Dtest=ProtocolSimulationTest} with {@code
 * -Dsimulation.schedules=5000000} is the long run, {@code -Dsimulation.from=N} begins elsewhere,
 * {@code -Dsimulation.seed=N} tells the story of one schedule. Data safety does not depend on
 * clocks, slots, or the adapter's way of fencing; an adapter's reading of evidence is checked by
 * running it in the same simulation.
 *
 * <p>{@code LedgerSimulationTest} runs the same classes, with the same properties, against a
 * database whose ledger says what is committed: inline and staged units, appended or upserted,
 * committers that stand still inside a commit, pruning, restarts of the database, staging tables
 * that lose rows. There a name may be used at any time, because a unit is known by a random id; the
 * rules that take the place of (d) are those of {@code LedgerRule}, each of which {@code
 * MutationTest} leaves out once.
 */
package dev.flinktxn.protocol;
