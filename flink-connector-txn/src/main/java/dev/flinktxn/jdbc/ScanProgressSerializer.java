// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Version 1: whether it has begun, count of splits, splits. */
final class ScanProgressSerializer implements SimpleVersionedSerializer<ScanProgress> {

  private static final int VERSION = 1;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(ScanProgress progress) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeBoolean(progress.begun());
    out.writeInt(progress.pending().size());
    for (ScanSplit split : progress.pending()) {
      ScanSplitSerializer.write(split, out);
    }
    return bytes.toByteArray();
  }

  @Override
  public ScanProgress deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      throw new IOException("A scan's state of version " + version + " is unknown to this version");
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
    boolean begun = in.readBoolean();
    int count = in.readInt();
    List<ScanSplit> pending = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pending.add(ScanSplitSerializer.read(in));
    }
    return new ScanProgress(begun, List.copyOf(pending));
  }
}
