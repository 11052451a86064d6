// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import dev.flinktxn.fixture.Fault;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the sinks of one test write to: seen from outside, and spoilt by a relay that only jobs go
 * through. A destination is a topic or a table; its rows look the same in both, as JSON.
 */
interface Target extends AutoCloseable {

  TargetKind kind();

  /**
   * Creates a destination.
   *
   * @param partitions how many, if it has any
   * @param columns as SQL declares them in Flink
   * @return what the options of a table call it
   */
  String create(String name, int partitions, String columns);

  /** The options of the tables that write to a destination, each with an INSERT of its own. */
  List<Map<String, String>> sinks(String destination, String prefix);

  /** The rows that a reader sees who is to see each row once, sorted. */
  List<String> committed(String destination);

  /**
   * How many rows the target holds, committed or not; where it does not show them before their
   * commit, how many the writers have taken.
   *
   * @param writers all jobs that write or wrote to the destination
   */
  int written(String destination, List<RunningJob> writers);

  /** The transactions of this prefix that are not over, by name. */
  Set<String> open(String prefix);

  /** The names that transactions of this prefix have had. */
  Set<String> names(String prefix);

  /** What jobs hold open towards the target: client threads or sessions. */
  Set<String> clients();

  /** Keeps the next {@code count} commits from the target. */
  Fault holdCommits(int count);

  /** Lets the next {@code count} commits take effect, and drops their replies. */
  Fault loseCommitReplies(int count);

  /** Ends all faults. */
  void clearFaults();

  /**
   * Keeps from the target what ending writers do about their open transactions.
   *
   * @param open how many transactions the writers have open; all of them are in the target first
   */
  Fault swallowCleanUp(String prefix, long open);

  /** Returns when writers whose tasks have ended have let go of the target. */
  void awaitWritersGone();

  /** The common ending of all scenarios. */
  void awaitNothingLeft(Collection<String> prefixes);

  @Override
  void close();
}
