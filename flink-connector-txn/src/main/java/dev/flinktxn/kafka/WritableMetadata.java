package dev.flinktxn.kafka;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;

/** The metadata columns that can be written. */
enum WritableMetadata {
  /** The topic of the record; only with several topics. */
  TOPIC("topic", DataTypes.STRING().notNull()),
  /** Its headers; null means none, an entry with a null name is left out. */
  HEADERS("headers", DataTypes.MAP(DataTypes.STRING(), DataTypes.BYTES())),
  /** Its timestamp; null means the time of sending. */
  TIMESTAMP("timestamp", DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(3));

  final String key;
  private final DataType type;

  WritableMetadata(String key, DataType type) {
    this.key = key;
    this.type = type;
  }

  /** The columns with their types. */
  static Map<String, DataType> types(boolean severalTopics) {
    Map<String, DataType> types = new LinkedHashMap<>();
    for (WritableMetadata metadata : values()) {
      if (metadata != TOPIC || severalTopics) {
        types.put(metadata.key, metadata.type);
      }
    }
    return types;
  }
}
