// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;

/** One open transaction of a writer. Closing it before {@link #prepare} aborts it. */
public interface Transaction extends RowTarget {

  /**
   * What {@link WriterStore#look} is given to look at this transaction, before it is prepared and
   * after; valid once {@link #flush} has returned.
   */
  byte[] handle();

  /**
   * Detaches the flushed transaction from this writer: from here on it outlives the writer, and
   * {@link #close} no longer aborts it. Asks nothing of the external system beyond what {@link
   * #flush} and the look that followed have done.
   *
   * @return the handle a committer finds it by
   */
  byte[] prepare() throws IOException, InterruptedException;
}
