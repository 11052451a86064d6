// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Writes the first column as text to one topic; the text {@code skip} is not written. */
final class TextEncoder implements RecordEncoder {
  private static final long serialVersionUID = 1L;

  private final String topic;

  TextEncoder(String topic) {
    this.topic = topic;
  }

  @Override
  public void open(
      SerializationSchema.InitializationContext context,
      PartitionLookup partitions,
      int subtask,
      int parallelism) {}

  @Override
  public ProducerRecord<byte[], byte[]> encode(RowData row) {
    String text = row.getString(0).toString();
    return text.equals("skip")
        ? null
        : new ProducerRecord<>(topic, text.getBytes(StandardCharsets.UTF_8));
  }
}
