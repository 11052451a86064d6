// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.PgBouncer;
import dev.flinktxn.fixture.PgProbe;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** P1: of the changes of one key in one checkpoint the last one stays. */
final class FoldingITCase {

  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(2)
              .build());

  /** How the rows get into the table. */
  enum Way {
    INLINE("sink.inline-max-size", "1 mb"),
    STAGED("sink.inline-max-size", "1 b"),
    POOLED_INLINE("sink.inline-max-size", "1 mb"),
    POOLED_STAGED("sink.inline-max-size", "1 b"),
    IDEMPOTENT_EACH("sink.idempotent-upsert", "always", "sink.buffer-flush.max-rows", "1"),
    IDEMPOTENT_PAIRS("sink.idempotent-upsert", "always", "sink.buffer-flush.max-rows", "2"),
    IDEMPOTENT_ALL("sink.idempotent-upsert", "always", "sink.buffer-flush.max-rows", "1000"),
    AT_LEAST_ONCE_PAIRS(
        "sink.delivery-guarantee", "at-least-once", "sink.buffer-flush.max-rows", "2"),
    POOLED_IDEMPOTENT_PAIRS("sink.idempotent-upsert", "always", "sink.buffer-flush.max-rows", "2");

    private final Map<String, String> options = new LinkedHashMap<>();

    Way(String... options) {
      for (int i = 0; i < options.length; i += 2) {
        this.options.put(options[i], options[i + 1]);
      }
    }

    /** Whether through a PgBouncer that pools transactions. */
    boolean pooled() {
      return name().startsWith("POOLED");
    }
  }

  private PostgresDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = Postgres.shared().database();
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  static Stream<Arguments> waysAndMaterialization() {
    return Arrays.stream(Way.values())
        .flatMap(
            way -> Stream.of("AUTO", "NONE").map(materialize -> Arguments.of(way, materialize)));
  }

  @ParameterizedTest
  @MethodSource("waysAndMaterialization")
  void theLastChangeOfAKeyStays(Way way, String materialize) throws Exception {
    database.execute(
        "CREATE TABLE dst (region text, note text, acct int, amt int, PRIMARY KEY (region, acct))");
    Schema schema =
        Schema.newBuilder()
            .column("region", DataTypes.STRING().notNull())
            .column("note", DataTypes.STRING())
            .column("acct", DataTypes.INT().notNull())
            .column("amt", DataTypes.INT())
            .primaryKey("region", "acct")
            .build();
    run(
        way,
        materialize,
        2,
        schema,
        "region STRING, note STRING, acct INT, amt INT, PRIMARY KEY (region, acct) NOT ENFORCED",
        types("region", Types.STRING, "note", Types.STRING, "acct", Types.INT, "amt", Types.INT),
        Row.ofKind(RowKind.INSERT, "eu", "x", 1, 10),
        Row.ofKind(RowKind.UPDATE_AFTER, "eu", "y", 1, 15),
        Row.ofKind(RowKind.DELETE, "eu", "y", 1, 15),
        Row.ofKind(RowKind.INSERT, "eu", "z", 1, 7),
        Row.ofKind(RowKind.INSERT, "us", "a", 1, 1),
        Row.ofKind(RowKind.DELETE, "us", "a", 1, 1),
        Row.ofKind(RowKind.INSERT, "us", "b", 2, null),
        Row.ofKind(RowKind.INSERT, "eu", "q", 3, 9),
        Row.ofKind(RowKind.UPDATE_AFTER, "eu", "q", 3, 11));
    assertThat(rows()).containsExactly("(eu,q,3,11)", "(eu,z,1,7)", "(us,b,2,)");
  }

  @ParameterizedTest
  @MethodSource("waysAndMaterialization")
  void aTableOfKeysAloneKeepsWhatWasNotDeleted(Way way, String materialize) throws Exception {
    database.execute("CREATE TABLE dst (a int, b int, PRIMARY KEY (a, b))");
    Schema schema =
        Schema.newBuilder()
            .column("a", DataTypes.INT().notNull())
            .column("b", DataTypes.INT().notNull())
            .primaryKey("a", "b")
            .build();
    run(
        way,
        materialize,
        2,
        schema,
        "a INT, b INT, PRIMARY KEY (a, b) NOT ENFORCED",
        types("a", Types.INT, "b", Types.INT),
        Row.ofKind(RowKind.INSERT, 1, 1),
        Row.ofKind(RowKind.INSERT, 1, 2),
        Row.ofKind(RowKind.INSERT, 1, 1),
        Row.ofKind(RowKind.DELETE, 1, 2));
    assertThat(rows()).containsExactly("(1,1)");
  }

  /** In one subtask: two of them commit in no order. */
  @ParameterizedTest
  @MethodSource("waysAndMaterialization")
  void aUniqueValueOfADeletedRowIsFree(Way way, String materialize) throws Exception {
    database.execute("CREATE TABLE dst (id int PRIMARY KEY, mail text UNIQUE)");
    Schema schema =
        Schema.newBuilder()
            .column("id", DataTypes.INT().notNull())
            .column("mail", DataTypes.STRING())
            .primaryKey("id")
            .build();
    run(
        way,
        materialize,
        1,
        schema,
        "id INT, mail STRING, PRIMARY KEY (id) NOT ENFORCED",
        types("id", Types.INT, "mail", Types.STRING),
        Row.ofKind(RowKind.INSERT, 1, "k"),
        Row.ofKind(RowKind.DELETE, 1, "k"),
        Row.ofKind(RowKind.INSERT, 2, "k"));
    assertThat(rows()).containsExactly("(2,k)");
  }

  private static TypeInformation<Row> types(Object... namesAndTypes) {
    String[] names = new String[namesAndTypes.length / 2];
    TypeInformation<?>[] types = new TypeInformation<?>[names.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = (String) namesAndTypes[2 * i];
      types[i] = (TypeInformation<?>) namesAndTypes[2 * i + 1];
    }
    return Types.ROW_NAMED(names, types);
  }

  private void run(
      Way way,
      String materialize,
      int subtasks,
      Schema schema,
      String columns,
      TypeInformation<Row> types,
      Row... changes)
      throws Exception {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    // So that the source keeps the order of the changes.
    environment.setParallelism(1).enableCheckpointing(60_000);
    StreamTableEnvironment session = StreamTableEnvironment.create(environment);
    session.getConfig().set("table.exec.sink.upsert-materialize", materialize);
    session.createTemporaryView(
        "changes",
        session.fromChangelogStream(
            environment.fromData(List.of(changes), types), schema, ChangelogMode.upsert()));
    session.executeSql(
        "CREATE TEMPORARY TABLE dst (" + columns + ") WITH (" + options(way, subtasks) + ")");
    session.executeSql("INSERT INTO dst SELECT * FROM changes").await(60, TimeUnit.SECONDS);
    if (way.pooled()) {
      // Those of direct connections end with them.
      assertThat(new PgProbe(database).sessions("flink-connector-txn")).isNotEmpty();
    }
  }

  private String options(Way way, int subtasks) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("connector", "txn-jdbc");
    if (way.pooled()) {
      PgBouncer.assumeInstalled();
      all.put("url", database.urlThrough(PgBouncer.shared()));
    } else {
      all.put("url", database.url());
    }
    all.put("table-name", "dst");
    all.put("username", database.user());
    all.put("sink.transactional-id-prefix", "folding");
    all.put("sink.parallelism", String.valueOf(subtasks));
    all.putAll(way.options);
    return all.entrySet().stream()
        .map(option -> "'" + option.getKey() + "' = '" + option.getValue() + "'")
        .collect(Collectors.joining(", "));
  }

  private List<String> rows() throws SQLException {
    return database.query("SELECT d::text FROM dst d ORDER BY 1");
  }
}
