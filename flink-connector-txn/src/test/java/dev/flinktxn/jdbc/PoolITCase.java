// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static dev.flinktxn.jdbc.JdbcRig.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.fixture.PgBouncer;
import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.Outcome.Kind;
import dev.flinktxn.protocol.RefusedException;
import dev.flinktxn.protocol.WriterStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P11, what a PgBouncer that pools transactions makes of connections. */
final class PoolITCase {

  @BeforeEach
  void installed() {
    PgBouncer.assumeInstalled();
  }

  /**
   * More writers and committers than sessions, in turn, so that each meets the others' sessions.
   */
  @Test
  void manyShareFewSessions() throws Exception {
    try (JdbcRig rig = new JdbcRig("CREATE TABLE t (id int, name text)")) {
      rig.inlineMaxBytes = 0;
      rig.through(PgBouncer.shared());
      int subtasks = 2 * PgBouncer.POOL_SIZE;
      List<WriterStore> writers = new ArrayList<>();
      List<CommitterStore> committers = new ArrayList<>();
      for (int subtask = 0; subtask < subtasks; subtask++) {
        writers.add(rig.writer());
        committers.add(rig.committer());
      }
      List<String> expected = new ArrayList<>();
      for (int checkpoint = 0; checkpoint < 5; checkpoint++) {
        for (int subtask = 0; subtask < subtasks; subtask++) {
          int id = 1000 + checkpoint * subtasks + subtask;
          Committable unit = rig.prepare(writers.get(subtask), checkpoint, row(id, "a"));
          assertThat(committers.get(subtask).commit(List.of(unit)).get(0).kind())
              .isEqualTo(Kind.COMMITTED);
          expected.add("(" + id + ",a)");
        }
      }
      assertThat(rig.rows()).isEqualTo(expected);
      assertThat(
              rig.query(
                  "SELECT state FROM pg_stat_activity WHERE datname = current_database()"
                      + " AND starts_with(application_name, 'flink-connector-txn')"))
          .hasSizeBetween(1, PgBouncer.POOL_SIZE)
          .containsOnly("idle");
    }
  }

  /** Whatever the search path of the session is that a transaction gets. */
  @ParameterizedTest
  @CsvSource({"currentSchema, public, search_path", "options, -c jit=off, options"})
  void aParameterThatThePoolDoesNotTakeIsRefusedForGood(String name, String value, String named)
      throws Exception {
    try (JdbcRig rig = new JdbcRig("CREATE TABLE t (id int, name text)")) {
      rig.through(PgBouncer.shared());
      rig.properties.put(name, value);
      assertThatThrownBy(rig::writer)
          .isInstanceOf(RefusedException.class)
          .hasMessageContainingAll("unsupported startup parameter: " + named, "'table-name'");
    }
  }
}
