// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SqlScriptTest {

  @Test
  void theShippedScriptNeedsTwoValues() {
    SqlScript script = SqlScript.shipped("hourly-delays.sql");

    assertThatThrownBy(() -> script.with("bootstrap.servers", "a:1").complete())
        .hasMessageContaining("${run}");
    assertThatThrownBy(() -> script.with("run", "x").complete())
        .hasMessageContaining("${bootstrap.servers}");
    assertThat(script.with("run", "x").with("bootstrap.servers", "a:1").complete())
        .contains("'properties.bootstrap.servers' = 'a:1'", "'topic' = 'flights-x'");
  }

  @Test
  void aPartThatIsNotThereCannotBeReplaced() {
    assertThatThrownBy(() -> new SqlScript("SELECT 1").replace("'exactly-once'", "x"))
        .hasMessageContaining("'exactly-once'");
  }

  @Test
  void airportsHaveNamesAlsoWhenQuoted() {
    Airports airports = Airports.shipped();

    assertThat(List.of(airports.name("ORD"), airports.name("BTR"), airports.name("DBN")))
        .containsExactly(
            "Chicago O'Hare International, Chicago",
            "Baton Rouge Metropolitan, Ryan, Baton Rouge",
            "W. H. 'Bud' Barron, Dublin");
    assertThat(airports.name("???")).isEqualTo("???");
  }
}
