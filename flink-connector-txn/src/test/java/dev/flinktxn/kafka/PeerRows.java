// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/**
 * The rows that go into both tables: streams of one subtask, so that their order is the same every
 * time. (VALUES with a NULL is a union of sources, whose order is not.)
 */
final class PeerRows {

  private static final List<Row> ORDERS =
      List.of(
          Row.of(1L, "ant", 10),
          Row.of(2L, "bée", -20),
          Row.of(3L, null, null),
          Row.of(4L, "", 0),
          Row.of(1L, "ant \"2\"|,;\n\\", 7),
          Row.of(-5L, "ant", 127),
          Row.of(2L, "\uD83D\uDC1C", 10),
          Row.of(6L, "bée", 3));

  private static final List<Row> CHANGES =
      List.of(
          Row.ofKind(RowKind.INSERT, "eu", 1, "x", 10),
          Row.ofKind(RowKind.INSERT, "us", 2, null, null),
          Row.ofKind(RowKind.UPDATE_AFTER, "eu", 1, "y", 15),
          Row.ofKind(RowKind.INSERT, "", 3, "q", 9),
          Row.ofKind(RowKind.DELETE, "eu", 1, "y", 15),
          Row.ofKind(RowKind.INSERT, "eu", 2, "é", 0),
          Row.ofKind(RowKind.UPDATE_AFTER, "us", 2, "b", null),
          Row.ofKind(RowKind.DELETE, "", 3, "q", 9),
          Row.ofKind(RowKind.INSERT, "eu", 1, "z", 7),
          Row.ofKind(RowKind.INSERT, "asia", -1, "", 1),
          Row.ofKind(RowKind.UPDATE_AFTER, "us", 2, null, 1));

  private static final List<Row> RETRACTIONS =
      List.of(
          Row.ofKind(RowKind.INSERT, "eu", 1, "x", 10),
          Row.ofKind(RowKind.INSERT, "us", 2, "a", 1),
          Row.ofKind(RowKind.UPDATE_BEFORE, "eu", 1, "x", 10),
          Row.ofKind(RowKind.UPDATE_AFTER, "eu", 1, "y", 15),
          Row.ofKind(RowKind.DELETE, "us", 2, "a", 1),
          Row.ofKind(RowKind.UPDATE_BEFORE, "eu", 1, "y", 15),
          Row.ofKind(RowKind.UPDATE_AFTER, "eu", 1, null, null));

  private static final Schema KEYED =
      Schema.newBuilder()
          .column("region", DataTypes.STRING().notNull())
          .column("acct", DataTypes.INT().notNull())
          .column("note", DataTypes.STRING())
          .column("amt", DataTypes.INT())
          .primaryKey("region", "acct")
          .build();

  private PeerRows() {}

  /**
   * Makes the streams known to {@code session}: {@code orders}, the same as {@code spread} over two
   * subtasks, {@code changes} and {@code retractions}.
   */
  static void declare(StreamExecutionEnvironment environment, StreamTableEnvironment session) {
    SingleOutputStreamOperator<Row> orders =
        environment
            .fromData(ORDERS, named("id", Types.LONG, "name", Types.STRING, "qty", Types.INT))
            .setParallelism(1);
    session.createTemporaryView("orders", session.fromDataStream(orders));
    session.createTemporaryView(
        "spread",
        session.fromDataStream(
            orders
                .keyBy(row -> row.<Long>getFieldAs(0), Types.LONG)
                .map(row -> row)
                .returns(orders.getType())
                .setParallelism(2)));
    declareChanges(environment, session, "changes", CHANGES, ChangelogMode.upsert());
    declareChanges(environment, session, "retractions", RETRACTIONS, ChangelogMode.all());
  }

  private static void declareChanges(
      StreamExecutionEnvironment environment,
      StreamTableEnvironment session,
      String name,
      List<Row> rows,
      ChangelogMode mode) {
    TypeInformation<Row> type =
        named("region", Types.STRING, "acct", Types.INT, "note", Types.STRING, "amt", Types.INT);
    session.createTemporaryView(
        name,
        session.fromChangelogStream(
            environment.fromData(rows, type).setParallelism(1), KEYED, mode));
  }

  private static TypeInformation<Row> named(Object... namesAndTypes) {
    String[] names = new String[namesAndTypes.length / 2];
    TypeInformation<?>[] types = new TypeInformation<?>[names.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = (String) namesAndTypes[2 * i];
      types[i] = (TypeInformation<?>) namesAndTypes[2 * i + 1];
    }
    return Types.ROW_NAMED(names, types);
  }
}
