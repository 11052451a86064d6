// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What one INSERT of a job writes to, seen from outside; rows are JSON in every kind of it. */
interface ProcessSink {

  /** The namespace of what the INSERT leaves there. */
  String prefix();

  /** The options of the table in Flink. */
  Map<String, String> options();

  /** The rows that a reader sees who is to see each row once. */
  List<String> committed();

  /** Returns when exactly these rows are visible. */
  void awaitCommitted(List<String> expected, Duration limit);

  /**
   * The common ending of all scenarios: nothing open, and still the rows that {@link
   * #awaitCommitted} was told last.
   */
  void assertNothingLeft();
}
