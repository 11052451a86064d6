// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.jdbc.SqlNames;
import dev.flinktxn.table.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.TableChange;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * Statements that create and alter a table of PostgreSQL.
 *
 * @param path the table
 * @param refusal words for it
 */
record TableDdl(ObjectPath path, Refusal refusal) {

  /** PostgreSQL cuts longer names without a word. */
  private static final int LONGEST_NAME = 63;

  /**
   * Names that Flink and PostgreSQL give to keys without one. In PostgreSQL they are names of
   * indexes, which two tables cannot share.
   */
  private static final Pattern NAMELESS = Pattern.compile("PK_.*|.*_pkey");

  private static final String OTHERWISE =
      "create it with PostgreSQL's own means, or name a 'connector' to keep a definition of it";

  /** The name for SQL. */
  String quoted() {
    return SqlNames.quoted(path.getDatabaseName(), path.getObjectName());
  }

  /** Creates the table. */
  List<String> create(ResolvedCatalogTable table) {
    checkName(path.getObjectName());
    checkPlain(table);
    List<String> parts = new ArrayList<>();
    List<String> comments = new ArrayList<>();
    if (table.getComment() != null && !table.getComment().isEmpty()) {
      comments.add(comment(table.getComment()));
    }
    ResolvedSchema schema = table.getResolvedSchema();
    for (Column column : schema.getColumns()) {
      parts.add(declared(column));
      column.getComment().ifPresent(text -> comments.add(comment(column.getName(), text)));
    }
    schema.getPrimaryKey().ifPresent(key -> parts.add(declared(key)));
    List<String> statements = new ArrayList<>();
    statements.add("CREATE TABLE " + quoted() + " (" + String.join(", ", parts) + ")");
    statements.addAll(comments);
    return statements;
  }

  private void checkPlain(ResolvedCatalogTable table) {
    if (!table.getPartitionKeys().isEmpty() || table.getDistribution().isPresent()) {
      throw refusal.of(
          "PARTITIONED BY and DISTRIBUTED BY are not for tables of PostgreSQL, which partitions by"
              + " ranges, lists or hashes; "
              + OTHERWISE);
    }
    if (!table.getResolvedSchema().getWatermarkSpecs().isEmpty()) {
      throw refusal.of("a table of PostgreSQL has no WATERMARK; declare it in a view");
    }
  }

  private String declared(Column column) {
    if (!column.isPhysical()) {
      throw refusal.of(
          "column '%s' is computed or metadata, and a table of PostgreSQL has physical columns only; put it into a view"
              .formatted(column.getName()));
    }
    checkName(column.getName());
    LogicalType type = column.getDataType().getLogicalType();
    return SqlNames.quoted(column.getName())
        + " "
        + postgres(column.getName(), type)
        + (type.isNullable() ? "" : " NOT NULL");
  }

  private String postgres(String column, LogicalType type) {
    return ColumnTypes.postgres(type)
        .orElseThrow(
            () ->
                refusal.of(
                    ("column '%s' is %s, which no column of PostgreSQL holds; declare it as another"
                            + " type, such as STRING")
                        .formatted(column, type.asSummaryString())));
  }

  private static String declared(UniqueConstraint key) {
    String name =
        NAMELESS.matcher(key.getName()).matches()
            ? ""
            : "CONSTRAINT " + SqlNames.quoted(key.getName()) + " ";
    return name + "PRIMARY KEY (" + SqlNames.list(key.getColumns()) + ")";
  }

  private void checkName(String name) {
    if (name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
      throw refusal.of(
          "the name '%s' is longer than the %d bytes that PostgreSQL keeps; shorten it"
              .formatted(name, LONGEST_NAME));
    }
  }

  /** Sets the comment of the table. */
  String comment(String text) {
    return "COMMENT ON TABLE " + quoted() + " IS " + literal(text);
  }

  private String comment(String column, String text) {
    return "COMMENT ON COLUMN " + quoted() + "." + SqlNames.quoted(column) + " IS " + literal(text);
  }

  /** Text as SQL, whatever standard_conforming_strings is; nothing for an empty one. */
  static String literal(String text) {
    return text == null || text.isEmpty()
        ? "NULL"
        : "E'" + text.replace("\\", "\\\\").replace("'", "''") + "'";
  }

  /** Renames the table. */
  String rename(String name) {
    checkName(name);
    return "ALTER TABLE " + quoted() + " RENAME TO " + SqlNames.quoted(name);
  }

  /** Alters the columns and the key as {@code changes} say. */
  List<String> alter(Relation relation, List<TableChange> changes) {
    List<String> statements = new ArrayList<>();
    for (TableChange change : changes) {
      if (!(change instanceof TableChange.SetOption)
          && !(change instanceof TableChange.ResetOption)) {
        if (!relation.isTable()) {
          throw refusal.of(
              "it is a %s of PostgreSQL, which the catalog does not alter; alter it there"
                  .formatted(relation.kind()));
        }
        addChange(relation, change, statements);
      }
    }
    return statements;
  }

  private void addChange(Relation relation, TableChange change, List<String> statements) {
    if (change instanceof TableChange.AddColumn add && add.getPosition() == null) {
      statements.add(alter("ADD COLUMN " + declared(add.getColumn())));
      add.getColumn()
          .getComment()
          .ifPresent(text -> statements.add(comment(add.getColumn().getName(), text)));
    } else if (change instanceof TableChange.ModifyColumnName rename) {
      checkName(rename.getNewColumnName());
      statements.add(
          alter(
              "RENAME COLUMN %s TO %s"
                  .formatted(
                      SqlNames.quoted(rename.getOldColumnName()),
                      SqlNames.quoted(rename.getNewColumnName()))));
    } else if (change instanceof TableChange.ModifyColumnComment modify) {
      statements.add(comment(modify.getNewColumn().getName(), modify.getNewComment()));
    } else if (change instanceof TableChange.ModifyPhysicalColumnType modify) {
      addType(modify, statements);
    } else if (change instanceof TableChange.DropColumn drop) {
      statements.add(alter("DROP COLUMN " + SqlNames.quoted(drop.getColumnName())));
    } else if (change instanceof TableChange.AddUniqueConstraint add) {
      statements.add(alter("ADD " + declared(add.getConstraint())));
    } else if (change instanceof TableChange.ModifyUniqueConstraint modify) {
      statements.add(alter("DROP CONSTRAINT " + SqlNames.quoted(relation.keyName())));
      statements.add(alter("ADD " + declared(modify.getNewConstraint())));
    } else if (change instanceof TableChange.DropConstraint drop) {
      statements.add(alter("DROP CONSTRAINT " + SqlNames.quoted(drop.getConstraintName())));
    } else {
      throw refusal.of(
          "%s is no change that the catalog makes to a table of PostgreSQL%s"
              .formatted(
                  change.getClass().getSimpleName(),
                  change instanceof TableChange.AddColumn
                          || change instanceof TableChange.ModifyColumnPosition
                      ? ", whose columns stay where they are; leave out FIRST and AFTER"
                      : "; alter it there"));
    }
  }

  /** A type that Flink shows as it is asked for stays what it is: jsonb does not become text. */
  private void addType(TableChange.ModifyPhysicalColumnType change, List<String> statements) {
    String column = change.getOldColumn().getName();
    LogicalType before = change.getOldColumn().getDataType().getLogicalType();
    LogicalType after = change.getNewType().getLogicalType();
    String alter = "ALTER COLUMN " + SqlNames.quoted(column);
    if (!before.copy(true).equals(after.copy(true))) {
      statements.add(alter(alter + " TYPE " + postgres(column, after)));
    }
    if (before.isNullable() != after.isNullable()) {
      statements.add(alter(alter + (after.isNullable() ? " DROP" : " SET") + " NOT NULL"));
    }
  }

  private String alter(String change) {
    return "ALTER TABLE " + quoted() + " " + change;
  }

  /** Refuses a table that is to be another without a word of how. */
  void checkSame(Schema found, CatalogTable wanted) {
    if (!found.equals(wanted.getUnresolvedSchema())) {
      throw refusal.of(
          "its columns or key are to change in a way that is not told; use ALTER TABLE with ADD,"
              + " MODIFY, RENAME or DROP");
    }
  }
}
