// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BenchmarkOptionsTest {

  private static final PostgresAddress POSTGRES =
      new PostgresAddress("jdbc:postgresql://h/d?user=me");

  private static BenchmarkOptions parse(String... arguments) {
    return BenchmarkOptions.parse(List.of(arguments));
  }

  @Test
  void comparesFourSinksUnlessTold() {
    assertThat(parse())
        .isEqualTo(
            new BenchmarkOptions(
                false, false, Set.of(), 4_000_000, 3, true, Map.of(), List.of(), false));
    assertThat(KafkaVariant.of(parse()))
        .extracting(KafkaVariant::toString)
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
                false,
                false,
                Set.of(),
                100,
                5,
                false,
                Map.of("a", "1", "b", "x=y"),
                List.of(Map.of("a", "2", "c", "3")),
                false));
    assertThat(KafkaVariant.of(options))
        .extracting(KafkaVariant::toString)
        .containsExactly(
            "A kafka exactly-once",
            "B txn-kafka exactly-once {a=1, b=x=y}",
            "E txn-kafka exactly-once {a=2, c=3}");
  }

  @Test
  void onlyExactlyOnceTablesHaveAPrefix() {
    List<KafkaVariant> variants = KafkaVariant.of(parse("--option", "k=v"));

    assertThat(variants.get(1).clause("t", "h:1"))
        .contains("'connector' = 'txn-kafka'", "'k' = 'v'", "'topic' = 't'")
        .contains("'sink.transactional-id-prefix' = 't'");
    assertThat(variants.get(3).clause("t", "h:1")).doesNotContain("prefix", "'k'");
  }

  @Test
  void comparesTenWaysIntoPostgresWhenTold() {
    assertThat(JdbcVariant.of(parse("--jdbc", "--option", "k=v", "--also", "a=1")))
        .extracting(JdbcVariant::toString)
        .containsExactly(
            "A jdbc append",
            "B txn-jdbc append exactly-once inline {k=v, sink.inline-max-size=64 mb}",
            "C txn-jdbc append exactly-once staged {k=v}",
            "D txn-jdbc append at-least-once",
            "E jdbc upsert new keys",
            "F txn-jdbc upsert new keys exactly-once {k=v}",
            "G jdbc upsert existing keys",
            "H txn-jdbc upsert existing keys exactly-once {k=v}",
            "I txn-jdbc append exactly-once {a=1}",
            "Y COPY text without Flink",
            "Z COPY binary without Flink");
    assertThat(JdbcVariant.of(parse("--jdbc", "--exactly-once-only", "--only", "C,D,E")))
        .extracting(JdbcVariant::name)
        .containsExactly("C", "E");
  }

  @Test
  void comparesSixWaysOutOfPostgresWhenTold() {
    assertThat(ReadVariant.of(parse("--read")))
        .extracting(ReadVariant::toString)
        .containsExactly(
            "A jdbc scan by id",
            "B txn-jdbc scan",
            "C jdbc lookup join",
            "D txn-jdbc lookup join",
            "E txn-jdbc lookup join one by one",
            "Z COPY TO STDOUT binary without Flink");
    assertThat(ReadVariant.of(parse("--read", "--only", "B,Z")))
        .extracting(ReadVariant::name)
        .containsExactly("B", "Z");
  }

  @Test
  void theOfficialTableHasNoOptionsOfOurs() {
    List<JdbcVariant> variants = JdbcVariant.of(parse("--jdbc"));

    assertThat(variants.get(0).clause("t", POSTGRES))
        .isEqualTo(
            """
            'connector' = 'jdbc',
            'table-name' = 't',
            'url' = 'jdbc:postgresql://h/d?user=me'\
            """
                .indent(2)
                .stripTrailing());
    assertThat(variants.get(1).clause("t", POSTGRES))
        .contains("'connector' = 'txn-jdbc'", "'sink.transactional-id-prefix' = 't'")
        .contains("'sink.inline-max-size' = '64 mb'");
    assertThat(variants.get(3).clause("t", POSTGRES))
        .contains("'sink.delivery-guarantee' = 'at-least-once'")
        .doesNotContain("prefix");
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
