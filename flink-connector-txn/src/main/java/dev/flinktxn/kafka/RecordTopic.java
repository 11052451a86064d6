// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.RefusedException;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;

/**
 * Which topic a row goes to: the one of the table, or the one its metadata column {@code topic}
 * names. Used by one task thread only.
 */
final class RecordTopic implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String table;
  private final List<String> topics;
  private final Pattern pattern;
  private final int column;
  private final Map<StringData, String> seen = new HashMap<>();

  /**
   * A choice of topics.
   *
   * @param topics the topics of the table; null when {@code pattern} says which
   * @param pattern what topics have to match; null when {@code topics} says which
   * @param column position of the metadata column; used with several topics or a pattern
   */
  RecordTopic(String table, List<String> topics, Pattern pattern, int column) {
    this.table = table;
    this.topics = topics;
    this.pattern = pattern;
    this.column = column;
  }

  /** The topic of {@code row}. */
  String of(RowData row) throws RefusedException {
    if (topics != null && topics.size() == 1) {
      return topics.get(0);
    }
    if (row.isNullAt(column)) {
      throw new RefusedException(
          ("Table %s: metadata column 'topic' of a row is NULL, but has to be %s;"
                  + " set it in the query.")
              .formatted(table, allowed()));
    }
    StringData name = row.getString(column);
    String topic = seen.get(name);
    return topic == null ? check(name.toString()) : topic;
  }

  private String check(String topic) throws RefusedException {
    if (topics != null ? !topics.contains(topic) : !pattern.matcher(topic).matches()) {
      throw new RefusedException(
          ("Table %s: metadata column 'topic' of a row is '%s', but has to be %s;"
                  + " correct the query, or the option.")
              .formatted(table, topic, allowed()));
    }
    seen.put(StringData.fromString(topic), topic);
    return topic;
  }

  private String allowed() {
    return topics != null
        ? "one of " + topics + " (option 'topic')"
        : "a match of '" + pattern + "' (option 'topic-pattern')";
  }
}
