// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a transaction in the external system: {@code <prefix>~<attempt>-<subtask>-<slot>}.
 *
 * <p>A name parses completely or is foreign; {@code ~} cannot stand in a prefix, so the names of
 * prefix {@code orders} and of {@code orders-eu} never mix.
 *
 * @param prefix the user's {@code sink.transactional-id-prefix}
 * @param attempt the life of the writer that owns the name
 * @param subtask the index of that writer's subtask
 * @param slot which of the writer's names this is, counted from 0
 */
public record TransactionName(String prefix, Attempt attempt, int subtask, int slot) {

  /** Stands between the prefix and what the sink adds, and in no prefix. */
  public static final char SEPARATOR = '~';

  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Pattern TAIL =
      Pattern.compile(
          "([1-9a-z][0-9a-z]{0,11})([0-9a-z]{8})-(0|[1-9][0-9]{0,8})-(0|[1-9][0-9]{0,8})");

  /** Whether {@code prefix} may be used as a prefix: 1 to 64 of {@code A-Z a-z 0-9 . _ -}. */
  public static boolean isPrefix(String prefix) {
    return PREFIX.matcher(prefix).matches();
  }

  /** The name that {@code text} spells under {@code prefix}; empty when it belongs to others. */
  public static Optional<TransactionName> parse(String prefix, String text) {
    if (!text.startsWith(prefix + SEPARATOR)) {
      return Optional.empty();
    }
    Matcher tail = TAIL.matcher(text.substring(prefix.length() + 1));
    if (!tail.matches()) {
      return Optional.empty();
    }
    Attempt attempt = new Attempt(Long.parseLong(tail.group(1), 36), tail.group(2));
    return Optional.of(
        new TransactionName(
            prefix, attempt, Integer.parseInt(tail.group(3)), Integer.parseInt(tail.group(4))));
  }

  /** Who writes under this name, in words, as far as the name tells. */
  public String writer() {
    return "subtask "
        + subtask
        + " of a writer that opened at "
        + Instant.ofEpochMilli(attempt.openedAt());
  }

  @Override
  public String toString() {
    return prefix + SEPARATOR + attempt + '-' + subtask + '-' + slot;
  }
}
