// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** The threads of Kafka clients in this JVM, apart from those of the tests' own probes. */
final class ClientThreads {

  private static final Pattern CLIENT =
      Pattern.compile("kafka-(producer-network|admin-client|coordinator-heartbeat)-thread.*");

  private ClientThreads() {}

  static List<String> producers() {
    return all().stream().filter(name -> name.startsWith("kafka-producer")).toList();
  }

  static List<String> all() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> CLIENT.matcher(name).matches())
        .filter(name -> !name.contains(KafkaProbe.CLIENT_ID))
        .toList();
  }

  static void awaitNone() {
    await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(all()).as("client threads left behind").isEmpty());
  }
}
