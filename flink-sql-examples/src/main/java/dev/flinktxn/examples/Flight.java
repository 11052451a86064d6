// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * One flight of {@code data/flights-20k.json}.
 *
 * @param departure local time at the origin, to the minute
 * @param delay minutes, negative when early
 * @param distance miles
 * @param origin IATA code
 * @param destination IATA code
 */
record Flight(LocalDateTime departure, int delay, int distance, String origin, String destination) {

  private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm");

  /** Minutes. */
  private static final int TOLERATED = 15;

  /** All flights of the shipped file, in its order: by departure. */
  static List<Flight> shipped() {
    try (InputStream file = Flight.class.getResourceAsStream("/data/flights-20k.json")) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return Json.parse(text).items().stream().map(Flight::of).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Flight of(Json json) {
    return new Flight(
        LocalDateTime.parse(json.get("date").text(), DATE),
        Math.toIntExact(json.get("delay").number()),
        Math.toIntExact(json.get("distance").number()),
        json.get("origin").text(),
        json.get("destination").text());
  }

  /** Whether it was later than is tolerated, as the script says too. */
  boolean isDelayed() {
    return delay > TOLERATED;
  }

  /** The record that the job reads. */
  String json() {
    return "{\"date\":%s,\"delay\":%d,\"distance\":%d,\"origin\":%s,\"destination\":%s}"
        .formatted(
            Json.quote(DATE.format(departure)),
            delay,
            distance,
            Json.quote(origin),
            Json.quote(destination));
  }

  /** The record behind the last flight; the script says what for. */
  static String closingMark(LocalDateTime lastDeparture) {
    // The last window ends within an hour, and the watermark is a minute behind.
    return "{\"date\":%s}".formatted(Json.quote(DATE.format(lastDeparture.plusHours(2))));
  }
}
