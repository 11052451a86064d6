// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Placeholder. */
record KafkaTarget(
    String table,
    List<String> topics,
    String topicPattern,
    Map<String, String> properties,
    Duration transactionTimeout,
    String prefix,
    RecordEncoder encoder,
    Duration checkpointInterval,
    Duration checkpointTimeout)
    implements Serializable {}
