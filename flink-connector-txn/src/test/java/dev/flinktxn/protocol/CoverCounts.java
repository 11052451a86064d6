// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.util.ArrayList;
import java.util.List;

/** How often each {@link Cover} happened. */
final class CoverCounts {

  /** Each case must have happened this often in every 100,000 schedules. */
  private static final long OFTEN_ENOUGH = 50;

  private final long[] counts = new long[Cover.values().length];

  void add(Cover cover, int times) {
    counts[cover.ordinal()] += times;
  }

  long of(Cover cover) {
    return counts[cover.ordinal()];
  }

  /** The cases that did not happen often enough on {@code system}. */
  List<String> tooRare(Cover.Only system, long schedules) {
    List<String> tooRare = new ArrayList<>();
    for (Cover cover : Cover.values()) {
      if (cover.happensOn(system) && of(cover) < OFTEN_ENOUGH * schedules / 100_000) {
        tooRare.add(cover + " happened " + of(cover) + " times");
      }
    }
    return tooRare;
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
