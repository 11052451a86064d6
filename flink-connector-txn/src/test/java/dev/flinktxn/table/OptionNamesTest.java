// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.table.api.ValidationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionNamesTest {

  private final Refusal refusal = new Refusal("c.d.orders");
  private final OptionNames names =
      new OptionNames(
          Set.of("topic", "topic-pattern", "sink.parallelism"),
          Set.of("properties."),
          Map.of("driver", "remove it", "scan.", "write only"));

  @ParameterizedTest
  @CsvSource({
    "topic, topic, 0",
    "topc, topic, 1",
    "topicc, topic, 1",
    "tobic, topic, 1",
    "'', topic, 5",
    "topic, '', 5",
    "kitten, sitting, 3"
  })
  void measuresTheLettersToChange(String from, String to, int expected) {
    assertThat(OptionNames.distance(from, to)).isEqualTo(expected);
  }

  @Test
  void takesKnownNamesAndWhatOthersRead() {
    assertThatCode(() -> names.check(refusal, List.of("topic", "properties.anything")))
        .doesNotThrowAnyException();
  }

  @Test
  void namesTheNearest() {
    assertThatThrownBy(() -> names.check(refusal, List.of("sink.paralelism")))
        .isInstanceOf(ValidationException.class)
        .hasMessage(
            "Table c.d.orders: option 'sink.paralelism' is not an option of this connector;"
                + " did you mean 'sink.parallelism'? Correct or remove it.");
  }

  @Test
  void answersNamesOfOtherConnectors() {
    assertThatThrownBy(() -> names.check(refusal, List.of("sink.semantic")))
        .hasMessageContaining("use 'sink.delivery-guarantee' instead");
  }

  @ParameterizedTest
  @CsvSource({"driver, remove it", "scan.parallelism, write only", "scan., write only"})
  void answersNamesOfOneConnector(String name, String answer) {
    assertThatThrownBy(() -> names.check(refusal, List.of(name)))
        .hasMessage(
            "Table c.d.orders: option '%s' is not an option of this connector; %s."
                .formatted(name, answer));
  }

  @Test
  void answersOnlyWholeNames() {
    assertThatThrownBy(() -> names.check(refusal, List.of("drivers")))
        .hasMessageContaining("did you mean");
  }
}
