// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The external system as one writer sees it. Opening it checks what can be checked before the first
 * row and changes nothing. Used by one task thread only.
 */
public interface WriterStore extends AutoCloseable {

  /**
   * Begins a transaction under {@code name}. A name is given again only after its last transaction
   * was seen {@link Sighting#COMMITTED} by {@link #look}.
   */
  Transaction begin(TransactionName name) throws IOException, InterruptedException;

  /**
   * Looks at transactions this writer began, in one round trip where the system allows it.
   *
   * @param handles as given by {@link Transaction#handle} or {@link Transaction#prepare}
   * @return one sighting for each handle, in order
   * @throws IOException if the system did not answer in time
   */
  List<Sighting> look(List<Look> handles) throws IOException, InterruptedException;

  /**
   * One transaction to look at.
   *
   * @param name its name
   * @param handle its handle
   */
  record Look(TransactionName name, byte[] handle) {}

  /** All transactions open under exactly this prefix, of every attempt and subtask. */
  List<OpenTransaction> open(String prefix) throws IOException, InterruptedException;

  /**
   * Aborts exactly this transaction and shuts out whoever was writing it. Does nothing if it has
   * ended meanwhile; never touches another transaction of the same name.
   */
  void abort(OpenTransaction orphan) throws IOException, InterruptedException;

  /** How long a transaction may stay open before the system aborts it; empty: for ever. */
  Optional<Duration> transactionTimeout();

  @Override
  void close() throws IOException;
}
