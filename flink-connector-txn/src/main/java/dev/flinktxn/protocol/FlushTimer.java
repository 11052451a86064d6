// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.time.Duration;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Sends buffered rows when the first of them has waited long enough. Used by the task thread, on
 * which the flush runs too.
 */
public final class FlushTimer {

  /** What is done when the time has come. */
  public interface Flush {
    /** Sends what is buffered. */
    void run() throws IOException, InterruptedException;
  }

  private final ProcessingTimeService timers;
  private final Duration interval;
  private final Flush flush;
  private long round;

  /**
   * A timer that is not set.
   *
   * @param interval how long rows may wait; zero for ever
   */
  public FlushTimer(ProcessingTimeService timers, Duration interval, Flush flush) {
    this.timers = timers;
    this.interval = interval;
    this.flush = flush;
  }

  /** Sets the timer, when the first row is buffered. */
  public void start() {
    if (interval.isZero()) {
      return;
    }
    // A timer that has been stopped may be on its way to this thread already.
    long started = ++round;
    timers.registerTimer(
        timers.getCurrentProcessingTime() + interval.toMillis(),
        time -> {
          if (started == round) {
            run();
          }
        });
  }

  private void run() throws IOException, InterruptedException {
    try {
      flush.run();
    } catch (RefusedException e) {
      throw new SuppressRestartsException(e);
    }
  }

  /** Stops the timer, when nothing is buffered any more. */
  public void stop() {
    round++;
  }
}
