// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QuickstartOptionsTest {

  private static QuickstartOptions parse(String... arguments) {
    return QuickstartOptions.parse(List.of(arguments));
  }

  @Test
  void startsABrokerAndWritesExactlyOnceUnlessTold() {
    assertThat(parse()).isEqualTo(new QuickstartOptions(Optional.empty(), true, false));
  }

  @Test
  void takesAClusterAndAGuarantee() {
    assertThat(parse("--bootstrap-servers", "a:9092,b:9092", "--sink-guarantee", "at-least-once"))
        .isEqualTo(new QuickstartOptions(Optional.of("a:9092,b:9092"), false, false));
  }

  @Test
  void helpWins() {
    assertThat(parse("--sink-guarantee", "exactly-once", "--help").help()).isTrue();
  }

  @Test
  void saysWhatIsWrong() {
    assertThatThrownBy(() -> parse("--bootstrap-server", "a:1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("unknown option --bootstrap-server", "--bootstrap-servers HOST");
    assertThatThrownBy(() -> parse("--bootstrap-servers"))
        .hasMessageContaining("--bootstrap-servers needs a value");
    assertThatThrownBy(() -> parse("--bootstrap-servers", "it's"))
        .hasMessageContainingAll("HOST:PORT", "it's");
    assertThatThrownBy(() -> parse("--sink-guarantee", "none"))
        .hasMessageContainingAll("exactly-once", "at-least-once", "none");
  }
}
