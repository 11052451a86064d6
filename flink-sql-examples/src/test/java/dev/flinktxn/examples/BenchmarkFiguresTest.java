// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BenchmarkFiguresTest {

  private final BenchmarkFigures figures = new BenchmarkFigures();

  private List<KafkaVariant> fill(List<String> arguments, double[]... rates) {
    List<KafkaVariant> variants = KafkaVariant.of(BenchmarkOptions.parse(arguments));
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
    assertThat(figures.result("txn-kafka/kafka", KafkaVariant.RATIOS))
        .isEqualTo("BENCHMARK txn-kafka/kafka exactly-once=0.95 at-least-once=2.00");
  }

  @Test
  void measuresFurtherVariantsByTheOfficialExactlyOnce() {
    List<KafkaVariant> variants =
        fill(
            List.of("--exactly-once-only", "--also", "k=v"),
            new double[] {1_000},
            new double[] {1_100},
            new double[] {1_500});

    assertThat(figures.line(variants.get(0))).doesNotContain("/A");
    assertThat(figures.line(variants.get(2)))
        .contains("E txn-kafka exactly-once {k=v}", "1,500", "E/A 1.50");
    assertThat(figures.result("txn-kafka/kafka", KafkaVariant.RATIOS))
        .isEqualTo("BENCHMARK txn-kafka/kafka exactly-once=1.10");
  }

  @Test
  void dividesByEveryYardstickThatHasRun() {
    List<JdbcVariant> variants =
        JdbcVariant.of(BenchmarkOptions.parse(List.of("--jdbc", "--only", "A,B,Z")));
    figures.add(variants.get(0), 100);
    figures.add(variants.get(1), 250);
    figures.add(variants.get(2), 1_000);

    assertThat(figures.line(variants.get(1))).contains("B/A 2.50  B/Z 0.25").doesNotContain("B/Y");
    assertThat(figures.line(variants.get(2))).doesNotContain("Z/");
    assertThat(figures.result("txn-jdbc/jdbc", JdbcVariant.RATIOS))
        .isEqualTo("BENCHMARK txn-jdbc/jdbc inline=2.50");
  }
}
