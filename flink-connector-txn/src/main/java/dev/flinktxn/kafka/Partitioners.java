// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.table.OptionReader;
import dev.flinktxn.table.Refusal;
import org.apache.flink.table.api.ValidationException;

/** The values of {@code sink.partitioner}. */
final class Partitioners {

  private Partitioners() {}

  /**
   * The partitioner that the options ask for; null when the choice is left to Kafka.
   *
   * @param upserts whether the table has a PRIMARY KEY to upsert by
   */
  static RecordPartitioner of(OptionReader reader, ClassLoader loader, boolean upserts) {
    Refusal refusal = reader.refusal();
    String name = reader.options().get(KafkaOptions.SINK_PARTITIONER);
    boolean keyed = upserts || !reader.options().get(KafkaOptions.KEY_FIELDS).isEmpty();
    return switch (name) {
      case "default" -> null;
      case "fixed" -> {
        if (upserts) {
          throw scattering(
              refusal, name, "with another parallelism the records of a key change partitions");
        }
        yield new FixedPartitioner();
      }
      case "round-robin" -> {
        if (keyed) {
          throw scattering(
              refusal, name, "it would spread the records of one key over all partitions");
        }
        yield new RoundRobinPartitioner();
      }
      default -> instantiate(name, loader, refusal);
    };
  }

  private static ValidationException scattering(Refusal refusal, String name, String why) {
    return refusal.value(
        KafkaOptions.SINK_PARTITIONER.key(),
        name,
        why,
        "use 'default', which goes by the key, or write without a key");
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
