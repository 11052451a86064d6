// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.protocol.TransactionName;
import java.util.stream.Stream;
import org.apache.flink.table.catalog.ObjectPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TablePrefixTest {

  @ParameterizedTest
  @CsvSource({
    "public, orders, shop.public.orders",
    "public, hourly-delays, shop.public.hourly-delays",
    "public, hourly_delays, shop.public.hourly_5fdelays",
    "Sales EU, Order, shop.Sales_20EU.Order",
    "public, a.b, shop.public.a_2eb",
    "a.public, b, shop.a_2epublic.b",
    "public, naïve, shop.public.na_c3_afve"
  })
  void spellsOutWhatIsNoLetterDigitOrDash(String schema, String table, String expected) {
    assertThat(TablePrefix.of("shop", new ObjectPath(schema, table))).isEqualTo(expected);
  }

  @Test
  void hashesTheTailOfWhatIsTooLong() {
    String longName = "t".repeat(60);
    String one = TablePrefix.of("shop", new ObjectPath("public", longName + "1"));
    String other = TablePrefix.of("shop", new ObjectPath("public", longName + "2"));
    assertThat(one).hasSize(64).startsWith("shop.public.tttt").isNotEqualTo(other);
    assertThat(one).isEqualTo(TablePrefix.of("shop", new ObjectPath("public", longName + "1")));
    assertThat(Stream.of(one, other)).allMatch(TransactionName::isPrefix);
    assertThat(TablePrefix.of("p".repeat(64), new ObjectPath("日本", "x\uD83D\uDE00")))
        .matches(TransactionName::isPrefix);
  }

  @Test
  void keepsWhatJustFits() {
    String name = "t".repeat(64 - "shop.public.".length());
    assertThat(TablePrefix.of("shop", new ObjectPath("public", name)))
        .isEqualTo("shop.public." + name);
  }
}
