// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

/**
 * Tells an open transaction from every other of the same transactional id.
 *
 * @param producerId the producer id it is written under
 * @param epoch the epoch it is written under
 * @param startedAt when it started, in milliseconds of the broker's clock
 */
record Incarnation(long producerId, short epoch, long startedAt) {

  static Incarnation of(TransactionDescription open) {
    return new Incarnation(open.producerId(), open.epoch(), open.startedAt());
  }

  static Incarnation parse(String text) {
    String[] parts = text.split(":", -1);
    return new Incarnation(
        Long.parseLong(parts[0]), Short.parseShort(parts[1]), Long.parseLong(parts[2]));
  }

  /** Whether {@code now} shows this transaction; its epoch is raised while a fence goes through. */
  boolean isSeenIn(TransactionDescription now) {
    return now.producerId() == producerId
        && now.epoch() >= epoch
        && (startedAt < 0 || now.startedAt() == startedAt);
  }

  @Override
  public String toString() {
    return producerId + ":" + epoch + ":" + startedAt;
  }
}
