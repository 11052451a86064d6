// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.connector.testframe.environment.MiniClusterTestEnvironment;
import org.apache.flink.connector.testframe.external.ExternalContextFactory;
import org.apache.flink.connector.testframe.junit.annotations.TestContext;
import org.apache.flink.connector.testframe.junit.annotations.TestEnv;
import org.apache.flink.connector.testframe.junit.annotations.TestSemantics;
import org.apache.flink.connector.testframe.testsuites.SinkTestSuiteBase;
import org.apache.flink.core.execution.CheckpointingMode;
import org.junit.jupiter.api.AfterAll;

/** A12: the tests that Flink has for all sinks, in PostgreSQL. */
class FlinkSinkSuitePostgresITCase extends SinkTestSuiteBase<String> {

  private final List<StringTable> tables = new CopyOnWriteArrayList<>();

  @TestSemantics
  final CheckpointingMode[] semantics = {
    CheckpointingMode.EXACTLY_ONCE, CheckpointingMode.AT_LEAST_ONCE
  };

  @TestEnv final MiniClusterTestEnvironment environment = new MiniClusterTestEnvironment();

  @TestContext final ExternalContextFactory<StringTable> contexts = name -> newTable();

  private StringTable newTable() {
    StringTable table = new StringTable(PostgresTables.create(TargetKind.PG_INLINE));
    tables.add(table);
    return table;
  }

  @AfterAll
  void nothingIsLeft() {
    tables.forEach(StringTable::end);
  }
}
