// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.PgProbe;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How tables of every kind are divided, in which state they are seen, and what is refused. */
class ReadTableITCase {

  private static final RowType ROWS =
      ReadRig.rows(
          DataTypes.FIELD("id", DataTypes.INT()), DataTypes.FIELD("name", DataTypes.STRING()));

  private ReadRig rig;

  @BeforeEach
  void create() throws Exception {
    rig = new ReadRig();
  }

  @AfterEach
  void drop() throws Exception {
    // The server takes a moment to notice that they have gone.
    Await.until(
        "no session is left",
        Duration.ofSeconds(10),
        () -> new PgProbe(rig.database).sessions("flink-connector-txn").isEmpty());
    rig.close();
  }

  /** So many rows that they fill several splits. */
  private static final String MANY =
      "INSERT INTO %s SELECT i, repeat('x', 200) FROM generate_series(%d, %d) i";

  private static List<Integer> ids(List<RowData> rows) {
    return rows.stream().map(row -> row.getInt(0)).toList();
  }

  private static Integer[] numbers(int from, int to) {
    Integer[] numbers = new Integer[to - from + 1];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = from + i;
    }
    return numbers;
  }

  @Test
  void everySplitSeesTheStateOfOneMoment() throws Exception {
    rig.database.execute("CREATE TABLE t (id int, name text); " + MANY.formatted("t", 1, 20_000));
    ReadTarget target = rig.target("t", ROWS);
    rig.fetchSize = 1000;
    try (SharedSnapshot snapshot = new SharedSnapshot(target)) {
      List<ScanSplit> splits = snapshot.open(2);
      assertThat(splits).hasSizeGreaterThan(3);
      List<Integer> found = new ArrayList<>();
      for (int i = 0; i < splits.size(); i++) {
        found.addAll(ids(rig.read(target, splits.get(i))));
        int from = 100_000 + 1000 * i;
        rig.database.execute(
            "DELETE FROM t WHERE id %% 7 = %d; UPDATE t SET name = 'y' WHERE id %% 3 = 0; "
                    .formatted(i % 7)
                + MANY.formatted("t", from, from + 999));
      }
      assertThat(found).containsExactlyInAnyOrder(numbers(1, 20_000));
    }
  }

  /** From any row on, in the middle of changes and clean-up. */
  @Test
  void aSplitGoesOnWhereItWasLeft() throws Exception {
    rig.database.execute("CREATE TABLE t (id int, name text); " + MANY.formatted("t", 1, 3000));
    rig.database.execute("DELETE FROM t WHERE id % 2 = 0");
    rig.database.execute("VACUUM t");
    rig.database.execute(MANY.formatted("t", 3001, 4000));
    ReadTarget target = rig.target("t", ROWS);
    try (SharedSnapshot snapshot = new SharedSnapshot(target)) {
      ScanSplit split = snapshot.open(1).get(0);
      List<Integer> all = ids(rig.read(target, split));
      assertThat(all).hasSizeGreaterThan(100);
      for (int emitted : new int[] {0, 1, 17, all.size() - 1, all.size()}) {
        rig.database.execute("UPDATE t SET name = 'z' || name WHERE id % 5 = 0");
        rig.database.execute("VACUUM t");
        assertThat(ids(rig.read(target, split.after(emitted))))
            .isEqualTo(all.subList(emitted, all.size()));
      }
    }
  }

  @Test
  void partitionsAndChildrenAreReadOnce() throws Exception {
    rig.database.execute(
        """
        CREATE TABLE p (id int, name text) PARTITION BY RANGE (id);
        CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (1000);
        CREATE TABLE "P 2" (name text, gone int, id int);
        ALTER TABLE "P 2" DROP COLUMN gone;
        ALTER TABLE p ATTACH PARTITION "P 2" FOR VALUES FROM (1000) TO (2000);
        CREATE TABLE p3 PARTITION OF p FOR VALUES FROM (2000) TO (9000) PARTITION BY LIST (id);
        CREATE TABLE p31 PARTITION OF p3 DEFAULT;
        CREATE TABLE a (id int, name text);
        CREATE TABLE b () INHERITS (a);
        CREATE TABLE c () INHERITS (a, b)\
        """);
    rig.database.execute(MANY.formatted("p", 1, 5000));
    rig.database.execute(
        "INSERT INTO a VALUES (1, 'a'); INSERT INTO b VALUES (2, 'b'); INSERT INTO c VALUES (3,"
            + " 'c')");
    assertThat(ids(rig.scan(rig.target("p", ROWS)))).containsExactlyInAnyOrder(numbers(1, 5000));
    assertThat(ids(rig.scan(rig.target("a", ROWS)))).containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void viewsAreReadToo() throws Exception {
    rig.database.execute("CREATE TABLE t (id int, name text); " + MANY.formatted("t", 1, 10_000));
    rig.database.execute(
        "CREATE VIEW v AS SELECT id, name FROM t WHERE id > 9990;"
            + " CREATE MATERIALIZED VIEW m AS SELECT * FROM t");
    assertThat(ids(rig.scan(rig.target("v", ROWS))))
        .containsExactlyInAnyOrder(numbers(9991, 10_000));
    rig.fetchSize = 1000;
    ReadTarget materialized = rig.target("m", ROWS);
    try (SharedSnapshot snapshot = new SharedSnapshot(materialized)) {
      assertThat(snapshot.open(4)).hasSizeGreaterThan(2);
    }
    assertThat(ids(rig.scan(materialized))).containsExactlyInAnyOrder(numbers(1, 10_000));
  }

  @Test
  void aViewDoesNotGoOnInTheMiddle() throws Exception {
    rig.database.execute("CREATE VIEW v AS SELECT 1 AS id, 'a' AS name");
    ReadTarget target = rig.target("v", ROWS);
    try (SharedSnapshot snapshot = new SharedSnapshot(target)) {
      ScanSplit split = snapshot.open(1).get(0);
      assertThat(rig.read(target, split.after(0))).hasSize(1);
      assertThatThrownBy(() -> rig.read(target, split.after(1)))
          .isInstanceOf(SuppressRestartsException.class)
          .hasStackTraceContaining("no certain order");
    }
  }

  /** Row security of the parent counts, and nobody needs a right on a partition. */
  @Test
  void whatMayNotBeReadPieceByPieceIsReadAsAWhole() throws Exception {
    String role = "reader_" + rig.database.name();
    rig.database.execute(
        """
        CREATE TABLE p (id int, name text, secret text) PARTITION BY RANGE (id);
        CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10);
        CREATE TABLE s (id int, name text);
        ALTER TABLE s ENABLE ROW LEVEL SECURITY;
        CREATE POLICY odd ON s USING (id % 2 = 1);
        INSERT INTO p VALUES (1, 'a', 'b'), (2, 'c', 'd');
        INSERT INTO s VALUES (1, 'a'), (2, 'b'), (3, 'c');
        CREATE ROLE\
        """
            + " %1$s LOGIN; GRANT SELECT (id, name) ON p TO %1$s; GRANT SELECT ON s TO %1$s"
                .formatted(role));
    try {
      rig.properties.put("user", role);
      assertThat(ids(rig.scan(rig.target("p", ROWS)))).containsExactlyInAnyOrder(1, 2);
      assertThat(ids(rig.scan(rig.target("s", ROWS)))).containsExactlyInAnyOrder(1, 3);
    } finally {
      rig.properties.put("user", rig.database.user());
      rig.database.execute("DROP OWNED BY %1$s; DROP ROLE %1$s".formatted(role));
    }
  }

  @Test
  void readsWhatIsProjectedAndNoMoreThanIsEnough() throws Exception {
    rig.database.execute("CREATE TABLE t (id int, name text); " + MANY.formatted("t", 1, 100));
    assertThat(
            rig.scan(
                new ReadTarget(
                    "t",
                    rig.target("t", ROWS).address(),
                    ROWS,
                    new RowType(List.of()),
                    List.of(),
                    -1)))
        .hasSize(100)
        .allMatch(row -> row.getArity() == 0);
    rig.limit = 5;
    assertThat(rig.scan(rig.target("t", ROWS, "name"))).hasSize(5);
    rig.limit = -1;
    rig.conditions = List.of(PushedCondition.of("(", "id", " > 98)"));
    assertThat(rig.scan(rig.target("t", ROWS, "name")))
        .containsOnly(GenericRowData.of(StringData.fromString("x".repeat(200))))
        .hasSize(2);
  }

  /** While a scan is under way nobody may rewrite the table: rows would lie elsewhere. */
  @Test
  void theTableIsNotRewrittenMeanwhile() throws Exception {
    rig.database.execute("CREATE TABLE t (id int, name text); " + MANY.formatted("t", 1, 10));
    ReadTarget target = rig.target("t", ROWS);
    try (SharedSnapshot snapshot = new SharedSnapshot(target);
        Connection other = rig.database.connect();
        Statement statement = other.createStatement()) {
      List<ScanSplit> splits = snapshot.open(1);
      statement.execute("SET lock_timeout = 100");
      assertThatThrownBy(() -> statement.execute("VACUUM FULL t"))
          .hasMessageContaining("lock timeout");
      assertThatThrownBy(() -> statement.execute("TRUNCATE t"))
          .hasMessageContaining("lock timeout");
      assertThat(rig.read(target, splits.get(0))).hasSize(10);
    }
  }

  /** Whichever comes first, the end of the last split or the news that it was the last. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aReaderWithoutSplitsKeepsNoSession(boolean saidBefore) throws Exception {
    rig.database.execute("CREATE TABLE t (id int, name text); " + MANY.formatted("t", 1, 10));
    ReadTarget target = rig.target("t", ROWS);
    ScanSplitReader reader = new ScanSplitReader(target, 100);
    try (SharedSnapshot snapshot = new SharedSnapshot(target)) {
      ScanSplit split = snapshot.open(1).get(0);
      if (saidBefore) {
        reader.expectNoMore();
      }
      reader.handleSplitsChanges(new SplitsAddition<>(List.of(split)));
      assertThat(reader.fetch().finishedSplits()).containsExactly(split.splitId());
      if (!saidBefore) {
        assertThat(new PgProbe(rig.database).sessions("flink-connector-txn")).hasSize(2);
        reader.expectNoMore();
      }
      Await.until(
          "only the snapshot is left",
          Duration.ofSeconds(10),
          () -> new PgProbe(rig.database).sessions("flink-connector-txn").size() == 1);
    } finally {
      reader.close();
    }
  }

  /** What a checkpoint holds of a scan comes back as it was. */
  @Test
  void theStateOfAScanIsReadAsItWasWritten() throws Exception {
    ScanSplit split =
        new ScanSplit(
            "split-7", "0000-1", "1:2:" + "3,".repeat(50_000), "\"ä\".\"t\"", 5, -1, 9, true);
    ScanSplitSerializer splits = new ScanSplitSerializer();
    assertThat(splits.deserialize(1, splits.serialize(split))).isEqualTo(split);
    ScanProgressSerializer progress = new ScanProgressSerializer();
    ScanProgress written = new ScanProgress(true, List.of(split, split.after(0)));
    assertThat(progress.deserialize(1, progress.serialize(written))).isEqualTo(written);
    assertThatThrownBy(() -> splits.deserialize(2, new byte[0])).hasMessageContaining("version 2");
  }

  /** Another snapshot is never taken for it, neither is a missing one ignored. */
  @Test
  void aSnapshotThatIsGoneIsNoticed() throws Exception {
    rig.database.execute("CREATE TABLE t (id int, name text); " + MANY.formatted("t", 1, 10));
    ReadTarget target = rig.target("t", ROWS);
    ScanSplit split;
    try (SharedSnapshot snapshot = new SharedSnapshot(target)) {
      split = snapshot.open(1).get(0);
      snapshot.confirm();
      ScanSplit other =
          new ScanSplit("s", split.snapshot(), "1:1:", split.relation(), 0, -1, 3, true);
      assertThatThrownBy(() -> rig.read(target, other))
          .isInstanceOf(SuppressRestartsException.class);
      rig.database.terminateSessions("flink-connector-txn");
      assertThatThrownBy(snapshot::confirm).isInstanceOf(SQLException.class);
    }
    assertThatThrownBy(() -> rig.read(target, split))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("snapshot");
    assertThatThrownBy(() -> rig.read(target, split.after(0)))
        .isInstanceOf(SuppressRestartsException.class)
        .hasStackTraceContaining("in the middle of a scan");
  }

  @Test
  void namesEverythingThatDoesNotFitInOneMessage() throws Exception {
    String role = "poor_" + rig.database.name();
    rig.database.execute(
        ("CREATE TABLE t (\"Id\" int, name text[], more point);"
                + " CREATE ROLE %1$s LOGIN; GRANT SELECT (\"Id\") ON t TO %1$s;"
                + " REVOKE ALL ON SCHEMA public FROM PUBLIC; GRANT USAGE ON SCHEMA public TO %1$s;"
                + " CREATE SEQUENCE seq")
            .formatted(role));
    try {
      rig.properties.put("user", role);
      RowType rows =
          ReadRig.rows(
              DataTypes.FIELD("id", DataTypes.INT()),
              DataTypes.FIELD("name", DataTypes.INT()),
              DataTypes.FIELD("more", DataTypes.STRING()));
      assertThatThrownBy(() -> rig.scan(rig.target("t", rows)))
          .isInstanceOf(SuppressRestartsException.class)
          .hasStackTraceContaining("Table cat.db.t cannot be read from PostgreSQL table \"t\"")
          .hasStackTraceContaining("columns (\"id\")")
          .hasStackTraceContaining("upper and lower case count")
          .hasStackTraceContaining("Column \"name\" is INT in the DDL and text[] in the table")
          .hasStackTraceContaining("GRANT SELECT ON \"public\".\"t\" TO \"" + role + "\"");
      assertThatThrownBy(() -> rig.scan(rig.target("T", rows)))
          .hasStackTraceContaining("There is no such table")
          .hasStackTraceContaining("There is \"public\".\"t\"");
      assertThatThrownBy(() -> rig.scan(rig.target("seq", rows)))
          .hasStackTraceContaining("no table and no view");
    } finally {
      rig.properties.put("user", rig.database.user());
      rig.database.execute("DROP OWNED BY %1$s; DROP ROLE %1$s".formatted(role));
    }
  }
}
