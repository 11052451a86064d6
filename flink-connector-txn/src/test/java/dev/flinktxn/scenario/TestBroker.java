// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.util.Map;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * A broker inside this JVM with two listeners: one for the test's own probes, and one that
 * advertises another port, so that everything a job says to the broker goes through a relay.
 */
final class TestBroker implements AutoCloseable {

  private static final ListenerName JOBS = new ListenerName("JOBS");

  private final KafkaClusterTestKit kit;

  private TestBroker(KafkaClusterTestKit kit) {
    this.kit = kit;
  }

  /**
   * Starts a broker.
   *
   * @param transactionVersion the level of the feature {@code transaction.version}: 1 or 2
   * @param advertisedPort the port on localhost that the listener for jobs tells its clients
   */
  static TestBroker start(int transactionVersion, int advertisedPort) throws Exception {
    BootstrapMetadata metadata =
        BootstrapMetadata.fromVersions(
            MetadataVersion.latestProduction(),
            Map.of(TransactionVersion.FEATURE_NAME, (short) transactionVersion),
            "test");
    TestKitNodes nodes =
        new TestKitNodes.Builder(metadata)
            .setCombined(true)
            .setNumControllerNodes(1)
            .setNumBrokerNodes(1)
            .setPerServerProperties(Map.of(0, properties(advertisedPort)))
            .build();
    KafkaClusterTestKit kit = new KafkaClusterTestKit.Builder(nodes).build();
    kit.format();
    kit.startup();
    kit.waitForReadyBrokers();
    return new TestBroker(kit);
  }

  private static Map<String, String> properties(int advertisedPort) {
    return Map.ofEntries(
        Map.entry(
            "listeners", "EXTERNAL://localhost:0,CONTROLLER://localhost:0,JOBS://localhost:0"),
        Map.entry(
            "advertised.listeners", "EXTERNAL://localhost:0,JOBS://localhost:" + advertisedPort),
        Map.entry(
            "listener.security.protocol.map",
            "EXTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT,JOBS:PLAINTEXT"),
        Map.entry("transaction.state.log.num.partitions", "3"),
        Map.entry("transaction.state.log.replication.factor", "1"),
        Map.entry("transaction.state.log.min.isr", "1"),
        Map.entry("offsets.topic.num.partitions", "1"),
        Map.entry("offsets.topic.replication.factor", "1"),
        Map.entry("group.initial.rebalance.delay.ms", "0"));
  }

  /** Where the test's own clients connect. */
  String bootstrapServers() {
    return kit.bootstrapServers();
  }

  /** The port that a relay forwards to. */
  int portForJobs() {
    return kit.brokers().get(0).socketServer().boundPort(JOBS);
  }

  @Override
  public void close() throws Exception {
    kit.close();
  }
}
