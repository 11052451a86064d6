// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Encodes rows with Flink's formats: one for the key, if there is one, and one for the value. Rows
 * are looked at through reused projections; nothing is copied but what the formats and the record
 * need.
 */
final class RowRecordEncoder implements RecordEncoder {
  private static final long serialVersionUID = 1L;

  private final String table;
  private final RecordTopic topic;
  private final RowPart key;
  private final RowPart value;
  private final boolean upserts;
  private final int headersColumn;
  private final int timestampColumn;
  private final RecordPartitioner partitioner;

  private transient PartitionLookup partitions;

  /**
   * An encoder for rows of physical columns followed by metadata columns.
   *
   * @param table for messages
   * @param topic where rows go to
   * @param key what makes the key; null for records without one
   * @param value what makes the value
   * @param upserts whether a deleted row is a key without a value
   * @param headersColumn position of the metadata column {@code headers}, -1 for none
   * @param timestampColumn position of the metadata column {@code timestamp}, -1 for none
   * @param partitioner chooses partitions; null leaves the choice to Kafka
   */
  RowRecordEncoder(
      String table,
      RecordTopic topic,
      RowPart key,
      RowPart value,
      boolean upserts,
      int headersColumn,
      int timestampColumn,
      RecordPartitioner partitioner) {
    this.table = table;
    this.topic = topic;
    this.key = key;
    this.value = value;
    this.upserts = upserts;
    this.headersColumn = headersColumn;
    this.timestampColumn = timestampColumn;
    this.partitioner = partitioner;
  }

  @Override
  public void open(
      SerializationSchema.InitializationContext context,
      PartitionLookup partitions,
      int subtask,
      int parallelism)
      throws Exception {
    this.partitions = partitions;
    if (key != null) {
      key.open(context);
    }
    value.open(context);
    if (partitioner != null) {
      partitioner.open(subtask, parallelism);
    }
  }

  @Override
  public ProducerRecord<byte[], byte[]> encode(RowData row) throws IOException {
    byte[] keyBytes = key == null ? null : key.encode(row);
    boolean deleted = upserts && row.getRowKind() == RowKind.DELETE;
    byte[] valueBytes = deleted ? null : value.encode(row);
    String target = topic.of(row);
    return new ProducerRecord<>(
        target,
        partition(row, keyBytes, valueBytes, target),
        timestamp(row),
        keyBytes,
        valueBytes,
        headers(row));
  }

  private Integer partition(RowData row, byte[] keyBytes, byte[] valueBytes, String target)
      throws IOException {
    if (partitioner == null) {
      return null;
    }
    int[] known = partitions.partitions(target);
    if (known.length == 0) {
      throw new IOException(
          "Table %s: topic '%s' has no partitions at the moment".formatted(table, target));
    }
    return partitioner.partition(row, keyBytes, valueBytes, target, known);
  }

  private Long timestamp(RowData row) throws IOException {
    if (timestampColumn < 0 || row.isNullAt(timestampColumn)) {
      return null;
    }
    long millis = row.getTimestamp(timestampColumn, 3).getMillisecond();
    if (millis < 0) {
      throw new RefusedException(
          ("Table %s: metadata column 'timestamp' of a row is %d ms, but Kafka takes none"
                  + " before 1970; correct the query.")
              .formatted(table, millis));
    }
    return millis;
  }

  private List<Header> headers(RowData row) {
    if (headersColumn < 0 || row.isNullAt(headersColumn)) {
      return null;
    }
    MapData map = row.getMap(headersColumn);
    ArrayData names = map.keyArray();
    ArrayData values = map.valueArray();
    List<Header> headers = new ArrayList<>(names.size());
    for (int entry = 0; entry < names.size(); entry++) {
      if (!names.isNullAt(entry)) {
        headers.add(
            new RecordHeader(
                names.getString(entry).toString(),
                values.isNullAt(entry) ? null : values.getBinary(entry)));
      }
    }
    return headers;
  }
}
