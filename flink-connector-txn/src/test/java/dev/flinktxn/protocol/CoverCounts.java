// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

/** How often each {@link Cover} happened. */
final class CoverCounts {

  private final long[] counts = new long[Cover.values().length];

  void add(Cover cover, int times) {
    counts[cover.ordinal()] += times;
  }

  long of(Cover cover) {
    return counts[cover.ordinal()];
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Cover cover : Cover.values()) {
      text.append(String.format("%,12d %s%n", of(cover), cover));
    }
    return text.toString();
  }
}
