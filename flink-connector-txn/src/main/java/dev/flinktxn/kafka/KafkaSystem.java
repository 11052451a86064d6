// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.ExternalSystem;
import dev.flinktxn.protocol.RowTarget;
import dev.flinktxn.protocol.WriterStore;
import java.io.IOException;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** Placeholder. */
record KafkaSystem(KafkaTarget target) implements ExternalSystem {
  @Override
  public WriterStore openWriterStore(WriterInitContext context) throws IOException {
    throw new IOException("placeholder");
  }

  @Override
  public CommitterStore openCommitterStore(CommitterInitContext context) throws IOException {
    throw new IOException("placeholder");
  }

  @Override
  public RowTarget openRowTarget(WriterInitContext context) throws IOException {
    throw new IOException("placeholder");
  }

  @Override
  public String describe() {
    return "Kafka topics " + target.topics();
  }
}
