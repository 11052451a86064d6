// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.RefusedException;
import java.util.Map;

/** The native compression codecs, which the sink's jar leaves to Flink's distribution. */
final class Codecs {

  private record Codec(String className, String jar) {}

  private static final Map<String, Codec> NATIVE =
      Map.of(
          "lz4", new Codec("net.jpountz.lz4.LZ4Factory", "lz4-java"),
          "snappy", new Codec("org.xerial.snappy.Snappy", "snappy-java"),
          "zstd", new Codec("com.github.luben.zstd.Zstd", "zstd-jni"));

  private Codecs() {}

  /** Refuses a compression whose library is not there. */
  static void check(String compression, String table) throws RefusedException {
    Codec codec = NATIVE.get(compression);
    if (codec != null) {
      try {
        Class.forName(codec.className(), false, Codecs.class.getClassLoader());
      } catch (ClassNotFoundException e) {
        throw new RefusedException(
            "Table "
                + table
                + ": option 'properties.compression.type' = '"
                + compression
                + "' needs the jar "
                + codec.jar()
                + " in Flink's lib folder",
            e);
      }
    }
  }
}
