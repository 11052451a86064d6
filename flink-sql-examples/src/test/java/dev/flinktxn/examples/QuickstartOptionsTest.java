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
  void startsServersAndWritesExactlyOnceUnlessTold() {
    assertThat(parse())
        .isEqualTo(new QuickstartOptions(Optional.empty(), Optional.empty(), true, false));
  }

  @Test
  void takesAClusterAndAGuarantee() {
    assertThat(parse("--bootstrap-servers", "a:9092,b:9092", "--sink-guarantee", "at-least-once"))
        .isEqualTo(
            new QuickstartOptions(Optional.of("a:9092,b:9092"), Optional.empty(), false, false));
  }

  @Test
  void userAndPasswordBecomeParametersOfTheUrlAndAreNotShown() {
    PostgresAddress address =
        parse(
                "--jdbc-password",
                "a&b=c 'd",
                "--jdbc-url",
                "jdbc:postgresql://h:5/d?ssl=true",
                "--jdbc-user",
                "me")
            .postgres()
            .orElseThrow();

    assertThat(address.url())
        .isEqualTo("jdbc:postgresql://h:5/d?ssl=true&password=a%26b%3Dc+%27d&user=me");
    assertThat(address).hasToString("jdbc:postgresql://h:5/d");
    assertThat(address.hiddenIn("'" + address.url() + "'")).isEqualTo("'jdbc:postgresql://h:5/d'");
    assertThat(new PostgresAddress("jdbc:postgresql:d").with("user", "me").url())
        .isEqualTo("jdbc:postgresql:d?user=me");
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
    assertThatThrownBy(() -> parse("--jdbc-url", "postgres://me:secret@h/d"))
        .hasMessageContaining("jdbc:postgresql://HOST:PORT/DATABASE")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> parse("--jdbc-password", "secret"))
        .hasMessageContaining("--jdbc-url")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> parse("--sink-guarantee", "none"))
        .hasMessageContainingAll("exactly-once", "at-least-once", "none");
  }
}
