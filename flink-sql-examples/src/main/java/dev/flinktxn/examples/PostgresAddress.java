// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.Postgres;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Where a PostgreSQL database is, and who connects.
 *
 * @param url the JDBC URL; user and password are parameters of it
 */
record PostgresAddress(String url) {

  /** The address for the superuser of a server that the fixture has started. */
  static PostgresAddress of(Postgres started) {
    return new PostgresAddress(started.url()).with("user", started.user());
  }

  /** The same with one parameter more. */
  PostgresAddress with(String parameter, String value) {
    String separator = url.contains("?") ? "&" : "?";
    String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8);
    return new PostgresAddress(url + separator + parameter + "=" + encoded);
  }

  /** Takes the parameters, which may hold secrets, out of a text that quotes the URL. */
  String hiddenIn(String text) {
    return text.replace(url, toString());
  }

  /** Without the parameters. */
  @Override
  public String toString() {
    return url.replaceFirst("\\?.*", "");
  }
}
