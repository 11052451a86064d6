// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A shipped script, {@code sql/hourly-delays.sql}, being filled in.
 *
 * @param text the statements
 */
record SqlScript(String text) {

  private static final Pattern OPEN = Pattern.compile("\\$\\{[^}]*}");

  static SqlScript shipped(String name) {
    try (InputStream file = SqlScript.class.getResourceAsStream("/sql/" + name)) {
      return new SqlScript(new String(file.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fills in the placeholder <code>${name}</code>. */
  SqlScript with(String name, String value) {
    return replace("${" + name + "}", value);
  }

  /** Replaces every {@code part} of the script, which must have one. */
  SqlScript replace(String part, String by) {
    if (!text.contains(part)) {
      throw new IllegalStateException("the script does not say " + part);
    }
    return new SqlScript(text.replace(part, by));
  }

  /** The finished script. */
  String complete() {
    Matcher open = OPEN.matcher(text);
    if (open.find()) {
      throw new IllegalStateException("nothing given for " + open.group());
    }
    return text;
  }
}
