// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** The encoding of committables in checkpoints; read by every later version of the sink. */
public final class CommittableSerializer implements SimpleVersionedSerializer<Committable> {

  private static final int VERSION = 1;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(Committable committable) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(128 + committable.handle().length);
    TransactionName name = committable.name();
    out.writeUTF(name.prefix());
    out.writeLong(name.attempt().openedAt());
    out.writeUTF(name.attempt().random());
    out.writeInt(name.subtask());
    out.writeInt(name.slot());
    out.writeLong(committable.checkpoint());
    out.writeLong(committable.begunAt());
    out.writeLong(committable.preparedAt());
    out.writeLong(committable.timeout());
    out.writeInt(committable.handle().length);
    out.write(committable.handle());
    return out.getCopyOfBuffer();
  }

  @Override
  public Committable deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      throw new IOException(
          "This checkpoint holds committables of version "
              + version
              + ", this jar reads version "
              + VERSION
              + ": restore it with the newer jar");
    }
    DataInputDeserializer in = new DataInputDeserializer(serialized);
    TransactionName name =
        new TransactionName(
            in.readUTF(), new Attempt(in.readLong(), in.readUTF()), in.readInt(), in.readInt());
    long checkpoint = in.readLong();
    long begunAt = in.readLong();
    long preparedAt = in.readLong();
    long timeout = in.readLong();
    byte[] handle = new byte[in.readInt()];
    in.readFully(handle);
    return new Committable(name, handle, checkpoint, begunAt, preparedAt, timeout);
  }
}
