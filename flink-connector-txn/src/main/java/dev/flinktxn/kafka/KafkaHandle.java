// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What finds one transaction on the broker and tells it from every other of its transactional id.
 *
 * @param producerId the producer id it was written under
 * @param epoch the epoch it was written under; no other transaction of this producer id has it
 * @param v2 whether it was written under transaction version 2, where ending a transaction raises
 *     the epoch; decides how it must be ended and what its end looks like
 * @param empty whether nothing was sent under it, so that the broker never heard of it
 * @param startedAt when it started, in milliseconds of the broker's clock; -1 when not looked up
 */
record KafkaHandle(long producerId, short epoch, boolean v2, boolean empty, long startedAt) {

  private static final byte VERSION = 1;
  private static final int LENGTH = 1 + Long.BYTES + Short.BYTES + 1 + Long.BYTES;
  private static final int V2 = 1;
  private static final int EMPTY = 2;

  byte[] encode() {
    return ByteBuffer.allocate(LENGTH)
        .put(VERSION)
        .putLong(producerId)
        .putShort(epoch)
        .put((byte) ((v2 ? V2 : 0) | (empty ? EMPTY : 0)))
        .putLong(startedAt)
        .array();
  }

  /** Whether a handle, of this sink or another, is one of Kafka's: no other is this short. */
  static boolean isOne(byte[] handle) {
    return handle.length == LENGTH;
  }

  static KafkaHandle decode(byte[] bytes) throws IOException {
    if (bytes.length == 0 || bytes[0] != VERSION) {
      throw new IOException(
          "This checkpoint holds a Kafka transaction in encoding "
              + (bytes.length == 0 ? "<none>" : bytes[0])
              + ", this jar reads encoding "
              + VERSION
              + ": restore it with the newer jar");
    }
    if (bytes.length != LENGTH) {
      throw new IOException(
          "A Kafka transaction in a checkpoint takes "
              + bytes.length
              + " bytes instead of "
              + LENGTH
              + ": the checkpoint is damaged");
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 1, LENGTH - 1);
    long producerId = buffer.getLong();
    short epoch = buffer.getShort();
    byte flags = buffer.get();
    return new KafkaHandle(
        producerId, epoch, (flags & V2) != 0, (flags & EMPTY) != 0, buffer.getLong());
  }

  /** Whether a transaction that started at {@code time} of the broker's clock can be this one. */
  boolean mayHaveStartedAt(long time) {
    return startedAt < 0 || startedAt == time;
  }

  @Override
  public String toString() {
    return "producer " + producerId + " epoch " + epoch + (v2 ? " (v2)" : " (v1)");
  }
}
