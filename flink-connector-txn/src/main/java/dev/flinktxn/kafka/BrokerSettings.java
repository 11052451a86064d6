// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The brokers' settings that transactions depend on, asked for when this is made and judged by
 * {@link #limits}. A principal without the right to read them can still write: what could not be
 * read is said in the log.
 */
final class BrokerSettings {

  private static final Logger LOG = LoggerFactory.getLogger(BrokerSettings.class);

  private static final String MAX_TIMEOUT = "transaction.max.timeout.ms";
  private static final String ID_EXPIRATION = "transactional.id.expiration.ms";
  private static final String STATE_TOPIC = "__transaction_state";
  private static final Duration KAFKAS_MAX_TIMEOUT = Duration.ofMinutes(15);
  private static final Duration ID_EXPIRATION_UNREAD = Duration.ofMinutes(20);
  private static final Duration SHORT_ID_EXPIRATION = Duration.ofDays(1);

  private final Admin admin;
  private final String table;
  private final boolean warns;
  private final KafkaFuture<Collection<Node>> nodes;
  private final KafkaFuture<FeatureMetadata> features;
  private final KafkaFuture<TopicDescription> stateTopic;
  private final KafkaFuture<Config> stateTopicConfig;

  BrokerSettings(Admin admin, String table, boolean warns) {
    this.admin = admin;
    this.table = table;
    this.warns = warns;
    this.nodes = admin.describeCluster().nodes();
    this.features = admin.describeFeatures().featureMetadata();
    this.stateTopic = admin.describeTopics(List.of(STATE_TOPIC)).topicNameValues().get(STATE_TOPIC);
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, STATE_TOPIC);
    this.stateTopicConfig = admin.describeConfigs(List.of(topic)).values().get(topic);
  }

  /**
   * Judges {@code target}'s transaction timeout and warns of settings that endanger commits.
   *
   * @param deadline in the time of {@link System#nanoTime}
   */
  TransactionLimits limits(KafkaTarget target, long deadline)
      throws IOException, InterruptedException {
    Map<String, Long> numbers = brokerNumbers(deadline);
    logVersion(deadline);
    warnOfStateTopic(deadline);
    Long expiration = numbers.get(ID_EXPIRATION);
    if (expiration != null && expiration < SHORT_ID_EXPIRATION.toMillis()) {
      warn(
          "Table {}: the brokers forget idle transactional ids after {} ms ({}). A job stopped for"
              + " longer cannot prove that its last transactions were committed.",
          table,
          expiration,
          ID_EXPIRATION);
    }
    return new TransactionLimits(
        timeout(target, numbers.get(MAX_TIMEOUT)),
        expiration == null ? ID_EXPIRATION_UNREAD : Duration.ofMillis(expiration));
  }

  private Duration timeout(KafkaTarget target, Long maximum) throws RefusedException {
    Duration explicit = target.transactionTimeout();
    if (explicit != null) {
      if (maximum != null && explicit.toMillis() > maximum) {
        throw new RefusedException(
            String.format(
                "Table %s: option 'sink.transaction-timeout' is %d ms, the brokers allow at most %d"
                    + " ms (%s). Lower the option, leave it out to use the brokers' maximum, or"
                    + " raise the brokers' setting.",
                table, explicit.toMillis(), maximum, MAX_TIMEOUT));
      }
      return explicit;
    }
    if (maximum == null) {
      warn(
          "Table {}: the brokers do not let this principal read {} (it needs DescribeConfigs on the"
              + " cluster), so transactions use Kafka's own default of it, {} ms. Set"
              + " 'sink.transaction-timeout' to say otherwise.",
          table,
          MAX_TIMEOUT,
          KAFKAS_MAX_TIMEOUT.toMillis());
      return compare(target, KAFKAS_MAX_TIMEOUT);
    }
    return compare(target, Duration.ofMillis(maximum));
  }

  /** An explicit timeout was compared with the checkpoint interval at planning. */
  private Duration compare(KafkaTarget target, Duration timeout) throws RefusedException {
    Duration interval = target.checkpointInterval();
    if (interval == null || target.endless()) {
      return timeout;
    }
    if (timeout.compareTo(interval) <= 0) {
      throw new RefusedException(
          String.format(
              "Table %s: the brokers abort transactions after %d ms (%s), which is not longer than"
                  + " execution.checkpointing.interval = %d ms: none would ever be committed."
                  + " Shorten the interval or raise the brokers' setting.",
              table, timeout.toMillis(), MAX_TIMEOUT, interval.toMillis()));
    }
    Duration checkpointTimeout = target.checkpointTimeout();
    if (checkpointTimeout != null && timeout.compareTo(interval.plus(checkpointTimeout)) < 0) {
      warn(
          "Table {}: the brokers abort transactions after {} ms ({}), which is shorter than"
              + " execution.checkpointing.interval = {} ms plus execution.checkpointing.timeout ="
              + " {} ms: a slow checkpoint can lose its transaction, and the job then restarts.",
          table,
          timeout.toMillis(),
          MAX_TIMEOUT,
          interval.toMillis(),
          checkpointTimeout.toMillis());
    }
    return timeout;
  }

  /** The numbers among one broker's settings; empty if they may not be read. */
  private Map<String, Long> brokerNumbers(long deadline) throws IOException, InterruptedException {
    Map<String, Long> numbers = new HashMap<>();
    try {
      Node broker = StartupChecks.await(nodes, deadline).iterator().next();
      ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, broker.idString());
      Config config =
          StartupChecks.await(
              admin.describeConfigs(List.of(resource)).values().get(resource), deadline);
      for (String name : List.of(MAX_TIMEOUT, ID_EXPIRATION)) {
        ConfigEntry entry = config.get(name);
        if (entry != null && entry.value() != null) {
          numbers.put(name, Long.parseLong(entry.value()));
        }
      }
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof AuthorizationException)) {
        throw new IOException(
            "Table " + table + ": the brokers did not tell their settings: " + e.getMessage(),
            e.getCause());
      }
    }
    return numbers;
  }

  private void logVersion(long deadline) throws InterruptedException {
    try {
      FinalizedVersionRange range =
          StartupChecks.await(features, deadline).finalizedFeatures().get("transaction.version");
      if (warns) {
        LOG.info(
            "Table {}: the brokers run transaction version {}",
            table,
            range == null ? 0 : range.maxVersionLevel());
      }
    } catch (ExecutionException e) {
      LOG.debug("Table {}: the brokers' transaction version is not known", table, e.getCause());
    }
  }

  private void warnOfStateTopic(long deadline) throws InterruptedException {
    try {
      int replicas =
          StartupChecks.await(stateTopic, deadline).partitions().get(0).replicas().size();
      ConfigEntry minimum =
          StartupChecks.await(stateTopicConfig, deadline).get("min.insync.replicas");
      int required = minimum == null ? 1 : Integer.parseInt(minimum.value());
      if (replicas <= required) {
        warn(
            "Table {}: topic {} has {} replicas and min.insync.replicas = {}: while any one of"
                + " their brokers is down nothing can be committed. For production use 3 and 2.",
            table,
            STATE_TOPIC,
            replicas,
            required);
      }
    } catch (ExecutionException e) {
      LOG.debug("Table {}: topic {} cannot be looked at", table, STATE_TOPIC, e.getCause());
    }
  }

  /** All subtasks see the same brokers, so one of them speaks for all. */
  private void warn(String format, Object... arguments) {
    if (warns) {
      LOG.warn(format, arguments);
    } else {
      LOG.debug(format, arguments);
    }
  }
}
