// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static dev.flinktxn.jdbc.JdbcRig.row;

import dev.flinktxn.fixture.Postgres;
import java.sql.SQLException;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;

/**
 * The ways in which a unit can travel, and what they cost.
 *
 * @see #rows
 */
enum UnitShape {
  INLINE_APPEND(false, false, false, 1, 5),
  STAGED_APPEND(false, true, false, 11, 7),
  INLINE_KEYED(true, false, false, 1, 10),
  STAGED_KEYED(true, true, false, 11, 9),
  INLINE_PREPARED(false, false, true, 7, 1),
  STAGED_PREPARED(false, true, true, 19, 1);

  private final boolean keyed;
  private final boolean staged;
  private final boolean prepared;

  /** How often a writer waits for the server for one checkpoint of a few rows. */
  final int roundTripsOfCheckpoint;

  /** How often a committer does for one unit, its connection being open. */
  final int roundTripsOfCommit;

  UnitShape(
      boolean keyed,
      boolean staged,
      boolean prepared,
      int roundTripsOfCheckpoint,
      int roundTripsOfCommit) {
    this.keyed = keyed;
    this.staged = staged;
    this.prepared = prepared;
    this.roundTripsOfCheckpoint = roundTripsOfCheckpoint;
    this.roundTripsOfCommit = roundTripsOfCommit;
  }

  /** A rig whose stores make such units. */
  JdbcRig rig(Postgres server) throws SQLException {
    JdbcRig rig =
        new JdbcRig(
            server,
            keyed
                ? "CREATE TABLE t (id int PRIMARY KEY, name text)"
                : "CREATE TABLE t (id int, name text)");
    if (keyed) {
      rig.key = List.of("id");
      rig.onExistingKey = OnExistingKey.UPDATE;
    }
    if (staged) {
      rig.inlineMaxBytes = 0;
    }
    if (prepared) {
      rig.strategy = CommitStrategy.PREPARED;
    }
    return rig;
  }

  Unit.Kind kind() {
    return prepared ? Unit.Kind.PREPARED : staged ? Unit.Kind.STAGED : Unit.Kind.INLINE;
  }

  /** Rows in which one comes twice, or some keys have several operations. */
  RowData[] rows() {
    return keyed
        ? new RowData[] {
          row(1, "a"),
          row(RowKind.DELETE, 2, null),
          row(3, "x"),
          row(RowKind.UPDATE_AFTER, 3, "y"),
          row(4, "k"),
          row(RowKind.DELETE, 4, "k")
        }
        : new RowData[] {row(1, "a"), row(3, null), row(1, "a")};
  }

  /** Empties the table, but for what {@link #rows} delete. */
  void reset(JdbcRig rig) throws SQLException {
    rig.execute("DELETE FROM t" + (keyed ? "; INSERT INTO t VALUES (2, 'gone')" : ""));
  }

  /** What the table holds before those rows are committed. */
  List<String> before() {
    return keyed ? List.of("(2,gone)") : List.of();
  }

  /** What it holds after. */
  List<String> after() {
    return keyed ? List.of("(1,a)", "(3,y)") : List.of("(1,a)", "(1,a)", "(3,)");
  }
}
