// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What prefixes have in one external system, for somebody who looks after it. Other than a job, it
 * does not know what its predecessors were told to do, so it asks for signs of life first. Used by
 * one thread; errors are those of a store: {@link RefusedException} where another try is of no use.
 */
public interface Remains extends AutoCloseable {

  /** The system, in one word. */
  String system();

  /** Everything under exactly this prefix, what can be ended first. Changes nothing. */
  List<Remnant> of(String prefix) throws IOException, InterruptedException;

  /**
   * Looks for a job that still uses the prefix, which may take some seconds.
   *
   * @param quietFor how long a prefix has to have been quiet to count as given up; null for the
   *     system's default
   * @return what was seen, in words; empty is no proof that there is none
   */
  Optional<String> signOfLife(String prefix, Duration quietFor)
      throws IOException, InterruptedException;

  /** Aborts exactly this, as the clean-up of a successor does, and says what has become of it. */
  Sighting end(Remnant remnant) throws IOException, InterruptedException;

  /** Whether this transaction is one of this system. */
  boolean holds(Committable committable);

  /** Where transactions of a checkpoint stand, one answer for each, in order. Changes nothing. */
  List<Remnant> standing(List<Committable> committables) throws IOException, InterruptedException;

  /** Parts that each go into a {@link #committer} of its own, in the order of the whole. */
  List<List<Committable>> parts(List<Committable> committables);

  /** What commits one part, just as a job's committer does. */
  CommitterStore committer(List<Committable> part) throws IOException;

  @Override
  void close();
}
