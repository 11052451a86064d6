// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.Test;

class FlushTimerTest {

  private record Timer(long time, ProcessingTimeService.ProcessingTimeCallback callback) {
    void fire() throws Exception {
      callback.onProcessingTime(time);
    }
  }

  private final List<Timer> timers = new ArrayList<>();
  private int flushes;

  private final ProcessingTimeService service =
      new ProcessingTimeService() {
        @Override
        public long getCurrentProcessingTime() {
          return 1_000;
        }

        @Override
        public ScheduledFuture<?> registerTimer(long time, ProcessingTimeCallback callback) {
          timers.add(new Timer(time, callback));
          return null;
        }
      };

  private FlushTimer timer(Duration interval) {
    return new FlushTimer(service, interval, () -> flushes++);
  }

  @Test
  void flushesOnceWhenTheIntervalIsOver() throws Exception {
    timer(Duration.ofMillis(250)).start();
    assertThat(timers).extracting(Timer::time).containsExactly(1_250L);
    assertThat(flushes).isZero();
    timers.get(0).fire();
    assertThat(flushes).isEqualTo(1);
  }

  @Test
  void doesNothingOnceStoppedThoughItWasOnItsWay() throws Exception {
    FlushTimer timer = timer(Duration.ofMillis(250));
    timer.start();
    timer.stop();
    timer.start();
    timers.get(0).fire();
    assertThat(flushes).isZero();
    timers.get(1).fire();
    assertThat(flushes).isEqualTo(1);
  }

  @Test
  void isNotSetWithoutAnInterval() {
    timer(Duration.ZERO).start();
    assertThat(timers).isEmpty();
  }

  @Test
  void aRefusalEndsTheJob() {
    FlushTimer.Flush refused =
        () -> {
          throw new RefusedException("no such value");
        };
    new FlushTimer(service, Duration.ofMillis(1), refused).start();
    assertThatThrownBy(() -> timers.get(0).fire())
        .isInstanceOf(SuppressRestartsException.class)
        .hasRootCauseMessage("no such value");
  }
}
