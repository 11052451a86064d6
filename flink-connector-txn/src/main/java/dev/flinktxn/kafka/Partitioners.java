// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.table.OptionReader;
import dev.flinktxn.table.Refusal;
import java.util.List;

/** The values of {@code sink.partitioner}. */
final class Partitioners {

  private Partitioners() {}

  /** The partitioner that the options ask for; null when the choice is left to Kafka. */
  static RecordPartitioner of(OptionReader reader, ClassLoader loader) {
    List<String> keyFields = reader.options().get(KafkaOptions.KEY_FIELDS);
    Refusal refusal = reader.refusal();
    String name = reader.options().get(KafkaOptions.SINK_PARTITIONER);
    return switch (name) {
      case "default" -> null;
      case "fixed" -> new FixedPartitioner();
      case "round-robin" -> roundRobin(keyFields, refusal);
      default -> instantiate(name, loader, refusal);
    };
  }

  private static RecordPartitioner roundRobin(List<String> keyFields, Refusal refusal) {
    if (!keyFields.isEmpty()) {
      throw refusal.value(
          KafkaOptions.SINK_PARTITIONER.key(),
          "round-robin",
          "it would spread the records of one key over all partitions",
          "use 'default', or remove '" + KafkaOptions.KEY_FIELDS.key() + "'");
    }
    return new RoundRobinPartitioner();
  }

  private static RecordPartitioner instantiate(String name, ClassLoader loader, Refusal refusal) {
    try {
      return Class.forName(name, true, loader)
          .asSubclass(RecordPartitioner.class)
          .getConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      throw refusal.value(
          KafkaOptions.SINK_PARTITIONER.key(),
          name,
          "it has to be 'default', 'fixed', 'round-robin', or a class on the class path with a"
              + " public constructor without arguments that implements "
              + RecordPartitioner.class.getName()
              + " ("
              + e
              + ")",
          "correct the value or add the jar");
    }
  }
}
