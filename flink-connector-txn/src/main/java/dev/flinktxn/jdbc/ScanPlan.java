// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Divides a table into splits. A table, each partition and each child of one are read by
 * themselves, in ranges of blocks (TID range scans, whose order of rows is that of the blocks).
 * Read as a whole are views, foreign tables, and what may not be read piece by piece: under row
 * security, or when rights are given on columns or on the parent only.
 *
 * @param table the table
 * @param snapshot the exported snapshot
 * @param horizon what it sees
 */
record ScanPlan(ReadTable table, String snapshot, String horizon) {

  /** 128 MB: long enough that a split's beginning costs nothing, short enough to be shared. */
  private static final long MOST_BLOCKS = 16_384;

  private static final long LEAST_BLOCKS = 128;

  private static final int SPLITS_PER_READER = 4;

  /** Each relation that holds rows; its size in blocks, and whether it can be read by itself. */
  private static final String RELATIONS =
      """
      WITH RECURSIVE tree (oid) AS (
        SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = ? AND c.relname = ?
        UNION
        SELECT i.inhrelid FROM pg_inherits i JOIN tree ON i.inhparent = tree.oid)
      SELECT n.nspname, c.relname,
        CASE WHEN c.relkind IN ('r', 'm') AND a.amname = 'heap'
          THEN pg_relation_size(c.oid) / current_setting('block_size')::int ELSE -1 END,
        has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
          AND NOT row_security_active(c.oid)
      FROM tree JOIN pg_class c ON c.oid = tree.oid JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_am a ON a.oid = c.relam
      WHERE c.relkind <> 'p'
      ORDER BY c.oid
      """;

  private record Relation(String quoted, long blocks, boolean readable) {}

  /** The splits for that many readers; at least one. */
  List<ScanSplit> splits(Connection connection, int readers) throws SQLException {
    FoundTable found = table.found();
    List<Relation> relations =
        "rpm".indexOf(found.kind()) < 0 ? List.of() : relations(connection, found);
    boolean whole =
        relations.isEmpty()
            || !relations.stream().allMatch(Relation::readable)
            || found.kind() != 'm' && !found.copyable();
    List<ScanSplit> splits = new ArrayList<>();
    if (whole) {
      splits.add(split(0, found.quoted(), -1, -1));
      return splits;
    }
    long all = relations.stream().mapToLong(relation -> Math.max(0, relation.blocks)).sum();
    long size =
        Math.min(
            MOST_BLOCKS, Math.max(LEAST_BLOCKS, all / ((long) readers * SPLITS_PER_READER) + 1));
    for (Relation relation : relations) {
      String only = found.kind() == 'm' ? relation.quoted : "ONLY " + relation.quoted;
      if (relation.blocks < 0) {
        splits.add(split(splits.size(), only, -1, -1));
        continue;
      }
      long from = 0;
      for (; from + size < relation.blocks; from += size) {
        splits.add(split(splits.size(), only, from, from + size));
      }
      // Whatever was added since belongs to nobody who is seen; no end is none that is wrong.
      splits.add(split(splits.size(), only, from, -1));
    }
    return splits;
  }

  private ScanSplit split(int number, String relation, long fromBlock, long toBlock) {
    return new ScanSplit(
        "split-" + number, snapshot, horizon, relation, fromBlock, toBlock, 0, false);
  }

  private static List<Relation> relations(Connection connection, FoundTable found)
      throws SQLException {
    List<Relation> relations = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(RELATIONS)) {
      statement.setString(1, found.schema());
      statement.setString(2, found.name());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          relations.add(
              new Relation(
                  SqlNames.quoted(rows.getString(1), rows.getString(2)),
                  rows.getLong(3),
                  rows.getBoolean(4)));
        }
      }
    }
    return relations;
  }
}
