// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.Json;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/**
 * One row of the result.
 *
 * @param hourStart the full hour
 * @param origin IATA code
 * @param flights how many left in that hour
 * @param averageDelay minutes
 * @param worstDelay minutes
 */
record HourlyDelay(
    LocalDateTime hourStart, String origin, long flights, double averageDelay, int worstDelay) {

  private static final DateTimeFormatter SQL_TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss[.SSS]");

  /** Reads a record of the output topic, which Flink's JSON format has written. */
  static HourlyDelay parse(String record) {
    Json json = Json.parse(record);
    return new HourlyDelay(
        LocalDateTime.parse(json.get("hour_start").text(), SQL_TIMESTAMP),
        json.get("origin").text(),
        json.get("flights").number(),
        Double.parseDouble(json.get("avg_delay").text()),
        Math.toIntExact(json.get("worst_delay").number()));
  }
}
