// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

/**
 * A prepared transaction: all that a stranger needs to commit it, and to say what was lost if it is
 * gone.
 *
 * @param name the transaction's name in the external system
 * @param handle the adapter's own key to the transaction, in the adapter's own versioned encoding
 * @param checkpoint the last checkpoint whose snapshot the writer had taken when this transaction
 *     was prepared, -1 for none: the transaction belongs to the one that follows
 * @param begunAt when its first row was written, in milliseconds since the epoch
 * @param preparedAt when it was prepared, in milliseconds since the epoch
 * @param timeout how long the system lets it stay open, in milliseconds; -1 for ever
 */
public record Committable(
    TransactionName name,
    byte[] handle,
    long checkpoint,
    long begunAt,
    long preparedAt,
    long timeout) {

  @Override
  public String toString() {
    return "transaction "
        + name
        + (checkpoint < 0 ? " of the first checkpoint" : " of the checkpoint after " + checkpoint);
  }
}
