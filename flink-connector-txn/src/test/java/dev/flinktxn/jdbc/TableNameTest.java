// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TableNameTest {

  static Stream<Arguments> names() {
    return Stream.of(
        Arguments.of("orders", null, "orders"),
        Arguments.of("sales.orders", "sales", "orders"),
        Arguments.of("Sales EU.Order", "Sales EU", "Order"),
        Arguments.of(" orders", null, " orders"),
        Arguments.of("\"Sales EU\".\"Order\"", "Sales EU", "Order"),
        Arguments.of("\"a.b\"", null, "a.b"),
        Arguments.of("sales.\"a.b\"", "sales", "a.b"),
        Arguments.of("\"a.b\".c", "a.b", "c"),
        Arguments.of("\"we\"\"ird\"", null, "we\"ird"),
        Arguments.of("\"\"\"\"", null, "\""),
        Arguments.of("\"a\"\".b\"", null, "a\".b"),
        Arguments.of("naïve", null, "naïve"));
  }

  @ParameterizedTest(name = "name {0}")
  @MethodSource("names")
  void takesNamesLiterally(String given, String schema, String table) {
    assertThat(TableName.parse(given)).isEqualTo(new TableName(schema, table));
  }

  @ParameterizedTest(name = "name {0}")
  @MethodSource("names")
  void readsWhatItWrites(String given, String schema, String table) {
    TableName name = new TableName(schema, table);
    assertThat(TableName.parse(name.quoted())).isEqualTo(name);
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of("", "empty part"),
        Arguments.of(".", "empty part"),
        Arguments.of(".orders", "empty part"),
        Arguments.of("sales.", "empty part"),
        Arguments.of("sales..orders", "empty part"),
        Arguments.of("\"\"", "empty part"),
        Arguments.of("sales.\"\"", "empty part"),
        Arguments.of("db.sales.orders", "3 parts"),
        Arguments.of("\"orders", "never closed"),
        Arguments.of("\"", "never closed"),
        Arguments.of("\"orders\"\"", "never closed"),
        Arguments.of("sales.\"orders", "never closed"),
        Arguments.of("or\"ders", "inside a part without quotes"),
        Arguments.of("orders\"", "inside a part without quotes"),
        Arguments.of("\"sales\"orders", "follows a closing double quote"),
        Arguments.of("\"sales\" .orders", "follows a closing double quote"));
  }

  @ParameterizedTest(name = "name {0}")
  @MethodSource("refused")
  void refusesWhatIsNoName(String given, String words) {
    assertThatThrownBy(() -> TableName.parse(given))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }
}
