// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/**
 * Lets all contenders run in turns, so that a machine which gets slower does so for all of them.
 *
 * @param repetitions how many rounds count, after one that does not
 * @param progress where each figure is printed at once, and the medians at the end
 */
record BenchmarkRounds(int repetitions, Progress progress) {

  /**
   * What one run has shown.
   *
   * @param details what else there is to say about it
   */
  record Figure(double rowsPerSecond, String details) {}

  /**
   * Returns the figures of the rounds that count.
   *
   * @param run runs a contender, under a name that no other run has
   */
  <C extends Contender> BenchmarkFigures run(
      List<C> contenders, BiFunction<C, String, Figure> run) {
    BenchmarkFigures figures = new BenchmarkFigures();
    for (int round = 0; round <= repetitions; round++) {
      for (C contender : contenders) {
        String name = "benchmark_" + contender.name().toLowerCase(Locale.ROOT) + "_" + round;
        Figure figure = run.apply(contender, name);
        progress.say(
            "%-9s %,10.0f rows/s  %s  (%s)",
            round == 0 ? "warm-up" : "round " + round,
            figure.rowsPerSecond(),
            contender,
            figure.details());
        if (round > 0) {
          figures.add(contender, figure.rowsPerSecond());
        }
      }
    }
    progress.print("");
    progress.print("Medians");
    contenders.forEach(contender -> progress.print(figures.line(contender)));
    progress.print("");
    return figures;
  }
}
