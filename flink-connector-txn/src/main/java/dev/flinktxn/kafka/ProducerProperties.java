// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.table.CommonOptions;
import dev.flinktxn.table.Refusal;
import dev.flinktxn.table.SinkOptions;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The options {@code properties.*} of a table that is written to. They may hold secrets: they are
 * never printed.
 */
final class ProducerProperties {

  /** Asks for transactions that never expire (KIP-939). */
  static final String ENDLESS = "transaction.two.phase.commit.enable";

  private final Map<String, String> values = new TreeMap<>();
  private final Refusal refusal;

  /** Takes what begins with {@code properties.} from the table's options. */
  ProducerProperties(Map<String, String> tableOptions, Refusal refusal) {
    this.refusal = refusal;
    tableOptions.forEach(
        (key, value) -> {
          if (key.startsWith(KafkaOptions.PROPERTIES)) {
            values.put(key.substring(KafkaOptions.PROPERTIES.length()), value);
          }
        });
  }

  /** The properties as the Kafka client knows them. */
  Map<String, String> forClient(String bootstrapServers) {
    Map<String, String> properties = new TreeMap<>(values);
    properties.replaceAll(ClientClassNames.here()::translate);
    properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.remove(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);
    // The sink asks for it itself; the client's own request does not carry it (measured, 4.4.0).
    properties.remove(ENDLESS);
    return properties;
  }

  /** Whether transactions are to live until somebody ends them. */
  boolean endless(CommonOptions options) {
    String found = trimmed(ENDLESS, "false");
    if (!Set.of("true", "false").contains(found)) {
      refuseSet(ENDLESS, "it has to be 'true' or 'false'", "correct the value");
    }
    if (found.equals("false")) {
      return false;
    }
    if (!options.transactional()) {
      refuseSet(ENDLESS, "rows are written without transactions", "remove it");
    }
    if (options.transactionTimeout().isPresent()) {
      refuseSet(
          ENDLESS,
          "'%s' says when transactions expire".formatted(timeoutOption()),
          "remove one of them");
    }
    return true;
  }

  /** Refuses what the sink has to decide itself, or what breaks exactly-once. */
  void check(boolean transactional) {
    refuseSet(
        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
        "the sink names its transactions itself",
        "remove it and set '" + SinkOptions.TRANSACTIONAL_ID_PREFIX.key() + "'");
    for (String key :
        Set.of(
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG)) {
      refuseSet(key, "the table's formats encode keys and values", "remove it and set 'format'");
    }
    if (transactional) {
      if (!"true".equalsIgnoreCase(trimmed(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true"))) {
        refuseSet(
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            "exactly-once needs an idempotent producer",
            "remove it or set it to true");
      }
      if (!Set.of("all", "-1").contains(trimmed(ProducerConfig.ACKS_CONFIG, "all"))) {
        refuseSet(
            ProducerConfig.ACKS_CONFIG,
            "exactly-once needs every in-sync replica to have a row",
            "remove it or set it to 'all'");
      }
    }
  }

  /**
   * The options with the timeout that users of the official connector give as a producer property,
   * if it is given so here.
   */
  CommonOptions withTimeout(CommonOptions options) {
    String found = values.get(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);
    if (found == null || !options.transactional()) {
      return options;
    }
    Duration timeout = millis(found.trim());
    if (options.transactionTimeout().filter(explicit -> !explicit.equals(timeout)).isPresent()) {
      refuseSet(
          ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
          "'" + SinkOptions.TRANSACTION_TIMEOUT.key() + "' says otherwise",
          "remove it");
    }
    return options.withTransactionTimeout(timeout);
  }

  /** The option that sets the transaction timeout, for messages. */
  String timeoutOption() {
    return values.containsKey(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG)
        ? KafkaOptions.PROPERTIES + ProducerConfig.TRANSACTION_TIMEOUT_CONFIG
        : SinkOptions.TRANSACTION_TIMEOUT.key();
  }

  private Duration millis(String found) {
    try {
      long millis = Long.parseLong(found);
      if (millis > 0) {
        return Duration.ofMillis(millis);
      }
    } catch (NumberFormatException e) {
      // Refused below like any other value that is not a number of milliseconds.
    }
    throw refusal.value(
        KafkaOptions.PROPERTIES + ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
        found,
        "it has to be a number of milliseconds above 0",
        "remove it and set '" + SinkOptions.TRANSACTION_TIMEOUT.key() + "'");
  }

  private String trimmed(String key, String unset) {
    return values.getOrDefault(key, unset).trim().toLowerCase(Locale.ROOT);
  }

  private void refuseSet(String key, String needed, String remedy) {
    String found = values.get(key);
    if (found != null) {
      throw refusal.value(KafkaOptions.PROPERTIES + key, found, needed, remedy);
    }
  }
}
