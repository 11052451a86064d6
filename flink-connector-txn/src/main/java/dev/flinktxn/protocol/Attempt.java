// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.util.Random;

/**
 * One life of one writer: from the moment it opened until its task ends, however it ends.
 *
 * <p>Two attempts never share a name, so nothing a predecessor still does can touch a successor's
 * transactions. The order of attempts decides who may clean up after whom.
 *
 * @param openedAt when the writer opened, in milliseconds since the epoch, moved past everything it
 *     saw under its prefix at that moment
 * @param random eight characters of base 36 that keep two attempts of one millisecond apart
 */
public record Attempt(long openedAt, String random) {

  static final int RANDOM_LENGTH = 8;
  private static final long RANDOM_BOUND = 2_821_109_907_456L; // 36^8

  /** A new attempt opened at {@code openedAt} with a random part drawn from {@code random}. */
  static Attempt open(long openedAt, Random random) {
    String part = Long.toString(random.nextLong(RANDOM_BOUND), 36);
    return new Attempt(openedAt, "0".repeat(RANDOM_LENGTH - part.length()) + part);
  }

  /** Whether this attempt opened before {@code other}; false for equal times. */
  boolean olderThan(Attempt other) {
    return openedAt < other.openedAt;
  }

  @Override
  public String toString() {
    return Long.toString(openedAt, 36) + random;
  }
}
