// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A table that {@code txn-jdbc} writes to, the only one in its database. */
final class ProcessTable implements ProcessSink, AutoCloseable {

  private final PostgresTables target;
  private final String table;
  private final String prefix;
  private List<String> awaited;

  ProcessTable(PostgresTables target, String table, String prefix) {
    this.target = target;
    this.table = table;
    this.prefix = prefix;
  }

  /** The database, and the relay through which jobs reach it. */
  PostgresTables target() {
    return target;
  }

  @Override
  public String prefix() {
    return prefix;
  }

  @Override
  public Map<String, String> options() {
    return target.options(table, prefix);
  }

  @Override
  public List<String> committed() {
    return target.committed(table);
  }

  @Override
  public void awaitCommitted(List<String> expected, Duration limit) {
    awaited = expected;
    Await.until(
        expected.size() + " rows in " + table, limit, () -> committed().size() >= expected.size());
    assertThat(committed()).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Override
  public void assertNothingLeft() {
    target.awaitNothingOpen();
    if (awaited != null) {
      assertThat(committed()).containsExactlyInAnyOrderElementsOf(awaited);
    }
  }

  /** Returns when no job is connected any more. */
  void awaitNoSessions() {
    target.awaitNothingLeft(List.of(prefix));
  }

  @Override
  public void close() {
    target.close();
  }
}
