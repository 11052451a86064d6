// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchmarkOptionsTest {

  private static BenchmarkOptions parse(String... arguments) {
    return BenchmarkOptions.parse(List.of(arguments));
  }

  @Test
  void comparesFourSinksUnlessTold() {
    assertThat(parse())
        .isEqualTo(new BenchmarkOptions(4_000_000, 3, true, Map.of(), List.of(), false));
    assertThat(BenchmarkVariant.of(parse()))
        .extracting(BenchmarkVariant::toString)
        .containsExactly(
            "A kafka exactly-once",
            "B txn-kafka exactly-once",
            "C kafka at-least-once",
            "D txn-kafka at-least-once");
  }

  @Test
  void takesRowsRepetitionsAndTableOptions() {
    BenchmarkOptions options =
        parse(
            "--rows 100 --repetitions 5 --exactly-once-only --option a=1 --option b=x=y --also a=2,c=3"
                .split(" "));

    assertThat(options)
        .isEqualTo(
            new BenchmarkOptions(
                100,
                5,
                false,
                Map.of("a", "1", "b", "x=y"),
                List.of(Map.of("a", "2", "c", "3")),
                false));
    assertThat(BenchmarkVariant.of(options))
        .extracting(BenchmarkVariant::toString)
        .containsExactly(
            "A kafka exactly-once",
            "B txn-kafka exactly-once {a=1, b=x=y}",
            "E txn-kafka exactly-once {a=2, c=3}");
  }

  @Test
  void onlyExactlyOnceTablesHaveAPrefix() {
    List<BenchmarkVariant> variants = BenchmarkVariant.of(parse("--option", "k=v"));

    assertThat(variants.get(1).clause("t", "h:1"))
        .contains("'connector' = 'txn-kafka'", "'k' = 'v'", "'topic' = 't'")
        .contains("'sink.transactional-id-prefix' = 't'");
    assertThat(variants.get(3).clause("t", "h:1")).doesNotContain("prefix", "'k'");
  }

  @Test
  void saysWhatIsWrong() {
    assertThatThrownBy(() -> parse("--row", "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("unknown option --row", "--rows N");
    assertThatThrownBy(() -> parse("--rows")).hasMessageContaining("--rows needs a value");
    assertThatThrownBy(() -> parse("--rows", "0")).hasMessageContaining("--rows is a whole number");
    assertThatThrownBy(() -> parse("--option", "it's=1")).hasMessageContaining("KEY=VALUE");
    assertThatThrownBy(() -> parse("--also", "a=1,b")).hasMessageContaining("not b");
  }
}
