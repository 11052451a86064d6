// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.EvidenceReading.Stored;
import dev.flinktxn.protocol.InMemorySystem.Producer;
import java.nio.ByteBuffer;

/** The encoding of what {@link SimulatedWriterStore} keeps of a transaction in its committable. */
final class SimulatedHandle {

  private SimulatedHandle() {}

  /** {@code startedAt} is -1 until a look has learned it. */
  static byte[] encode(Producer producer, boolean tv2, long startedAt) {
    return ByteBuffer.allocate(21)
        .putLong(producer.id())
        .putInt(producer.epoch())
        .put((byte) (tv2 ? 1 : 0))
        .putLong(startedAt)
        .array();
  }

  static Stored decode(byte[] handle) {
    ByteBuffer in = ByteBuffer.wrap(handle);
    return new Stored(in.getLong(), in.getInt(), in.get() == 1, in.getLong());
  }

  static Producer producer(Stored stored) {
    return new Producer(stored.producerId(), stored.epoch());
  }
}
