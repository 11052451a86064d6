// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {

  private static final LocalDateTime TEN = LocalDateTime.of(2001, 1, 1, 10, 0);
  private static final HourlyDelay HOUR = new HourlyDelay(TEN, "ANT", 1, 20, 20);
  private static final Flight FLIGHT = new Flight(TEN, 20, 100, "ANT", "BEE");

  @Test
  void sumsWhatIsLostAndDuplicatedInAllResults() {
    Comparison<HourlyDelay> exact = Comparison.of(List.of(HOUR), List.of(HOUR));
    Comparison<Flight> twice = Comparison.of(List.of(FLIGHT, FLIGHT), List.of(FLIGHT));
    Comparison<HourlyDelay> tooMuch = Comparison.of(List.of(HOUR), List.of(HOUR, HOUR, HOUR));

    Verdict verdict = new Verdict(exact, twice, tooMuch);

    assertThat(verdict.exact()).isFalse();
    assertThat(verdict.line("at-least-once"))
        .isEqualTo("RESULT at-least-once windows=1 rows=2 lost=1 duplicated=2");
  }

  @Test
  void isExactOnlyWhenEveryResultIs() {
    Comparison<HourlyDelay> hours = Comparison.of(List.of(HOUR), List.of(HOUR));
    Comparison<HourlyDelay> none = Comparison.of(List.of(HOUR), List.of());
    Comparison<Flight> flights = Comparison.of(List.of(FLIGHT), List.of(FLIGHT));
    Comparison<Flight> noFlights = Comparison.of(List.of(FLIGHT), List.of());

    assertThat(new Verdict(hours, flights, hours).exact()).isTrue();
    assertThat(new Verdict(none, flights, hours).exact()).isFalse();
    assertThat(new Verdict(hours, noFlights, hours).exact()).isFalse();
    assertThat(new Verdict(hours, flights, none).exact()).isFalse();
  }
}
