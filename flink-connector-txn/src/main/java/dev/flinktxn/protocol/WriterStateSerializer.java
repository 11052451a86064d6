// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The encoding of writer state in checkpoints; read by every later version of the sink. */
final class WriterStateSerializer implements SimpleVersionedSerializer<WriterState> {

  private static final int VERSION = 1;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(WriterState state) {
    return state.prefix().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public WriterState deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      throw new IOException(
          "This checkpoint holds writer state of version "
              + version
              + ", this jar reads version "
              + VERSION
              + ": restore it with the newer jar");
    }
    return new WriterState(new String(serialized, StandardCharsets.UTF_8));
  }
}
