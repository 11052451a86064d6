// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.io.PrintStream;
import java.util.Locale;

/** Tells the user what happens, each line with the seconds since the start. For one thread. */
final class Progress {

  private final PrintStream out;
  private final long start = System.nanoTime();

  Progress(PrintStream out) {
    this.out = out;
  }

  void say(String format, Object... arguments) {
    double seconds = (System.nanoTime() - start) / 1e9;
    out.printf(
        Locale.ROOT, "[%5.1f s] %s%n", seconds, String.format(Locale.ROOT, format, arguments));
  }

  void print(String line) {
    out.println(line);
  }
}
