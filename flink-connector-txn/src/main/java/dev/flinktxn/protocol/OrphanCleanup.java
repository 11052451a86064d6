// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Aborts what dead predecessors of one writer left open: rules (b), (c) and (e) of the package
 * documentation.
 *
 * <p>It may run at real barriers only. By then every committable of the restored checkpoint has
 * been committed, so whatever an older attempt still holds open belongs to no checkpoint this job
 * can go back to by itself. Used by the task thread.
 */
class OrphanCleanup {

  private static final Logger LOG = LoggerFactory.getLogger(OrphanCleanup.class);

  private final SinkSettings settings;
  private final int subtask;
  private final int parallelism;
  private final WriterStore store;
  private final ProtocolClock clock;
  private final long openedAt;
  private final Set<OpenTransaction> openAtStart;
  private Attempt attempt;
  private long dueAt;
  private long aborted;

  OrphanCleanup(
      SinkSettings settings,
      int subtask,
      int parallelism,
      WriterStore store,
      ProtocolClock clock,
      long openedAt,
      Set<OpenTransaction> openAtStart) {
    this.settings = settings;
    this.subtask = subtask;
    this.parallelism = parallelism;
    this.store = store;
    this.clock = clock;
    this.openedAt = openedAt;
    this.openAtStart = openAtStart;
    this.dueAt = Long.MIN_VALUE;
  }

  /**
   * Reads what is open when the writer opens, and changes nothing. The clock is read first: a
   * writer that is paused while it reads, and given up meanwhile, stays older than its successor.
   */
  static OrphanCleanup open(
      SinkSettings settings, int subtask, int parallelism, WriterStore store, ProtocolClock clock)
      throws IOException, InterruptedException {
    long openedAt = clock.now();
    return new OrphanCleanup(
        settings,
        subtask,
        parallelism,
        store,
        clock,
        openedAt,
        new HashSet<>(store.open(settings.prefix())));
  }

  /**
   * The first millisecond after every attempt this writer may have to clean up after, so that a
   * clock that went back does not make a successor older than its predecessor.
   */
  long earliestOpening() {
    long earliest = openedAt;
    for (OpenTransaction open : openAtStart) {
      if (isMine(open.name())) {
        earliest = Math.max(earliest, open.name().attempt().openedAt() + 1);
      }
    }
    return earliest;
  }

  /** Sets whose predecessors are cleaned up after. Called once, before any run. */
  void cleanFor(Attempt attempt) {
    this.attempt = attempt;
  }

  /** Whether a run is due: at the first barrier and then once a period. */
  boolean isDue() {
    return clock.now() >= dueAt;
  }

  /**
   * Aborts the orphans there are now.
   *
   * @throws IOException if an older attempt turns out to be alive; nothing was aborted then
   */
  void run() throws IOException, InterruptedException {
    List<OpenTransaction> orphans = new ArrayList<>();
    for (OpenTransaction open : store.open(settings.prefix())) {
      if (isMine(open.name()) && isOlder(open.name())) {
        if (begunSinceOpening(open)) {
          throw new IOException(
              String.format(
                  "Table %s: transaction %s was begun by an older writer after this one (%s) had"
                      + " opened, so another job or a paused task manager still writes with"
                      + " sink.transactional-id-prefix '%s'. A prefix belongs to one INSERT of one"
                      + " running job: stop the other job or give this INSERT its own prefix.",
                  settings.table(), open.name(), attempt, settings.prefix()));
        }
        orphans.add(open);
      }
    }
    for (OpenTransaction orphan : orphans) {
      LOG.info("Table {}: aborting {}, left open by an earlier attempt", settings.table(), orphan);
      store.abort(orphan);
      aborted++;
    }
    dueAt = clock.now() + settings.cleanupPeriod().toMillis();
  }

  /** How many orphans this writer has aborted. */
  long aborted() {
    return aborted;
  }

  /** Whether this writer's subtask is the one that cleans up {@code name}. */
  boolean isMine(TransactionName name) {
    return name.subtask() % parallelism == subtask;
  }

  /** Whether {@code name} belongs to a predecessor. */
  boolean isOlder(TransactionName name) {
    return name.attempt().olderThan(attempt);
  }

  /** Whether {@code open} proves that somebody was alive after this writer had opened. */
  boolean begunSinceOpening(OpenTransaction open) {
    return !openAtStart.contains(open);
  }
}
