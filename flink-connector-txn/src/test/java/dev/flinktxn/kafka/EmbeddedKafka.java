// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * A real broker (KRaft, one combined node) inside the test's JVM. Brokers without special settings
 * are shared by all tests of the JVM and end with it; those with settings are the test's own.
 */
public final class EmbeddedKafka implements AutoCloseable {

  /** Names the thread of {@link #admin}, for tests that look for threads left behind. */
  public static final String ADMIN_CLIENT_ID = "embedded-kafka";

  private static final Map<Short, EmbeddedKafka> SHARED = new ConcurrentHashMap<>();

  private final KafkaClusterTestKit cluster;
  private final Admin admin;

  private EmbeddedKafka(short transactionVersion, Map<String, String> settings) {
    try {
      Map<String, Object> properties = new HashMap<>();
      properties.put("auto.create.topics.enable", "false");
      properties.put("offsets.topic.replication.factor", "1");
      properties.put("offsets.topic.num.partitions", "1");
      properties.put("transaction.state.log.replication.factor", "1");
      properties.put("transaction.state.log.min.isr", "1");
      properties.put("transaction.state.log.num.partitions", "5");
      properties.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "200");
      properties.put("group.initial.rebalance.delay.ms", "0");
      properties.put("log.cleaner.dedupe.buffer.size", "2097152");
      properties.putAll(settings);
      TestKitNodes nodes =
          new TestKitNodes.Builder(
                  BootstrapMetadata.fromVersions(
                      MetadataVersion.latestProduction(),
                      Map.of(TransactionVersion.FEATURE_NAME, transactionVersion),
                      "test"))
              .setCombined(true)
              .setNumControllerNodes(1)
              .setNumBrokerNodes(1)
              .build();
      KafkaClusterTestKit.Builder builder = new KafkaClusterTestKit.Builder(nodes);
      properties.forEach(builder::setConfigProp);
      cluster = builder.build();
      cluster.format();
      cluster.startup();
      cluster.waitForReadyBrokers();
      admin =
          Admin.create(
              Map.of(
                  AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                  bootstrapServers(),
                  AdminClientConfig.CLIENT_ID_CONFIG,
                  ADMIN_CLIENT_ID));
    } catch (Exception e) {
      throw new IllegalStateException("The broker did not start", e);
    }
  }

  /** The broker of this JVM with transactions version 1 or 2. */
  public static EmbeddedKafka shared(int transactionVersion) {
    return SHARED.computeIfAbsent(
        (short) transactionVersion,
        version -> {
          EmbeddedKafka kafka = new EmbeddedKafka(version, Map.of());
          Runtime.getRuntime().addShutdownHook(new Thread(kafka::close));
          return kafka;
        });
  }

  /** A broker of the caller's own, to be closed by it. */
  public static EmbeddedKafka start(int transactionVersion, Map<String, String> settings) {
    return new EmbeddedKafka((short) transactionVersion, settings);
  }

  /** The broker's {@code bootstrap.servers}. */
  public String bootstrapServers() {
    return cluster.bootstrapServers();
  }

  /** An admin client that lives as long as the broker. */
  public Admin admin() {
    return admin;
  }

  /** Creates a topic. */
  public void createTopic(String name, int partitions) {
    try {
      admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1))).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Moves an idle transactional id to {@code epoch}, as 32,000 transactions would. Everything the
   * broker does from there on is its own.
   */
  public void moveToEpoch(String transactionalId, short epoch) {
    TransactionMetadata metadata =
        cluster
            .brokers()
            .values()
            .iterator()
            .next()
            .transactionCoordinator()
            .transactionManager()
            .getTransactionState(transactionalId)
            .toOption()
            .get()
            .get()
            .transactionMetadata();
    metadata.inLock(
        () -> {
          metadata.setProducerEpoch(epoch);
          return null;
        });
  }

  /** Stops the broker and deletes its files. */
  @Override
  public void close() {
    try {
      admin.close();
      cluster.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
