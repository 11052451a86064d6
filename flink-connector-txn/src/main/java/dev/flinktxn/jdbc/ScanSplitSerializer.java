// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Version 1: the components in their order. */
final class ScanSplitSerializer implements SimpleVersionedSerializer<ScanSplit> {

  private static final int VERSION = 1;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(ScanSplit split) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    write(split, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  @Override
  public ScanSplit deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      throw new IOException("Scan splits of version " + version + " are unknown to this version");
    }
    return read(new DataInputStream(new ByteArrayInputStream(serialized)));
  }

  static void write(ScanSplit split, DataOutputStream out) throws IOException {
    out.writeUTF(split.splitId());
    out.writeUTF(split.snapshot());
    // With many transactions under way it can be longer than writeUTF allows.
    byte[] horizon = split.horizon().getBytes(StandardCharsets.US_ASCII);
    out.writeInt(horizon.length);
    out.write(horizon);
    out.writeUTF(split.relation());
    out.writeLong(split.fromBlock());
    out.writeLong(split.toBlock());
    out.writeLong(split.emitted());
    out.writeBoolean(split.restored());
  }

  static ScanSplit read(DataInputStream in) throws IOException {
    return new ScanSplit(
        in.readUTF(),
        in.readUTF(),
        new String(in.readNBytes(in.readInt()), StandardCharsets.US_ASCII),
        in.readUTF(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readBoolean());
  }
}
