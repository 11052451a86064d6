// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The properties of the sink's producers and connections: the user's, and defaults of our own where
 * the user says nothing.
 */
final class ProducerSettings {

  /** Under exactly-once nothing is visible before the commit, so a batch may wait to fill. */
  private static final Map<String, Object> TRANSACTIONAL_DEFAULTS =
      Map.of(ProducerConfig.BATCH_SIZE_CONFIG, 64 * 1024, ProducerConfig.LINGER_MS_CONFIG, 100);

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(120);

  private final Map<String, String> user;

  ProducerSettings(Map<String, String> user) {
    this.user = user;
    ScramLogin.load(user.get(SaslConfigs.SASL_MECHANISM));
  }

  /** A producer of {@code transactionalId}, whose transactions live up to {@code timeout}. */
  Map<String, Object> transactional(String transactionalId, Duration timeout) {
    Map<String, Object> properties = new HashMap<>(TRANSACTIONAL_DEFAULTS);
    properties.putAll(common(transactionalId));
    properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
    properties.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, Math.toIntExact(timeout.toMillis()));
    return properties;
  }

  /** A producer without transactions, told apart from others by {@code suffix}. */
  Map<String, Object> plain(String suffix) {
    return common(suffix);
  }

  private Map<String, Object> common(String suffix) {
    Map<String, Object> properties = new HashMap<>();
    // Reports to the broker would be requests of idle jobs, read by nobody.
    properties.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    properties.putAll(user);
    properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    properties.put(ProducerConfig.CLIENT_ID_CONFIG, clientId(suffix));
    return properties;
  }

  /** The user's {@code client.id}, or ours, made unique by {@code suffix}. */
  String clientId(String suffix) {
    return user.getOrDefault(ProducerConfig.CLIENT_ID_CONFIG, "flinktxn") + "-" + suffix;
  }

  /** What connects to brokers without a producer. */
  Map<String, String> connection() {
    Map<String, String> properties = new HashMap<>(user);
    properties.keySet().removeIf(key -> !CONNECTION_KEYS.contains(key) && !isSecurity(key));
    return properties;
  }

  private static final java.util.Set<String> CONNECTION_KEYS =
      java.util.Set.of(
          ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
          ProducerConfig.CLIENT_DNS_LOOKUP_CONFIG,
          ProducerConfig.SEND_BUFFER_CONFIG,
          ProducerConfig.RECEIVE_BUFFER_CONFIG,
          ProducerConfig.RECONNECT_BACKOFF_MS_CONFIG,
          ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
          ProducerConfig.CONNECTIONS_MAX_IDLE_MS_CONFIG,
          ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG,
          ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG);

  private static boolean isSecurity(String key) {
    return key.startsWith("security.") || key.startsWith("sasl.") || key.startsWith("ssl.");
  }

  /** How long to wait for one answer before the connection is given up. */
  Duration requestTimeout() {
    return duration(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT);
  }

  /** How long brokers may be away before a writer fails. */
  Duration patience() {
    return duration(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT);
  }

  private Duration duration(String key, Duration unset) {
    String value = user.get(key);
    return value == null ? unset : Duration.ofMillis(Long.parseLong(value.trim()));
  }
}
