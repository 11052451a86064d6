// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What of the records of a topic does not depend on chance. */
enum PeerView {
  /** The records of each partition in their order. */
  PARTITIONS {
    @Override
    String group(ConsumerRecord<byte[], byte[]> record) {
      return record.topic() + " " + record.partition();
    }
  },
  /**
   * The records of each key in their order, and their partition: of several subtasks that write to
   * one partition nobody knows whose record comes first.
   */
  KEYS {
    @Override
    String group(ConsumerRecord<byte[], byte[]> record) {
      return PARTITIONS.group(record) + " key " + text(record.key());
    }
  },
  /** The last record of each key, and its partition: what compaction leaves. */
  COMPACTED {
    @Override
    String group(ConsumerRecord<byte[], byte[]> record) {
      return KEYS.group(record);
    }

    @Override
    List<String> chosen(List<String> records) {
      return records.subList(records.size() - 1, records.size());
    }
  },
  /** The records wherever they are. */
  RECORDS {
    @Override
    String group(ConsumerRecord<byte[], byte[]> record) {
      return "anywhere";
    }

    @Override
    List<String> chosen(List<String> records) {
      return records.stream().sorted().toList();
    }
  };

  abstract String group(ConsumerRecord<byte[], byte[]> record);

  List<String> chosen(List<String> records) {
    return records;
  }

  /**
   * Looks at the records of a topic and of those whose names begin with its name and a dot.
   *
   * @param since the time from which on a timestamp counts as that of sending
   */
  Map<String, List<String>> of(
      List<ConsumerRecord<byte[], byte[]>> records, String topic, long since) {
    Map<String, List<String>> groups =
        records.stream()
            .filter(record -> (record.topic() + ".").startsWith(topic + "."))
            .collect(
                Collectors.groupingBy(
                    record -> group(record).replace(topic, "topic"),
                    TreeMap::new,
                    Collectors.mapping(record -> text(record, since), Collectors.toList())));
    groups.replaceAll((group, texts) -> chosen(texts));
    return groups;
  }

  private static String text(ConsumerRecord<byte[], byte[]> record, long since) {
    String headers =
        Arrays.stream(record.headers().toArray())
            .map(header -> header.key() + "=" + text(header.value()))
            .collect(Collectors.joining(", "));
    return "key %s value %s headers [%s] timestamp %s"
        .formatted(
            text(record.key()),
            text(record.value()),
            headers,
            record.timestamp() >= since ? "of sending" : record.timestamp());
  }

  /** One character for each byte, so that no two byte arrays look the same. */
  private static String text(byte[] bytes) {
    return bytes == null ? "null" : "'" + new String(bytes, ISO_8859_1) + "'";
  }
}
