// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.table.OptionReader;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The topics of a table.
 *
 * @param names their names; null when {@code pattern} says which
 * @param pattern what their names match; null when {@code names} says which
 */
record Topics(List<String> names, Pattern pattern) {

  /** Reads {@code topic} and {@code topic-pattern}: exactly one of them has to be set. */
  static Topics read(OptionReader reader) {
    String key = KafkaOptions.TOPIC.key();
    String patternKey = KafkaOptions.TOPIC_PATTERN.key();
    List<String> names = reader.options().getOptional(KafkaOptions.TOPIC).orElse(null);
    String pattern = reader.options().getOptional(KafkaOptions.TOPIC_PATTERN).orElse(null);
    if (names == null && pattern == null) {
      throw reader
          .refusal()
          .missing(key, "the sink has to know where to write", "set it to the topic's name");
    }
    if (names != null && pattern != null) {
      throw reader
          .refusal()
          .value(patternKey, pattern, "'topic' is set as well", "remove one of the two");
    }
    if (names != null && (names.isEmpty() || names.stream().anyMatch(String::isBlank))) {
      throw reader
          .refusal()
          .value(key, names, "it has to name at least one topic", "correct the value");
    }
    try {
      return new Topics(names, pattern == null ? null : Pattern.compile(pattern));
    } catch (PatternSyntaxException e) {
      throw reader
          .refusal()
          .value(
              patternKey,
              pattern,
              "it is not a regular expression: " + e.getDescription(),
              "correct the value");
    }
  }

  /** Whether each row has to say which topic it goes to. */
  boolean several() {
    return names == null || names.size() > 1;
  }

  /** The topics in words. */
  String describe() {
    if (names == null) {
      return "topic-pattern '" + pattern + "'";
    }
    return names.size() == 1 ? "topic '" + names.get(0) + "'" : "topics " + names;
  }
}
