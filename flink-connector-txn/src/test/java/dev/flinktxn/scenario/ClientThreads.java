// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The threads that Kafka clients have in this JVM, apart from those of the tests' own probes. */
final class ClientThreads {

  private static final Pattern CLIENT =
      Pattern.compile("kafka-(producer-network|admin-client|coordinator-heartbeat)-thread.*");

  private final Set<Thread> probes = ConcurrentHashMap.newKeySet();

  /** Counts the client threads that there are now as the probes'. */
  void ignorePresent() {
    probes.addAll(present());
  }

  /** The names of those that belong to jobs. */
  Set<String> ofJobs() {
    Set<Thread> threads = present();
    threads.removeAll(probes);
    return threads.stream().map(Thread::getName).collect(Collectors.toSet());
  }

  void awaitNone() {
    await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(ofJobs()).as("client threads left behind").isEmpty());
  }

  private static Set<Thread> present() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> CLIENT.matcher(thread.getName()).matches())
        .collect(Collectors.toSet());
  }
}
