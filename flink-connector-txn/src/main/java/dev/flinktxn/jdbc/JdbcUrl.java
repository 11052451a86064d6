// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.table.Refusal;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The option {@code url}, taken apart so that nothing that is shown later holds a secret: where the
 * server is, and the parameters, which the driver takes as properties just as well.
 *
 * @param address the URL without parameters
 * @param parameters the parameters; may hold secrets
 */
public record JdbcUrl(String address, Map<String, String> parameters) {

  private static final String BEGINNING = "jdbc:postgresql:";

  /** The protocol and nothing behind it: URLs of other databases have passwords anywhere. */
  private static final Pattern PROTOCOL = Pattern.compile("(jdbc:)?[A-Za-z0-9+-]*:?");

  /**
   * Takes a URL apart.
   *
   * @throws org.apache.flink.table.api.ValidationException if it is no URL of PostgreSQL
   */
  public static JdbcUrl parse(String url, Refusal refusal) {
    if (!url.startsWith(BEGINNING)) {
      Matcher protocol = PROTOCOL.matcher(url);
      throw refusal.of(
          "option '%s' begins with '%s', but it has to begin with '%s'; correct it"
              .formatted(
                  JdbcOptions.URL.key(),
                  protocol.lookingAt() ? protocol.group() : "",
                  BEGINNING + "//"));
    }
    int question = url.indexOf('?');
    String address = question < 0 ? url : url.substring(0, question);
    if (address.contains("@")) {
      throw refusal.of(
          "option '%s' has an '@', but the driver takes no user or password before the host; use"
                  .formatted(JdbcOptions.URL.key())
              + " '%s' and '%s'".formatted(JdbcOptions.USERNAME.key(), JdbcOptions.PASSWORD.key()));
    }
    return new JdbcUrl(
        address, question < 0 ? Map.of() : parameters(url.substring(question + 1), refusal));
  }

  private static Map<String, String> parameters(String query, Refusal refusal) {
    Map<String, String> parameters = new TreeMap<>();
    for (String parameter : query.split("&")) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      if (!name.isEmpty()) {
        parameters.put(name, equals < 0 ? "" : decoded(name, parameter, equals + 1, refusal));
      }
    }
    return parameters;
  }

  private static String decoded(String name, String parameter, int from, Refusal refusal) {
    try {
      return URLDecoder.decode(parameter.substring(from), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // Neither the value nor the cause, which quotes it, may be shown.
      throw refusal.of(
          ("parameter '%s' of option '%s' has a '%%' without two hexadecimal digits behind it; write"
                  + " a percent sign as '%%25'")
              .formatted(name, JdbcOptions.URL.key()));
    }
  }

  /** Without the parameters, which may hold secrets. */
  @Override
  public String toString() {
    return address;
  }
}
