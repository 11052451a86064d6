// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.FlinkCluster;
import dev.flinktxn.fixture.FlinkRest;
import dev.flinktxn.fixture.SqlClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The job of a torture run over all its lives: submitted, and submitted again from the newest
 * checkpoint or savepoint there is.
 */
final class TortureJob {

  private static final Duration CLIENT_LIMIT = Duration.ofMinutes(4);
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final List<String> ENDED = List.of("FINISHED", "FAILED", "CANCELED");

  private final FlinkCluster cluster;
  private final SqlClient client;
  private final Path states;
  private final String statements;
  private String id;
  private int parallelism;
  private long completedInOlderLives;
  private long completed;

  /**
   * A job that does not run yet.
   *
   * @param states the directory under which all checkpoints and savepoints are
   * @param statements what the job is, after its settings
   */
  TortureJob(FlinkCluster cluster, SqlClient client, Path states, String statements) {
    this.cluster = cluster;
    this.client = client;
    this.states = states;
    this.statements = statements;
  }

  /** Submits it, from the newest state if there is one. */
  void submit(int subtasks) {
    parallelism = subtasks;
    completedInOlderLives += completed;
    completed = 0;
    cluster.awaitFreeSlots(subtasks);
    String settings =
        newestState()
            .map(path -> "SET 'execution.state-recovery.path' = '" + path.toUri() + "';\n")
            .orElse("");
    settings += "SET 'parallelism.default' = '" + subtasks + "';\n";
    id = client.run(settings + statements, CLIENT_LIMIT).jobId();
  }

  /** By the time at which it was completed; an older one would bring back what is committed. */
  private Optional<Path> newestState() {
    try (Stream<Path> files = Files.walk(states)) {
      return files
          .filter(file -> file.getFileName().toString().equals("_metadata"))
          .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
          .map(Path::getParent);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int parallelism() {
    return parallelism;
  }

  private FlinkRest rest() {
    return cluster.rest();
  }

  /** Returns when it has completed that many more checkpoints. */
  void awaitCheckpoints(int more) {
    long target = countCheckpoints() + more;
    Await.until(
        "checkpoint number " + target,
        LIMIT,
        () -> {
          String state = rest().state(id);
          if (ENDED.contains(state)) {
            throw new Await.GaveUpException("the job is " + state + ": " + newestException(), null);
          }
          return countCheckpoints() >= target;
        });
  }

  private String newestException() {
    return rest().exceptions(id).stream().findFirst().orElse("no exception");
  }

  /** Of this life, so far. */
  private long countCheckpoints() {
    completed = Math.max(completed, rest().checkpoints(id).completed());
    return completed;
  }

  /** How many were seen to complete in all lives. */
  long checkpoints() {
    return completedInOlderLives + completed;
  }

  /** Takes a savepoint, and lets the job run on. */
  void savepoint() {
    rest().savepoint(id, LIMIT);
  }

  /** Ends it with a savepoint. */
  void stop() {
    rest().stopWithSavepoint(id, false, LIMIT);
    cluster.awaitState(id, "FINISHED", LIMIT);
    countCheckpoints();
  }

  /** Ends it where it is; checkpoints stay. */
  void cancel() {
    countCheckpoints();
    rest().cancel(id);
    cluster.awaitState(id, "CANCELED", LIMIT);
    countCheckpoints();
  }

  /** Whether it has ended by itself, which it may only do after a stop that was disturbed. */
  boolean isFinished() {
    return rest().state(id).equals("FINISHED");
  }
}
