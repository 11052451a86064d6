// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.util.List;

/**
 * The external system of a schedule, with the adapter that speaks to it: what the protocol under
 * test sees of it, what happens to it without any job's doing, and the truth about each
 * transaction, which the protocol never sees.
 */
interface SimulatedSystem {

  /** A writer's way to the system. */
  WriterStore writerStore(SimulatedTask task);

  /** A committer's way to the system. */
  CommitterStore committerStore(SimulatedTask task);

  /** Counts the changes, to say what came first. */
  int step();

  /** The open transactions, of everybody. */
  List<Truth> open();

  /** The transaction of a handle; null when there never was one. */
  Truth truthOf(byte[] handle);

  /** Somebody else opens a transaction and leaves it open. */
  Truth foreignerWrites(String id);

  /** The system ends what it does not wait for any longer. */
  void losesPatience();

  /** The system forgets what has ended. */
  void forgets();

  /** A third party does something to a transaction of ours. */
  void isMeddledWith();

  /** What is under way in the system comes to its end. */
  void catchesUp();

  /** The system becomes another one. */
  void changes();

  /** Whether nothing is under way in the system that no task knows of. */
  boolean atRest();

  /** Whether a restore may deal what one subtask left to several committers. */
  boolean dealsApart();

  /** Whether a committer gets all completed checkpoints in one call. */
  boolean handsOverAtOnce();

  /** Everything has come to rest: holds what only this system has against the promises. */
  void check(SimulatedJob job);
}
