// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.table.SinkOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.factories.FactoryUtil;

/** The options of {@code txn-kafka}: names and meanings are those of the official connector. */
final class KafkaOptions {

  /** Beginning of the options that are handed to the Kafka client. */
  static final String PROPERTIES = "properties.";

  static final ConfigOption<List<String>> TOPIC =
      ConfigOptions.key("topic")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription(
              "The topic to write to and read from. Several, separated by ';', are the values the"
                  + " writable metadata column 'topic' may have.");

  static final ConfigOption<String> TOPIC_PATTERN =
      ConfigOptions.key("topic-pattern")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "A regular expression instead of 'topic': what the metadata column 'topic' has to"
                  + " match, and the topics to read from.");

  static final ConfigOption<String> BOOTSTRAP_SERVERS =
      ConfigOptions.key(PROPERTIES + "bootstrap.servers")
          .stringType()
          .noDefaultValue()
          .withDescription("The Kafka brokers to connect to first. Required.");

  static final ConfigOption<String> GROUP_ID =
      ConfigOptions.key(PROPERTIES + "group.id")
          .stringType()
          .noDefaultValue()
          .withDescription("The consumer group, for reading.");

  static final ConfigOption<String> FORMAT = FactoryUtil.FORMAT;

  static final ConfigOption<String> VALUE_FORMAT =
      ConfigOptions.key("value.format")
          .stringType()
          .noDefaultValue()
          .withDescription("The format of values; the same as 'format'.");

  static final ConfigOption<String> KEY_FORMAT =
      ConfigOptions.key("key.format")
          .stringType()
          .noDefaultValue()
          .withDescription("The format of keys; unset means records without a key.");

  static final ConfigOption<List<String>> KEY_FIELDS =
      ConfigOptions.key("key.fields")
          .stringType()
          .asList()
          .defaultValues()
          .withDescription("The physical columns that make the key, separated by ';'.");

  static final ConfigOption<String> KEY_FIELDS_PREFIX =
      ConfigOptions.key("key.fields-prefix")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "What the names of the key's columns begin with in the table, and not in the key.");

  static final ConfigOption<ValueFields> VALUE_FIELDS_INCLUDE =
      ConfigOptions.key("value.fields-include")
          .enumType(ValueFields.class)
          .defaultValue(ValueFields.ALL)
          .withDescription(
              "Whether the value has all physical columns ('ALL') or not those of the key"
                  + " ('EXCEPT_KEY').");

  static final ConfigOption<String> SINK_PARTITIONER =
      ConfigOptions.key("sink.partitioner")
          .stringType()
          .defaultValue("default")
          .withDescription(
              "Which partition a record goes to: 'default' (Kafka decides by the key, if any),"
                  + " 'fixed' (each subtask writes to one partition), 'round-robin' (each subtask"
                  + " writes to all in turn; not with 'key.fields'), or the name of a class that"
                  + " implements dev.flinktxn.kafka.RecordPartitioner.");

  static final ConfigOption<Integer> FLUSH_MAX_ROWS =
      ConfigOptions.key("sink.buffer-flush.max-rows")
          .intType()
          .defaultValue(0)
          .withDescription(
              "With a PRIMARY KEY: how many rows are taken before the last record of each key is"
                  + " sent; 0 for no such limit. Without this and 'sink.buffer-flush.interval' every"
                  + " record is sent at once.");

  static final ConfigOption<Duration> FLUSH_INTERVAL =
      ConfigOptions.key("sink.buffer-flush.interval")
          .durationType()
          .defaultValue(Duration.ZERO)
          .withDescription(
              "With a PRIMARY KEY: how long a record waits for a newer one of its key, at most until"
                  + " the next checkpoint; 0 for no such limit.");

  /** Read by the official connector, to which reading is delegated. */
  private static final Set<ConfigOption<?>> SCAN =
      Stream.of(
              "scan.startup.mode",
              "scan.startup.specific-offsets",
              "scan.startup.timestamp-millis",
              "scan.bounded.mode",
              "scan.bounded.specific-offsets",
              "scan.bounded.timestamp-millis",
              "scan.topic-partition-discovery.interval",
              "scan.parallelism")
          .map(
              key ->
                  ConfigOptions.key(key)
                      .stringType()
                      .noDefaultValue()
                      .withDescription("For reading, as in the official connector."))
          .collect(Collectors.toUnmodifiableSet());

  private KafkaOptions() {}

  static Set<ConfigOption<?>> required() {
    return Set.of(BOOTSTRAP_SERVERS);
  }

  static Set<ConfigOption<?>> optional() {
    Set<ConfigOption<?>> options = new HashSet<>(SinkOptions.all());
    options.addAll(SCAN);
    options.addAll(
        Set.of(
            TOPIC,
            TOPIC_PATTERN,
            GROUP_ID,
            FORMAT,
            VALUE_FORMAT,
            KEY_FORMAT,
            KEY_FIELDS,
            KEY_FIELDS_PREFIX));
    options.addAll(Set.of(VALUE_FIELDS_INCLUDE, SINK_PARTITIONER, FLUSH_MAX_ROWS, FLUSH_INTERVAL));
    return options;
  }

  /** Those that may change when a compiled plan is restored. */
  static Set<ConfigOption<?>> forwarded() {
    Set<ConfigOption<?>> options = new HashSet<>(SinkOptions.forwarded());
    options.addAll(
        Set.of(
            BOOTSTRAP_SERVERS,
            GROUP_ID,
            TOPIC,
            TOPIC_PATTERN,
            SINK_PARTITIONER,
            FLUSH_MAX_ROWS,
            FLUSH_INTERVAL));
    SCAN.stream().filter(option -> !option.key().startsWith("scan.bounded")).forEach(options::add);
    return options;
  }
}
