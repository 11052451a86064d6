// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionNameTest {

  private static final Attempt ATTEMPT = new Attempt(1_800_000_000_000L, "0abc123z");

  @Test
  void isSpelledPrefixAttemptSubtaskSlot() {
    assertThat(new TransactionName("orders", ATTEMPT, 3, 12))
        .hasToString("orders~mywpiww00abc123z-3-12");
  }

  @Test
  void isReadBackAsItWasSpelled() {
    Random random = new Random(7);
    for (int i = 0; i < 1_000; i++) {
      Attempt attempt = Attempt.open(1 + random.nextLong(4_000_000_000_000L), random);
      TransactionName name =
          new TransactionName("a.b_c-D9", attempt, random.nextInt(40_000), random.nextInt(1_000));
      assertThat(TransactionName.parse("a.b_c-D9", name.toString())).contains(name);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "orders",
        "orders~",
        "orders-service-a",
        "orders~service-a",
        "orders2~mywpiww00abc123z-3-12",
        "orders-eu~mywpiww00abc123z-3-12",
        "order~mywpiww00abc123z-3-12",
        "Orders~mywpiww00abc123z-3-12",
        "x~orders~mywpiww00abc123z-3-12",
        "orders~orders~mywpiww00abc123z-3-12",
        "orders~mywpiww00abc123z-3",
        "orders~mywpiww00abc123z-3-12-1",
        "orders~mywpiww00abc123z-03-12",
        "orders~mywpiww00abc123z-3-012",
        "orders~mywpiww00abc123z--3-12",
        "orders~mywpiww00abc123z-3-1234567890",
        "orders~MYWPIWW00abc123z-3-12",
        "orders~0ywpiww00abc123z-3-12",
        "orders~0abc123z-3-12",
        "orders~mywpiww00mywpiww00abc123z-3-12",
        " orders~mywpiww00abc123z-3-12",
        "orders~mywpiww00abc123z-3-12 ",
        "orders~mywpiww00abc123z-3-12\n",
        ""
      })
  void isForeignUnlessItParsesCompletely(String text) {
    assertThat(TransactionName.parse("orders", text)).isEqualTo(Optional.empty());
  }

  @Test
  void ofOnePrefixIsForeignToEveryOther() {
    String[] prefixes = {"p", "p-x", "p2", "p.2", "P", "pp", "p_"};
    for (String mine : prefixes) {
      for (String other : prefixes) {
        String name = new TransactionName(other, ATTEMPT, 0, 0).toString();
        assertThat(TransactionName.parse(mine, name).isPresent()).isEqualTo(mine.equals(other));
      }
    }
  }

  @Test
  void takesAPrefixLiterallyAndNotAsAPattern() {
    assertThat(TransactionName.parse("a.b", "aXb~mywpiww00abc123z-3-12")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a~b", "a b", "ä", "a/b", "a*", "a\n"})
  void allowsNoSeparatorAndNothingUnusualInAPrefix(String prefix) {
    assertThat(TransactionName.isPrefix(prefix)).isFalse();
  }

  @Test
  void allowsPrefixesOfUpTo64Characters() {
    assertThat(TransactionName.isPrefix("x".repeat(64))).isTrue();
    assertThat(TransactionName.isPrefix("x".repeat(65))).isFalse();
  }

  @Test
  void ordersAttemptsByTheirTimeOnly() {
    Attempt later = new Attempt(ATTEMPT.openedAt() + 1, "00000000");
    Attempt twin = new Attempt(ATTEMPT.openedAt(), "zzzzzzzz");
    assertThat(ATTEMPT.olderThan(later)).isTrue();
    assertThat(later.olderThan(ATTEMPT)).isFalse();
    assertThat(ATTEMPT.olderThan(twin)).isFalse();
    assertThat(twin.olderThan(ATTEMPT)).isFalse();
  }
}
