// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Names of airports, from {@code data/airports.csv}.
 *
 * @param names "name, city" by IATA code
 */
record Airports(Map<String, String> names) {

  /** A comma with an even number of quotes behind it, hence outside of quotes. */
  private static final String SEPARATOR = ",(?=([^\"]*\"[^\"]*\")*[^\"]*$)";

  static Airports shipped() {
    try (BufferedReader file =
        new BufferedReader(
            new InputStreamReader(
                Airports.class.getResourceAsStream("/data/airports.csv"),
                StandardCharsets.UTF_8))) {
      return new Airports(
          file.lines()
              .skip(1)
              .map(line -> line.split(SEPARATOR))
              .collect(Collectors.toMap(cells -> cells[0], Airports::name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(String[] cells) {
    return (cells[1] + ", " + cells[2]).replace("\"\"", "'").replace("\"", "");
  }

  /** The name, or the code itself when the file does not know it. */
  String name(String iata) {
    return names.getOrDefault(iata, iata);
  }
}
