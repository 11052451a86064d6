// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import static dev.flinktxn.catalog.CalledProcedures.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the procedures are called in SQL, where no server answers. */
class ProcedureArgumentsTest {

  private static final String SECRET = "s3cr3t";

  private static final String NOBODY = "localhost:1";

  private static CalledProcedures procedures;

  @BeforeAll
  static void connectToNobody() {
    procedures = new CalledProcedures(options());
  }

  private static Map<String, String> options() {
    return Map.of(
        "type",
        "txn",
        "url",
        "jdbc:postgresql://" + NOBODY + "/db?sslpassword=" + SECRET,
        "username",
        "me",
        "password",
        SECRET);
  }

  @Test
  void showProceduresNamesThem() throws Exception {
    assertThat(column(procedures.rows("SHOW PROCEDURES FROM ops.sys"), "procedure name"))
        .containsExactly(
            "abort_transactions",
            "drop_orphaned_staging",
            "finish_transactions",
            "list_transactions",
            "prune_ledger");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list_transactions(prefix => 'orders')",
        "list_transactions('orders', CAST(NULL AS STRING))",
        "abort_transactions(prefix => 'orders')",
        "abort_transactions(dry_run => false, prefix => 'orders')",
        "abort_transactions(prefix => 'orders', force => true, quiet_for => '30 s')",
        "abort_transactions(prefix => 'orders', transaction => 'orders~x')"
      })
  void argumentsGoByNameInAnyOrderAndMayBeLeftOut(String call) throws Exception {
    List<Row> rows = procedures.call(call);

    assertThat(column(rows, "system")).containsExactly("Kafka", "PostgreSQL");
    assertThat(rows.toString())
        .contains("txn-kafka.properties.bootstrap.servers")
        .contains("refused")
        .contains("of prefix 'orders'")
        .doesNotContain(SECRET);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "list_transactions(prefix => 'or ders')|Argument 'prefix' is 'or ders'",
        "list_transactions(prefix => CAST(NULL AS STRING))|Argument 'prefix' is not given",
        "abort_transactions(prefix => 'p', quiet_for => 'soon')|Argument 'quiet_for' is 'soon'",
        "prune_ledger(older_than => '59 min')|'1 h' or more",
        "finish_transactions(prefix => 'p', checkpoint => '/none/such')|/none/such",
        "drop_orphaned_staging()|of the catalog"
      })
  void whatCannotBeIsRefusedInOneSentence(String call, String words) {
    assertThatThrownBy(() -> procedures.call(call))
        .rootCause()
        .satisfiesAnyOf(
            root -> assertThat(root).hasMessageContaining(words),
            root -> assertThatThrownBy(() -> procedures.call(call)).hasStackTraceContaining(words))
        .message()
        .doesNotContain(SECRET);
  }

  @Test
  void noSecretIsShownWhenKafkaCannotBeReached() throws Exception {
    Map<String, String> options = new HashMap<>(options());
    options.put("txn-kafka.properties.bootstrap.servers", NOBODY);
    options.put("txn-kafka.properties.security.protocol", "SASL_PLAINTEXT");
    options.put("txn-kafka.properties.sasl.mechanism", "PLAIN");
    options.put(
        "txn-kafka.properties.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"me\""
            + " password=\""
            + SECRET
            + "\"");

    List<Row> rows = new CalledProcedures(options).call("list_transactions(prefix => 'orders')");

    assertThat(column(rows, "state")).containsExactly("NOT ASKED", "NOT ASKED");
    assertThat(rows.toString()).contains("sasl.jaas.config").doesNotContain(SECRET);
  }
}
