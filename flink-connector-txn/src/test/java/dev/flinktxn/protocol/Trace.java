// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.util.ArrayList;
import java.util.List;

/** What happened in one schedule, line by line, for whoever replays a seed. */
final class Trace {

  private final List<String> lines = new ArrayList<>();

  void add(long now, int depth, String line) {
    lines.add(now % 100_000_000 + "  " + "  ".repeat(depth) + line);
  }

  void end(String line) {
    lines.add(line);
  }

  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
