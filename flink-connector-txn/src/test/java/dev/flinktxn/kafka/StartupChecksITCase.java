// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.Outcome.Kind;
import dev.flinktxn.protocol.RefusedException;
import dev.flinktxn.protocol.WriterStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a writer finds out before its first row, and how long that takes. */
final class StartupChecksITCase {

  private static final String MAX_TIMEOUT_MILLIS = "900000";

  private static KafkaRig rig() {
    return new KafkaRig(EmbeddedKafka.shared(2));
  }

  @Test
  void passesAHealthyBrokerInAMoment() throws Exception {
    try (KafkaRig rig = rig()) {
      long start = System.nanoTime();
      WriterStore writer = rig.writer();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
      assertThat(writer.transactionTimeout())
          .contains(Duration.ofMillis(Long.parseLong(MAX_TIMEOUT_MILLIS)));
      assertThat(rig.kafka.admin().listTransactions().all().get())
          .noneMatch(listing -> listing.transactionalId().startsWith(rig.prefix + "~"));
    }
  }

  @Test
  void refusesATimeoutAboveTheBrokersMaximumWithBothNumbers() throws Exception {
    try (KafkaRig rig = rig()) {
      rig.transactionTimeout = Duration.ofHours(1);
      assertThatThrownBy(rig::writer)
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("sink.transaction-timeout")
          .hasMessageContaining("3600000")
          .hasMessageContaining(MAX_TIMEOUT_MILLIS);
    }
  }

  @Test
  void refusesABrokersMaximumThatNoCheckpointCanMeet() throws Exception {
    try (KafkaRig rig = rig()) {
      rig.checkpointInterval = Duration.ofMinutes(15);
      assertThatThrownBy(rig::writer)
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("execution.checkpointing.interval")
          .hasMessageContaining(MAX_TIMEOUT_MILLIS);
    }
  }

  @Test
  void refusesAMissingTopicInEveryMode() throws Exception {
    try (KafkaRig rig = rig()) {
      rig.topics = List.of(rig.topic, "nowhere");
      assertThatThrownBy(rig::writer)
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("'topic' names [nowhere]");
      assertThatThrownBy(rig::rowTarget)
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("'topic' names [nowhere]");
    }
  }

  @Test
  void waitsForATopicThatIsJustBeingCreated() throws Exception {
    try (KafkaRig rig = rig()) {
      String late = rig.topic + "-late";
      rig.topics = List.of(late);
      CompletableFuture<Void> creation =
          CompletableFuture.runAsync(
              () -> rig.kafka.createTopic(late, 1),
              CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS));
      assertThat(rig.writer()).isNotNull();
      creation.get();
    }
  }

  @Test
  void refusesAMalformedProperty() throws Exception {
    try (KafkaRig rig = rig()) {
      rig.properties.put("batch.size", "many");
      assertThatThrownBy(rig::writer)
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("batch.size");
    }
  }

  @Test
  void aSilentBrokerIsAPassingTroubleAndIsNotWaitedForLong() throws Exception {
    try (KafkaRig rig = rig();
        ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      rig.properties.put("bootstrap.servers", "127.0.0.1:" + silent.getLocalPort());
      long start = System.nanoTime();
      assertThatThrownBy(rig::writer)
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(RefusedException.class)
          .hasMessageContaining("properties.bootstrap.servers");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
    }
  }

  @Test
  void namesTheMissingRights() throws Exception {
    try (EmbeddedKafka kafka =
        EmbeddedKafka.start(
            2,
            Map.of(
                "authorizer.class.name",
                "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "allow.everyone.if.no.acl.found",
                "true"))) {
      try (KafkaRig rig = new KafkaRig(kafka, "secret")) {
        acl(kafka, ResourceType.TRANSACTIONAL_ID, "secret", AclOperation.DESCRIBE, true);
        acl(kafka, ResourceType.TRANSACTIONAL_ID, "secret", AclOperation.WRITE, false);
        assertThatThrownBy(rig::writer)
            .isInstanceOf(RefusedException.class)
            .hasMessageContaining("sink.transactional-id-prefix")
            .hasMessageContaining("--transactional-id 'secret'");
      }
      try (KafkaRig rig = new KafkaRig(kafka, "open")) {
        acl(kafka, ResourceType.TOPIC, rig.topic, AclOperation.DESCRIBE, true);
        assertThatThrownBy(rig::writer)
            .isInstanceOf(RefusedException.class)
            .hasMessageContaining("--operation Write")
            .hasMessageContaining("--topic '" + rig.topic + "'");
      }
      try (KafkaRig rig = new KafkaRig(kafka, "few")) {
        acl(kafka, ResourceType.CLUSTER, Resource.CLUSTER_NAME, AclOperation.ALL, true);
        acl(
            kafka,
            ResourceType.CLUSTER,
            Resource.CLUSTER_NAME,
            AclOperation.DESCRIBE_CONFIGS,
            false);
        acl(kafka, ResourceType.TRANSACTIONAL_ID, "few", AclOperation.WRITE, true);
        WriterStore writer = rig.writer();
        assertThat(writer.transactionTimeout()).contains(Duration.ofMinutes(15));
        assertThat(writer.open("few")).isEmpty();
        Committable committable = rig.prepare(writer, rig.name(0), "a");
        assertThat(rig.outcome(committable)).isEqualTo(Kind.COMMITTED);

        Committable second = rig.prepare(writer, rig.name(1), "b");
        CommitterStore committer = rig.committer();
        acl(kafka, ResourceType.TRANSACTIONAL_ID, "few", AclOperation.WRITE, false);
        assertThatThrownBy(() -> KafkaRig.commit(committer, second))
            .isInstanceOf(IOException.class)
            .isNotInstanceOf(RefusedException.class)
            .hasMessageContaining("--transactional-id 'few'");
      }
    }
  }

  private static void acl(
      EmbeddedKafka kafka, ResourceType type, String name, AclOperation operation, boolean allow)
      throws InterruptedException, ExecutionException {
    PatternType pattern =
        type == ResourceType.TRANSACTIONAL_ID ? PatternType.PREFIXED : PatternType.LITERAL;
    AccessControlEntry entry =
        new AccessControlEntry(
            "User:ANONYMOUS",
            "*",
            operation,
            allow ? AclPermissionType.ALLOW : AclPermissionType.DENY);
    AclBinding binding = new AclBinding(new ResourcePattern(type, name, pattern), entry);
    kafka.admin().createAcls(List.of(binding)).all().get();
    // The controller has it; the broker, which answers here, follows.
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> !kafka.admin().describeAcls(binding.toFilter()).values().get().isEmpty());
  }
}
