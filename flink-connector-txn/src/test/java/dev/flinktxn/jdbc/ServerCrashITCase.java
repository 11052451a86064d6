// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static dev.flinktxn.jdbc.JdbcRig.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.PgBouncer;
import dev.flinktxn.fixture.PgFaults;
import dev.flinktxn.fixture.PgProbe;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresSettings;
import dev.flinktxn.fixture.RelayFault;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.TcpRelay;
import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.Outcome;
import dev.flinktxn.protocol.Outcome.Kind;
import dev.flinktxn.protocol.Sighting;
import dev.flinktxn.protocol.WriterStore;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** P10: the server crashes between the checkpoint and the commit, or right behind the commit. */
final class ServerCrashITCase {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final RunDirectory run = RunDirectory.create("server-crash");
  private final Map<UnitShape, JdbcRig> rigs = new EnumMap<>(UnitShape.class);
  private Postgres server;

  @BeforeEach
  void start() throws Exception {
    server =
        Postgres.startProcess(
            run, PostgresSettings.usual().with("max_prepared_transactions", "20"));
    for (UnitShape shape : UnitShape.values()) {
      JdbcRig rig = shape.rig(server);
      shape.reset(rig);
      rigs.put(shape, rig);
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (JdbcRig rig : rigs.values()) {
      rig.close();
    }
    server.close();
    run.close();
  }

  @Test
  void nothingIsLostOrDoubled() throws Exception {
    crash(server.address());
  }

  /** P11. */
  @Test
  void norIsItThroughAPool() throws Exception {
    PgBouncer.assumeInstalled();
    try (PgBouncer pool = PgBouncer.start(run, server)) {
      for (JdbcRig rig : rigs.values()) {
        rig.through(pool);
      }
      crash(pool.address());
    }
  }

  private void crash(InetSocketAddress address) throws Exception {
    PgFaults faults = new PgFaults();
    Map<UnitShape, Committable> waiting = new EnumMap<>(UnitShape.class);
    Map<UnitShape, Committable> committed = new EnumMap<>(UnitShape.class);
    Map<UnitShape, CommitterStore> committers = new EnumMap<>(UnitShape.class);
    try (TcpRelay relay = TcpRelay.open(faults)) {
      relay.forwardTo(address);
      for (UnitShape shape : UnitShape.values()) {
        JdbcRig rig = rigs.get(shape);
        try (WriterStore writer = rig.writer()) {
          committed.put(shape, rig.prepare(writer, 0, row(9, "committed")));
          waiting.put(shape, rig.prepare(writer, 1, shape.rows()));
        }
        rig.through(relay);
        committers.put(shape, rig.committer());
        RelayFault lost =
            faults.cutAfter(PgFaults.commits().or(PgFaults.statement("COMMIT PREPARED")), 1);
        assertThat(kind(committers.get(shape), committed.get(shape))).isEqualTo(Kind.RETRY);
        assertThat(lost.hits()).isEqualTo(1);
      }

      server.process().stopImmediately();
      for (UnitShape shape : UnitShape.values()) {
        assertThat(kind(committers.get(shape), waiting.get(shape)))
            .as("%s, the server being away", shape)
            .isEqualTo(Kind.RETRY);
      }
      server.process().restart();
      for (JdbcRig rig : rigs.values()) {
        // A pool takes a moment to notice.
        Await.until("the way to " + rig.url, LIMIT, () -> answers(rig.url));
      }

      for (UnitShape shape : UnitShape.values()) {
        assertExactlyOnce(shape, committers.get(shape), committed.get(shape), waiting.get(shape));
      }
    }
  }

  private boolean answers(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, server.user(), "")) {
      return connection.isValid(5);
    }
  }

  private void assertExactlyOnce(
      UnitShape shape, CommitterStore committer, Committable committed, Committable waiting)
      throws Exception {
    JdbcRig rig = rigs.get(shape);
    PgProbe probe = new PgProbe(rig.database());
    assertThat(probe.rows("t")).as("%s", shape).isEqualTo(with(shape.before()));
    WriterStore successor = rig.writer();
    assertThat(JdbcRig.look(successor, waiting)).as("%s", shape).isEqualTo(Sighting.OPEN);
    assertThat(JdbcRig.look(successor, committed)).as("%s", shape).isEqualTo(Sighting.COMMITTED);

    assertThat(committer.commit(List.of(committed, waiting)))
        .as("%s", shape)
        .extracting(Outcome::kind)
        .containsExactly(Kind.ALREADY_COMMITTED, Kind.COMMITTED);
    assertThat(probe.rows("t")).as("%s", shape).isEqualTo(with(shape.after()));
    assertThat(probe.staging("flink_txn", rig.prefix)).isEmpty();
    assertThat(probe.tables("flink_txn")).containsExactly("horizon", "ledger", "staging");
    assertThat(probe.preparedTransactions("")).isEmpty();
    assertThat(kind(rig.committer(), waiting)).isEqualTo(Kind.ALREADY_COMMITTED);
  }

  private static List<String> with(List<String> rows) {
    return Stream.concat(rows.stream(), Stream.of("(9,committed)")).toList();
  }

  private static Kind kind(CommitterStore committer, Committable unit) throws Exception {
    return committer.commit(List.of(unit)).get(0).kind();
  }
}
