// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.testutils.InMemoryReporter;

/** A Flink cluster inside this JVM whose task managers can be killed. */
final class FlinkLab implements AutoCloseable {

  private static final int TASK_MANAGERS = 2;
  private static final int SLOTS = 10;

  private final MiniCluster cluster;
  private final InMemoryReporter metrics;
  private List<Integer> alive = new ArrayList<>();
  private int started;

  private FlinkLab(MiniCluster cluster, InMemoryReporter metrics) {
    this.cluster = cluster;
    this.metrics = metrics;
  }

  static FlinkLab start() throws Exception {
    InMemoryReporter metrics = InMemoryReporter.createWithRetainedMetrics();
    Configuration configuration = new Configuration();
    configuration.set(RestOptions.BIND_PORT, "0");
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(64));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(64));
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
    // A request for more slots than are free fails a test soon instead of hanging it.
    configuration.set(JobManagerOptions.SLOT_REQUEST_TIMEOUT, Duration.ofSeconds(30));
    // Now and then Flink's file source hangs in its close; it holds nothing that a test misses.
    configuration.setString("source.reader.close.timeout", "1000");
    metrics.addToConfiguration(configuration);
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(TASK_MANAGERS)
                .setNumSlotsPerTaskManager(SLOTS)
                .build());
    cluster.start();
    FlinkLab lab = new FlinkLab(cluster, metrics);
    for (int i = 0; i < TASK_MANAGERS; i++) {
      lab.alive.add(lab.started++);
    }
    return lab;
  }

  MiniCluster cluster() {
    return cluster;
  }

  InMemoryReporter metrics() {
    return metrics;
  }

  /** Ends all task managers at once, with their tasks, and starts new ones. */
  void replaceTaskManagers() throws Exception {
    List<Integer> dead = alive;
    alive = new ArrayList<>();
    CompletableFuture.allOf(
            dead.stream().map(cluster::terminateTaskManager).toArray(CompletableFuture<?>[]::new))
        .get();
    for (int i = 0; i < dead.size(); i++) {
      cluster.startTaskManager();
      alive.add(started++);
    }
  }

  @Override
  public void close() throws Exception {
    cluster.close();
  }
}
