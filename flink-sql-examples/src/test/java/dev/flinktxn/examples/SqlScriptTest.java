// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SqlScriptTest {

  @Test
  void theShippedScriptNeedsThreeValues() {
    SqlScript run = SqlScript.shipped("hourly-delays.sql").with("run", "x");
    SqlScript kafka = run.with("bootstrap.servers", "a:1");

    assertThatThrownBy(run::complete).hasMessageContaining("${bootstrap.servers}");
    assertThatThrownBy(kafka::complete).hasMessageContaining("${jdbc.url}");
    assertThat(kafka.with("jdbc.url", "jdbc:postgresql://b/d?user=me").complete())
        .contains("'properties.bootstrap.servers' = 'a:1'", "'topic' = 'flights-x'")
        .contains("'url' = 'jdbc:postgresql://b/d?user=me'")
        .contains("'table-name' = 'delayed_flights_x'", "'table-name' = 'hourly_statistics_x'");
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
