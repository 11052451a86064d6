// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the prepared transactions of completed checkpoints, and says of each what became of it.
 *
 * <p>Flink hands over a checkpoint's committables again after every restore of it, so "already
 * committed" is a normal end. Waits between tries itself, because Flink's {@code retryLater}
 * repeats at once and gives up after a few tries. Used by the task thread, which a cancelled task
 * interrupts.
 */
final class TransactionalCommitter implements Committer<Committable> {

  private static final Logger LOG = LoggerFactory.getLogger(TransactionalCommitter.class);
  private static final long FIRST_BACKOFF_MILLIS = 50;
  private static final long LONGEST_BACKOFF_MILLIS = 5_000;

  private final SinkSettings settings;
  private final String target;
  private final CommitterStore store;
  private final ProtocolClock clock;
  private final CommitterMetrics metrics;

  TransactionalCommitter(
      SinkSettings settings,
      String target,
      CommitterStore store,
      ProtocolClock clock,
      CommitterMetrics metrics) {
    this.settings = settings;
    this.target = target;
    this.store = store;
    this.clock = clock;
    this.metrics = metrics;
  }

  @Override
  public void commit(Collection<CommitRequest<Committable>> requests)
      throws IOException, InterruptedException {
    long startedAt = clock.now();
    long backoff = FIRST_BACKOFF_MILLIS;
    List<CommitRequest<Committable>> pending = new ArrayList<>(requests);
    SuppressRestartsException loss = null;
    while (!pending.isEmpty()) {
      List<Outcome> outcomes = tryOnce(pending);
      List<CommitRequest<Committable>> again = new ArrayList<>();
      String trouble = null;
      for (int i = 0; i < outcomes.size(); i++) {
        CommitRequest<Committable> request = pending.get(i);
        Committable committable = request.getCommittable();
        Outcome outcome = outcomes.get(i);
        switch (outcome.kind()) {
          case COMMITTED -> metrics.committed(committable, startedAt, clock.now());
          case ALREADY_COMMITTED -> {
            request.signalAlreadyCommitted();
            metrics.alreadyCommitted();
          }
          case RETRY -> {
            again.add(request);
            trouble = committable + ": " + outcome.evidence();
          }
          case LOST, UNKNOWN -> {
            // The others of this checkpoint are committed first: their rows are not lost.
            SuppressRestartsException one = judge(committable, outcome);
            if (loss == null) {
              loss = one;
            } else if (one != null) {
              loss.addSuppressed(one);
            }
          }
        }
      }
      pending = again;
      if (!pending.isEmpty()) {
        metrics.retried(pending.size());
        waitOrGiveUp(startedAt, backoff, trouble);
        backoff = Math.min(2 * backoff, LONGEST_BACKOFF_MILLIS);
      }
    }
    if (loss != null) {
      throw loss;
    }
  }

  private List<Outcome> tryOnce(List<CommitRequest<Committable>> pending)
      throws IOException, InterruptedException {
    try {
      return store.commit(pending.stream().map(CommitRequest::getCommittable).toList());
    } catch (RefusedException e) {
      throw new SuppressRestartsException(e);
    }
  }

  private void waitOrGiveUp(long startedAt, long backoff, String trouble)
      throws IOException, InterruptedException {
    long tried = clock.now() - startedAt;
    if (tried > settings.commitPatience().toMillis()) {
      throw new IOException(
          String.format(
              "Table %s (%s): no commit for %,d ms; last answer for %s. Nothing is lost: the job"
                  + " restarts and commits again.",
              settings.table(), target, tried, trouble));
    }
    LOG.warn(
        "Table {} ({}): commit tried for {} ms, next try in {} ms; {}",
        settings.table(),
        target,
        tried,
        backoff,
        trouble);
    clock.sleep(backoff);
  }

  /** Null when the user asked to go on. */
  private SuppressRestartsException judge(Committable committable, Outcome outcome) {
    boolean lost = outcome.kind() == Outcome.Kind.LOST;
    String message =
        String.format(
            "Table %s (%s): %s %s: %s. It was begun at %s and prepared at %s, %,d ms before this"
                + " commit; %s. %s",
            settings.table(),
            target,
            committable,
            lost ? "is LOST" : "has an UNKNOWN outcome",
            outcome.evidence(),
            Instant.ofEpochMilli(committable.begunAt()),
            Instant.ofEpochMilli(committable.preparedAt()),
            clock.now() - committable.preparedAt(),
            committable.timeout() < 0
                ? "it has no timeout"
                : String.format("its timeout is %,d ms", committable.timeout()),
            lost
                ? "The rows it held are not in the target. Restore an older savepoint to write them"
                    + " again, or set sink.on-lost-transaction = 'continue' to accept the loss."
                : "Its rows may or may not be in the target: look there, then set"
                    + " sink.on-lost-transaction = 'continue' to go on.");
    metrics.lost();
    if (settings.continueOnLoss()) {
      LOG.error("{} Going on, as sink.on-lost-transaction = 'continue' says.", message);
      return null;
    }
    return new SuppressRestartsException(new IOException(message));
  }

  @Override
  public void close() throws Exception {
    store.close();
  }
}
