// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Everything a task needs to write one table to Kafka. Travels with the job, so it holds values
 * only.
 *
 * @param table the table's name, for messages
 * @param topics the topics checked at start; empty when only the rows name them
 * @param topicPattern what topics named by rows must match, null when {@code topics} says it all
 * @param properties the user's producer properties, without the {@code properties.} of the table
 * @param transactionTimeout the explicit {@code sink.transaction-timeout}, null for the broker's
 *     maximum
 * @param endless whether transactions never expire, whatever the timeout (KIP-939)
 * @param prefix {@code sink.transactional-id-prefix}, null without transactions
 * @param encoder turns rows into records
 * @param folding whether records wait for newer ones of their key
 * @param checkpointInterval null when not known at planning time
 * @param checkpointTimeout null when not known at planning time
 */
record KafkaTarget(
    String table,
    List<String> topics,
    String topicPattern,
    Map<String, String> properties,
    Duration transactionTimeout,
    boolean endless,
    String prefix,
    RecordEncoder encoder,
    Folding folding,
    Duration checkpointInterval,
    Duration checkpointTimeout)
    implements Serializable {

  /** The target in words, for messages. */
  String describe() {
    if (topics.size() == 1) {
      return "Kafka topic '" + topics.get(0) + "'";
    }
    return topics.isEmpty() ? "Kafka topics like '" + topicPattern + "'" : "Kafka topics " + topics;
  }

  /** Without the properties, which may hold secrets. */
  @Override
  public String toString() {
    return describe();
  }
}
