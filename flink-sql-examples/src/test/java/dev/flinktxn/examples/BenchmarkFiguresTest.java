// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BenchmarkFiguresTest {

  private final BenchmarkFigures figures = new BenchmarkFigures();

  private List<BenchmarkVariant> fill(List<String> arguments, double[]... rates) {
    List<BenchmarkVariant> variants = BenchmarkVariant.of(BenchmarkOptions.parse(arguments));
    for (int i = 0; i < rates.length; i++) {
      for (double rate : rates[i]) {
        figures.add(variants.get(i), rate);
      }
    }
    return variants;
  }

  @Test
  void dividesMediansNotMeans() {
    fill(
        List.of(),
        new double[] {900, 100, 200},
        new double[] {190, 10, 5_000},
        new double[] {4, 1},
        new double[] {5, 5});

    assertThat(figures.median("A")).isEqualTo(200);
    assertThat(figures.median("C")).isEqualTo(2.5);
    assertThat(figures.result())
        .isEqualTo("BENCHMARK txn-kafka/kafka exactly-once=0.95 at-least-once=2.00");
  }

  @Test
  void measuresFurtherVariantsByTheOfficialExactlyOnce() {
    List<BenchmarkVariant> variants =
        fill(
            List.of("--exactly-once-only", "--also", "k=v"),
            new double[] {1_000},
            new double[] {1_100},
            new double[] {1_500});

    assertThat(figures.line(variants.get(0))).doesNotContain("ratio");
    assertThat(figures.line(variants.get(2)))
        .contains("E txn-kafka exactly-once {k=v}", "1,500", "ratio E/A 1.50");
    assertThat(figures.result()).isEqualTo("BENCHMARK txn-kafka/kafka exactly-once=1.10");
  }
}
