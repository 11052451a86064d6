// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A topic that {@code txn-kafka} writes to. */
record ProcessTopic(ProcessBroker broker, String topic, String prefix) implements ProcessSink {

  @Override
  public Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("connector", "txn-kafka");
    options.put("topic", topic);
    options.put("properties.bootstrap.servers", broker.bootstrapServers());
    options.put("format", "json");
    options.put("sink.transactional-id-prefix", prefix);
    return options;
  }

  @Override
  public List<String> committed() {
    return broker.probe().committed(topic);
  }

  @Override
  public void awaitCommitted(List<String> expected, Duration limit) {
    broker.awaitCommitted(topic, expected, limit);
  }

  @Override
  public void assertNothingLeft() {
    broker.assertNothingLeft(prefix, topic);
  }
}
