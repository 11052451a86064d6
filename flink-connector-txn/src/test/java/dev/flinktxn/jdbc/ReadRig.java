// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/** Reads tables of a database of its own without a cluster. */
final class ReadRig implements AutoCloseable {

  final PostgresDatabase database;
  final Map<String, String> properties = new HashMap<>();
  String url;
  List<PushedCondition> conditions = List.of();
  long limit = -1;
  int fetchSize = 3;

  ReadRig(String... statements) throws SQLException {
    database = Postgres.shared().database();
    url = database.url();
    properties.put("user", database.user());
    for (String statement : statements) {
      database.execute(statement);
    }
  }

  static RowType rows(DataTypes.Field... fields) {
    return (RowType) DataTypes.ROW(fields).getLogicalType();
  }

  ReadTarget target(String table, RowType declared, String... projected) {
    RowType rows =
        projected.length == 0
            ? declared
            : new RowType(
                Stream.of(projected)
                    .map(name -> declared.getFields().get(declared.getFieldIndex(name)))
                    .toList());
    return new ReadTarget(
        "cat.db." + table,
        new JdbcAddress(url, properties, TableName.parse(table)),
        declared,
        rows,
        conditions,
        limit);
  }

  /** All rows, in the order of the splits. */
  List<RowData> scan(ReadTarget target) throws IOException {
    List<RowData> rows = new ArrayList<>();
    try (SharedSnapshot snapshot = new SharedSnapshot(target)) {
      for (ScanSplit split : snapshot.open(2)) {
        rows.addAll(read(target, split));
      }
    }
    return rows;
  }

  /** The rows of one split. */
  List<RowData> read(ReadTarget target, ScanSplit split) throws IOException {
    ScanSplitReader reader = new ScanSplitReader(target, fetchSize);
    try {
      reader.handleSplitsChanges(new SplitsAddition<>(List.of(split)));
      List<RowData> rows = new ArrayList<>();
      RecordsWithSplitIds<RowData> batch;
      do {
        batch = reader.fetch();
        batch.nextSplit();
        for (RowData row = batch.nextRecordFromSplit();
            row != null;
            row = batch.nextRecordFromSplit()) {
          rows.add(row);
        }
      } while (batch.finishedSplits().isEmpty());
      return rows;
    } finally {
      reader.close();
    }
  }

  @Override
  public void close() throws SQLException {
    database.close();
  }
}
