// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.protocol.TransactionName;
import java.time.Duration;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.util.TimeUtils;

/** Reads what callers give; an argument that is left out arrives as null. */
final class Arguments {

  private Arguments() {}

  /** A prefix, which is matched exactly. */
  static String prefix(String given) {
    if (given == null || !TransactionName.isPrefix(given)) {
      throw refusal("prefix", given, "it has to be 1 to 64 of A-Z a-z 0-9 . _ -");
    }
    return given;
  }

  /** A prefix, or null for all. */
  static String anyPrefix(String given) {
    return given == null ? null : prefix(given);
  }

  /** A length of time, null where nothing is given. */
  static Duration duration(String name, String given) {
    if (given == null) {
      return null;
    }
    try {
      return TimeUtils.parseDuration(given);
    } catch (IllegalArgumentException e) {
      throw refusal(name, given, "it has to be a length of time such as '30 s' or '7 d'");
    }
  }

  /** Procedures that change something only say what they would do unless told otherwise. */
  static boolean dryRun(Boolean given) {
    return given == null || given;
  }

  static boolean force(Boolean given) {
    return given != null && given;
  }

  static ValidationException refusal(String name, Object given, String needed) {
    return new ValidationException(
        "Argument '%s' is %s, but %s."
            .formatted(name, given == null ? "not given" : "'" + given + "'", needed));
  }
}
