// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class HourlyDelaysTest {

  private static Flight flight(String departure, String origin, int delay) {
    return new Flight(LocalDateTime.parse(departure), delay, 100, origin, "JFK");
  }

  private static HourlyDelay row(String hour, String origin, int flights, double avg, int worst) {
    return new HourlyDelay(LocalDateTime.parse(hour), origin, flights, avg, worst);
  }

  @Test
  void groupsByFullHourAndOrigin() {
    List<Flight> flights =
        List.of(
            flight("2001-01-01T10:00", "LAS", -5),
            flight("2001-01-01T10:30", "LAX", 12),
            flight("2001-01-01T10:59", "LAS", 20),
            flight("2001-01-01T10:01", "LAS", -4),
            flight("2001-01-01T11:00", "LAS", -59),
            flight("2001-01-02T10:00", "LAS", 0));

    assertThat(HourlyDelays.of(flights))
        .containsExactlyInAnyOrder(
            row("2001-01-01T10:00", "LAS", 3, 11 / 3.0, 20),
            row("2001-01-01T10:00", "LAX", 1, 12, 12),
            row("2001-01-01T11:00", "LAS", 1, -59, -59),
            row("2001-01-02T10:00", "LAS", 1, 0, 0));
  }

  @Test
  void theShippedFileHasTwentyThousandFlightsInAnHourlyWindowOrMore() {
    List<Flight> flights = Flight.shipped();
    List<HourlyDelay> rows = HourlyDelays.of(flights);

    assertThat(flights).hasSize(20_000).doesNotHaveDuplicates();
    assertThat(rows).hasSize(17_473);
    assertThat(rows.stream().mapToLong(HourlyDelay::flights).sum()).isEqualTo(20_000);
    assertThat(rows.stream().filter(row -> row.flights() == 1)).hasSize(15_315);
    assertThat(rows.stream().mapToInt(HourlyDelay::worstDelay).max()).hasValue(522);
  }

  @Test
  void theFlightsAreInOrderOfDepartureAsTheWatermarkAssumes() {
    assertThat(Flight.shipped()).extracting(Flight::departure).isSorted();
  }

  @Test
  void theJobReadsWhatTheFileSays() throws IOException {
    String file;
    try (InputStream in = getClass().getResourceAsStream("/data/flights-20k.json")) {
      file = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    assertThat(Flight.shipped().stream().map(Flight::json).map(Json::parse))
        .isEqualTo(Json.parse(file).items());
  }

  @Test
  void aRecordOfTheOutputTopicIsARow() {
    assertThat(
            HourlyDelay.parse(
                "{\"origin\":\"LAS\",\"hour_start\":\"2001-01-01 10:00:00\",\"flights\":3,"
                    + "\"avg_delay\":3.6666666666666665,\"worst_delay\":20}"))
        .isEqualTo(row("2001-01-01T10:00", "LAS", 3, 11 / 3.0, 20));
    assertThat(
            HourlyDelay.parse(
                "{\"origin\":\"LAS\",\"hour_start\":\"2001-01-01 10:00:00.000\",\"flights\":1,"
                    + "\"avg_delay\":1.2E-5,\"worst_delay\":-1}"))
        .isEqualTo(row("2001-01-01T10:00", "LAS", 1, 0.000012, -1));
  }
}
