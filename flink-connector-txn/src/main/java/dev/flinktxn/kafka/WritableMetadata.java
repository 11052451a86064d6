// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;

/** The metadata columns that can be written. */
enum WritableMetadata {
  /** The topic of the record; only with several topics. */
  TOPIC("topic"),
  /** Its headers; null means none, an entry with a null name is left out. */
  HEADERS("headers"),
  /** Its timestamp; null means the time of sending. */
  TIMESTAMP("timestamp");

  final String key;

  WritableMetadata(String key) {
    this.key = key;
  }

  /** The columns with their types. */
  static Map<String, DataType> types(boolean severalTopics) {
    Map<String, DataType> types = new LinkedHashMap<>();
    for (WritableMetadata metadata : values()) {
      if (metadata != TOPIC || severalTopics) {
        types.put(metadata.key, metadata.type());
      }
    }
    return types;
  }

  private DataType type() {
    return switch (this) {
      case TOPIC -> DataTypes.STRING().notNull();
      case HEADERS -> DataTypes.MAP(DataTypes.STRING(), DataTypes.BYTES());
      case TIMESTAMP -> DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(3);
    };
  }
}
