// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import dev.flinktxn.kafka.EmbeddedKafka;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.connector.testframe.environment.MiniClusterTestEnvironment;
import org.apache.flink.connector.testframe.external.ExternalContextFactory;
import org.apache.flink.connector.testframe.junit.annotations.TestContext;
import org.apache.flink.connector.testframe.junit.annotations.TestEnv;
import org.apache.flink.connector.testframe.junit.annotations.TestSemantics;
import org.apache.flink.connector.testframe.testsuites.SinkTestSuiteBase;
import org.apache.flink.core.execution.CheckpointingMode;
import org.junit.jupiter.api.AfterAll;

/** A12: the tests that Flink has for all sinks. */
class FlinkSinkSuiteITCase extends SinkTestSuiteBase<String> {

  private final EmbeddedKafka kafka = EmbeddedKafka.shared(2);
  private final ClientThreads threads = new ClientThreads();
  private final List<String> topics = new CopyOnWriteArrayList<>();

  @TestSemantics
  final CheckpointingMode[] semantics = {
    CheckpointingMode.EXACTLY_ONCE, CheckpointingMode.AT_LEAST_ONCE
  };

  @TestEnv final MiniClusterTestEnvironment environment = new MiniClusterTestEnvironment();

  @TestContext final ExternalContextFactory<StringTopic> contexts = name -> newTopic();

  FlinkSinkSuiteITCase() {
    threads.ignorePresent();
  }

  private StringTopic newTopic() {
    StringTopic topic = new StringTopic(kafka);
    topics.add(topic.topic());
    return topic;
  }

  @AfterAll
  void nothingIsLeft() {
    threads.awaitNone();
    try (BrokerView view = new BrokerView(kafka.bootstrapServers())) {
      for (String topic : topics) {
        view.awaitNoOpenTransactions(SinkUnderTest.idsOf(topic));
        view.awaitNothingBlocks(topic);
      }
    }
  }
}
