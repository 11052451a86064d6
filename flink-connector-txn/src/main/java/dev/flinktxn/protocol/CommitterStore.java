// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.util.List;

/** The external system as one committer sees it. Used by one task thread only. */
public interface CommitterStore extends AutoCloseable {

  /**
   * Tries once to commit each of {@code committables}, in parallel where the system allows it.
   * Bounded in time; a try whose answer did not come is {@link Outcome.Kind#RETRY}, never more.
   *
   * <p>Where later transactions overwrite what earlier ones wrote, those behind one that has to be
   * tried again wait with it.
   *
   * @param committables those of one writer in the order in which they were prepared
   * @return one outcome for each committable, in order
   * @throws RefusedException if the system refuses a transaction's rows and would again; nothing is
   *     lost, but no restart helps either
   * @throws IOException if the system refuses the committer itself (credentials, rights); such a
   *     refusal says nothing about the transactions
   */
  List<Outcome> commit(List<Committable> committables) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
