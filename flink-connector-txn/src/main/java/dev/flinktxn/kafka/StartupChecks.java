// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;

/**
 * What is checked before the first row: topics and the rights on them, and for transactions the
 * brokers' limits and the right to the transactional ids. Changes nothing on the brokers, unless
 * transactions are to live for ever.
 *
 * <p>All questions are asked at once; a healthy cluster answers within a second. Used by the task
 * thread; leaves no thread behind.
 */
final class StartupChecks {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** A topic that has just been created is not known to every broker at once. */
  private static final Duration NEW_TOPIC_GRACE = Duration.ofSeconds(3);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private final KafkaTarget target;
  private final ProducerSettings settings;
  private final boolean warns;
  private final long deadline = System.nanoTime() + LIMIT.toNanos();

  /**
   * Checks for one subtask.
   *
   * @param subtask of all subtasks only the first one warns, for all of them see the same brokers
   */
  StartupChecks(KafkaTarget target, ProducerSettings settings, int subtask) {
    this.target = target;
    this.settings = settings;
    this.warns = subtask == 0;
  }

  /**
   * The checks for a writer without transactions.
   *
   * @throws RefusedException if a topic is missing or may not be written
   * @throws IOException if the brokers do not answer
   */
  void checkTopics() throws IOException, InterruptedException {
    Admin admin = admin();
    try {
      checkTopics(admin, askTopics(admin));
    } finally {
      close(admin);
    }
  }

  /**
   * The checks for a transactional writer.
   *
   * @return the limits its transactions live under
   * @throws RefusedException if the configuration can never work
   * @throws IOException if the brokers do not answer
   */
  TransactionLimits checkTransactions(CoordinatorClient client)
      throws IOException, InterruptedException {
    Admin admin = admin();
    try {
      Map<String, KafkaFuture<TopicDescription>> topics = askTopics(admin);
      BrokerSettings brokers = new BrokerSettings(admin, target.table(), warns);
      checkTransactionalIds(client);
      checkTopics(admin, topics);
      if (target.endless()) {
        checkEndless(client);
      }
      return brokers.limits(target, deadline);
    } finally {
      close(admin);
    }
  }

  private Admin admin() throws IOException {
    Map<String, Object> properties = new HashMap<>(settings.connection());
    int limit = Math.toIntExact(LIMIT.toMillis());
    properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, limit);
    properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, limit / 2);
    properties.put(AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    properties.put(AdminClientConfig.CLIENT_ID_CONFIG, settings.clientId("start"));
    try {
      return Admin.create(properties);
    } catch (KafkaException e) {
      throw BrokerRefusal.unusable(target.table(), e);
    }
  }

  private static void close(Admin admin) {
    boolean interrupted = Thread.interrupted();
    admin.close(CLOSE_LIMIT);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, KafkaFuture<TopicDescription>> askTopics(Admin admin) {
    return target.topics().isEmpty()
        ? Map.of()
        : admin
            .describeTopics(
                target.topics(), new DescribeTopicsOptions().includeAuthorizedOperations(true))
            .topicNameValues();
  }

  private void checkTopics(Admin admin, Map<String, KafkaFuture<TopicDescription>> topics)
      throws IOException, InterruptedException {
    long grace = System.nanoTime() + NEW_TOPIC_GRACE.toNanos();
    List<String> denied = new ArrayList<>();
    List<String> missing = missing(topics, denied);
    while (!missing.isEmpty() && System.nanoTime() - grace < 0) {
      BrokerConnections.pause(100);
      denied.clear();
      missing = missing(askTopics(admin), denied);
    }
    if (!missing.isEmpty()) {
      throw new RefusedException(
          String.format(
              "Table %s: option 'topic' names %s, which the brokers at %s do not have. Create it"
                  + " (kafka-topics.sh --create) or correct the option.",
              target.table(), missing, bootstrapServers()));
    }
    if (!denied.isEmpty()) {
      throw new RefusedException(
          String.format(
              "Table %s: option 'topic' names %s, which this principal may not write. Grant it:"
                  + " kafka-acls.sh --add --allow-principal User:<user> --operation Write"
                  + " --operation Describe --topic '%s'",
              target.table(), denied, denied.get(0)));
    }
  }

  /** The topics that are not there; those that may not be written are added to {@code denied}. */
  private List<String> missing(
      Map<String, KafkaFuture<TopicDescription>> topics, List<String> denied)
      throws IOException, InterruptedException {
    List<String> missing = new ArrayList<>();
    for (String topic : target.topics()) {
      try {
        TopicDescription description = await(topics.get(topic), deadline);
        Set<AclOperation> rights = description.authorizedOperations();
        if (rights != null && !rights.isEmpty() && !rights.contains(AclOperation.WRITE)) {
          denied.add(topic);
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof UnknownTopicOrPartitionException
            || e.getCause() instanceof InvalidTopicException) {
          missing.add(topic);
        } else if (e.getCause() instanceof TopicAuthorizationException) {
          denied.add(topic);
        } else {
          throw unreachable(e.getCause());
        }
      }
    }
    return missing;
  }

  private void checkTransactionalIds(CoordinatorClient client)
      throws IOException, InterruptedException {
    try {
      TransactionalIdRights.check(client, target.prefix(), deadline);
    } catch (RefusedException e) {
      throw new RefusedException("Table " + target.table() + ": " + e.getMessage(), e);
    } catch (DeniedException e) {
      throw new RefusedException(
          "Table "
              + target.table()
              + ": option 'sink.transactional-id-prefix' = '"
              + target.prefix()
              + "': "
              + e.getMessage(),
          e);
    } catch (UnauthenticatedException e) {
      throw unreachable(e.getCause());
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  /**
   * The only way to ask is to initialise an id; it stays on the brokers like those written under.
   */
  private void checkEndless(CoordinatorClient client) throws IOException, InterruptedException {
    if (warns) {
      Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
      new PatientCoordinators(client.within(left), left, target.table())
          .makeEndless(target.prefix() + "~start", ProducerIdAndEpoch.NONE);
    }
  }

  private IOException unreachable(Throwable cause) {
    if (cause instanceof AuthenticationException refusal) {
      return new RefusedException(
          String.format("Table %s: %s.", target.table(), BrokerRefusal.unauthenticated(refusal)),
          refusal);
    }
    return new IOException(
        String.format(
            "Table %s: the Kafka brokers at %s (properties.bootstrap.servers) did not answer the"
                + " start-up checks over %s (properties.security.protocol): %s",
            target.table(),
            bootstrapServers(),
            target
                .properties()
                .getOrDefault(
                    AdminClientConfig.SECURITY_PROTOCOL_CONFIG,
                    AdminClientConfig.DEFAULT_SECURITY_PROTOCOL),
            cause.getMessage()),
        cause);
  }

  private String bootstrapServers() {
    return target.properties().get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG);
  }

  /** Waits for an answer until {@code deadline}; running out of time is a failed answer. */
  static <T> T await(KafkaFuture<T> future, long deadline)
      throws ExecutionException, InterruptedException {
    try {
      return future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      String words = "no answer within " + LIMIT.toSeconds() + " s";
      throw new ExecutionException(words, new IOException(words, e));
    }
  }
}
