// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.OpenTransaction;
import dev.flinktxn.protocol.Remains;
import dev.flinktxn.protocol.Remnant;
import dev.flinktxn.protocol.Sighting;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;
import org.apache.flink.util.TimeUtils;

/**
 * What prefixes have in one database: prepared transactions, staging tables, ledger, sessions.
 *
 * <p>A sink's session bears its prefix as {@code application_name} from the start of a task to its
 * end, so where sessions are the sink's own that tells who is alive. Where a proxy pools them, or
 * the user names them, it does not; therefore a prefix of which something was written lately counts
 * as alive too.
 */
public final class JdbcRemains implements Remains {

  private static final Duration ANSWERS = Duration.ofSeconds(20);
  private static final Duration QUIET = Duration.ofMinutes(5);
  private static final int ONE_MERGE = 1;

  private final OperatorTarget target;
  private final Database database;
  private final String schema;

  /**
   * Takes the options of a catalog, named as those of a table; connects when it is first needed.
   *
   * @param options may hold secrets
   * @param words what stands for the table in messages
   * @throws org.apache.flink.table.api.ValidationException if an option cannot be read
   */
  public JdbcRemains(Map<String, String> options, String words) {
    this.target = new OperatorTarget(options, words);
    JdbcTarget all = target.of(null, null, false);
    this.schema = all.schema();
    this.database = new Database(words, all.url(), all.properties(), ANSWERS);
  }

  @Override
  public String system() {
    return "PostgreSQL";
  }

  private interface Question<T> {
    T ask(Connection connection) throws SQLException, IOException, InterruptedException;
  }

  /** Asks with bounds in time, and changes nothing. */
  private <T> T ask(String what, Question<T> question) throws IOException, InterruptedException {
    try {
      Connection connection = database.begin();
      try (PreparedStatement limits =
          connection.prepareStatement(Database.limits(ANSWERS, ANSWERS.dividedBy(4)))) {
        limits.execute();
      }
      T answer = question.ask(connection);
      database.rollback();
      return answer;
    } catch (SQLException e) {
      database.drop();
      throw target.failed(what, e);
    } catch (IOException | RuntimeException e) {
      database.drop();
      throw e;
    }
  }

  @Override
  public List<Remnant> of(String prefix) throws IOException, InterruptedException {
    return ask(
        "list what prefix '" + prefix + "' has",
        connection -> {
          PrefixInventory inventory = new PrefixInventory(connection, schema, prefix);
          List<Remnant> found = new ArrayList<>(inventory.prepared());
          if (inventory.ledgerExists()) {
            found.addAll(inventory.staged());
            inventory.ledger().ifPresent(found::add);
          }
          found.addAll(inventory.sessions());
          return found;
        });
  }

  @Override
  public Optional<String> signOfLife(String prefix, Duration quietFor)
      throws IOException, InterruptedException {
    return ask(
        "look who works for prefix '" + prefix + "'",
        connection -> {
          PrefixInventory inventory = new PrefixInventory(connection, schema, prefix);
          for (Remnant session : inventory.sessions()) {
            return Optional.of(
                "%s of %s works for this prefix".formatted(session.object(), session.owner()));
          }
          if (!inventory.ledgerExists()) {
            return Optional.empty();
          }
          Optional<String> writer = inventory.writerOfStaged();
          return writer.isPresent()
              ? writer
              : inventory
                  .quietFor()
                  .filter(quiet -> quiet.compareTo(quietFor == null ? QUIET : quietFor) < 0)
                  .map(
                      quiet ->
                          "something was written or committed under this prefix %,d ms ago, less than %s"
                              .formatted(
                                  quiet.toMillis(),
                                  TimeUtils.formatWithHighestUnit(
                                      quietFor == null ? QUIET : quietFor)));
        });
  }

  @Override
  public Sighting end(Remnant remnant) throws IOException, InterruptedException {
    OpenTransaction open = remnant.open();
    String prefix = open.name().prefix();
    try {
      new Leftovers(target.of(prefix, null, false), database).remove(open);
    } catch (SQLException e) {
      database.drop();
      throw target.failed("remove " + remnant.object(), e);
    }
    UUID id = Leftovers.idIn(open);
    Standing now =
        ask(
            "ask what became of " + remnant.transaction(),
            connection ->
                new PrefixInventory(connection, schema, prefix).ledgerExists()
                    ? Standing.ask(
                            connection,
                            schema,
                            prefix,
                            List.of(new Standing.Question(id, Long.MAX_VALUE, "")))
                        .units()
                        .get(id)
                    : new Standing(false, false, false, false));
    return now.committed() ? Sighting.COMMITTED : Sighting.ABORTED;
  }

  @Override
  public boolean holds(Committable committable) {
    return Unit.isOne(committable.handle());
  }

  @Override
  public List<Remnant> standing(List<Committable> committables)
      throws IOException, InterruptedException {
    return ask(
        "ask where the checkpoint's transactions stand",
        connection -> {
          List<Remnant> standing = new ArrayList<>();
          for (Committable committable : committables) {
            standing.add(standing(connection, committable));
          }
          return standing;
        });
  }

  private static Remnant standing(Connection connection, Committable committable)
      throws SQLException, IOException {
    Unit unit = Unit.decode(committable.handle());
    String gid = Prepared.gid(committable.name(), unit.id());
    String prefix = committable.name().prefix();
    PrefixInventory inventory = new PrefixInventory(connection, unit.schema(), prefix);
    String state;
    if (inventory.ledgerExists()) {
      Standing found =
          Standing.ask(
                  connection,
                  unit.schema(),
                  prefix,
                  List.of(new Standing.Question(unit.id(), unit.mintedAt(), gid)))
              .units()
              .get(unit.id());
      state = state(unit, found);
    } else {
      state = "UNKNOWN";
    }
    return new Remnant(
        unit.kind().toString().toLowerCase(Locale.ROOT),
        committable.name().toString(),
        unit.quotedTarget(),
        state,
        Instant.ofEpochMilli(committable.begunAt()),
        null,
        unit.rowCount(),
        unit.kind() == Unit.Kind.INLINE ? (long) unit.rows().length() : null,
        committable.name().writer(),
        switch (unit.kind()) {
          case INLINE -> "its rows are in the checkpoint";
          case STAGED -> "its rows are in " + SqlNames.quoted(unit.schema(), unit.stagingTable());
          case PREPARED -> "its rows are in prepared transaction '" + gid + "'";
        },
        null);
  }

  private static String state(Unit unit, Standing found) {
    boolean left =
        switch (unit.kind()) {
          case INLINE -> !found.pruned();
          case STAGED -> found.staged();
          case PREPARED -> found.prepared();
        };
    return found.committed() ? "COMMITTED" : left ? "OPEN" : found.pruned() ? "UNKNOWN" : "LOST";
  }

  /** Each alone, so that one that is refused does not keep the outcome of others. */
  @Override
  public List<List<Committable>> parts(List<Committable> committables) {
    return committables.stream().map(List::of).toList();
  }

  @Override
  public CommitterStore committer(List<Committable> part) throws IOException {
    Unit unit = Unit.decode(part.get(0).handle());
    return new JdbcCommitterStore(
        target.of(
            part.get(0).name().prefix(),
            new TableName(unit.targetSchema(), unit.targetTable()),
            unit.keyed()),
        false,
        new DescriptiveStatisticsHistogram(ONE_MERGE));
  }

  @Override
  public void close() {
    database.close();
  }
}
