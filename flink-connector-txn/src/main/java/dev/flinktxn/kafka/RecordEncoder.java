// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Turns a row into what is sent to Kafka. Used by one task thread. */
interface RecordEncoder extends Serializable {

  /** Called once per writer, before the first row. */
  void open(
      SerializationSchema.InitializationContext context,
      PartitionLookup partitions,
      int subtask,
      int parallelism)
      throws Exception;

  /** The record of {@code row}, or null when nothing is to be written. */
  ProducerRecord<byte[], byte[]> encode(RowData row) throws IOException;
}
