// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import dev.flinktxn.fixture.SqlPlanner;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Columns of every type, created on either side, written, read and written back by the catalog. */
class CatalogTypesITCase {

  private PostgresDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = Postgres.shared().database();
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  /**
   * Name, type in PostgreSQL, type in Flink, a value in Flink, the value as PostgreSQL prints it.
   */
  private record Sample(String name, String column, String type, String value, String printed) {}

  private static final List<Sample> SAMPLES =
      List.of(
          new Sample("s", "smallint", "SMALLINT", "CAST(2 AS SMALLINT)", "2"),
          new Sample("b", "bigint", "BIGINT", "CAST(3 AS BIGINT)", "3"),
          new Sample("r", "real", "FLOAT", "CAST(1.5 AS FLOAT)", "1.5"),
          new Sample("d", "double precision", "DOUBLE", "CAST(2.5 AS DOUBLE)", "2.5"),
          new Sample(
              "n", "numeric", "STRING", "'12345678901234567890123456789012345678901.5'", null),
          new Sample(
              "n10", "numeric(10,2)", "DECIMAL(10, 2)", "CAST(1.25 AS DECIMAL(10, 2))", "1.25"),
          new Sample("n50", "numeric(50,3)", "STRING", "'0.125'", "0.125"),
          new Sample(
              "nneg", "numeric(2,-3)", "DECIMAL(5, 0)", "CAST(42000 AS DECIMAL(5, 0))", "42000"),
          new Sample("bo", "boolean", "BOOLEAN", "TRUE", "true"),
          new Sample("t", "text", "STRING", "'é'", "é"),
          new Sample("v", "varchar", "STRING", "'v'", "v"),
          new Sample("v5", "varchar(5)", "VARCHAR(5)", "'v'", "v"),
          new Sample("c3", "char(3)", "CHAR(3)", "'abc'", "abc"),
          new Sample("bin", "bytea", "BYTES", "X'00ff10'", "\\x00ff10"),
          new Sample("da", "date", "DATE", "DATE '2024-02-29'", "2024-02-29"),
          new Sample("ti", "time", "TIME(6)", "TIME '01:02:03'", "01:02:03"),
          new Sample("ti0", "time(0)", "TIME(0)", "TIME '01:02:03'", "01:02:03"),
          new Sample("tz", "timetz", "STRING", "'01:02:03+02'", "01:02:03+02"),
          new Sample(
              "ts",
              "timestamp",
              "TIMESTAMP(6)",
              "TIMESTAMP '2024-01-02 03:04:05.678901'",
              "2024-01-02 03:04:05.678901"),
          new Sample(
              "ts3",
              "timestamp(3)",
              "TIMESTAMP(3)",
              "TIMESTAMP '2024-01-02 03:04:05.678'",
              "2024-01-02 03:04:05.678"),
          new Sample(
              "tsz",
              "timestamptz(0)",
              "TIMESTAMP_LTZ(0)",
              "TO_TIMESTAMP_LTZ(0, 0)",
              "1970-01-01 00:00:00+00"),
          new Sample("i", "interval", "STRING", "'1 mon 2 days 00:00:03'", "1 mon 2 days 00:00:03"),
          new Sample(
              "iym",
              "interval year to month",
              "INTERVAL YEAR(4) TO MONTH",
              "INTERVAL '1-2' YEAR(4) TO MONTH",
              "1 year 2 mons"),
          new Sample(
              "ids",
              "interval day to second(3)",
              "INTERVAL DAY(3) TO SECOND(3)",
              "INTERVAL '3 04:05:06.789' DAY(3) TO SECOND(3)",
              "3 days 04:05:06.789"),
          new Sample(
              "u",
              "uuid",
              "STRING",
              "'6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f'",
              "6f1d2c3b-0000-4000-8000-0a0b0c0d0e0f"),
          new Sample("j", "json", "STRING", "'{\"a\": 1}'", "{\"a\": 1}"),
          new Sample("jb", "jsonb", "STRING", "'[1,null]'", "[1, null]"),
          new Sample("e", "mood", "STRING", "'calm'", "calm"),
          new Sample("dom", "posint", "INT", "5", "5"),
          new Sample("ip", "inet", "STRING", "'10.0.0.1'", "10.0.0.1/32"),
          new Sample("ia", "int[]", "ARRAY<INT>", "ARRAY[1, CAST(NULL AS INT)]", "{1,NULL}"),
          new Sample(
              "ta",
              "text[]",
              "ARRAY<STRING>",
              "ARRAY['p', CAST(NULL AS STRING), 'q\"r,{}']",
              "{p,NULL,\"q\\\"r,{}\"}"),
          new Sample(
              "na",
              "numeric(5,1)[]",
              "ARRAY<DECIMAL(5, 1)>",
              "ARRAY[CAST(1.5 AS DECIMAL(5, 1))]",
              "{1.5}"),
          new Sample("ea", "mood[]", "ARRAY<STRING>", "ARRAY['calm']", "{calm}"),
          new Sample("pa", "posint[]", "ARRAY<INT>", "ARRAY[7]", "{7}"),
          new Sample(
              "dm",
              "int[][]",
              "ARRAY<ARRAY<INT>>",
              "ARRAY[ARRAY[1, 2], ARRAY[3, 4]]",
              "{{1,2},{3,4}}"),
          new Sample("ch", "\"char\"", "STRING", "'q'", "q"),
          new Sample("xi", "xid", "STRING", "'5'", "5"),
          new Sample("rg", "int4range", "STRING", "'[1,5)'", "[1,5)"),
          new Sample("co", "pair", "STRING", "'(1,x)'", "(1,x)"),
          new Sample("mo", "money", "STRING", "'$1.00'", "$1.00"),
          new Sample("bi", "bit(3)", "STRING", "'101'", "101"),
          new Sample("na2", "name", "STRING", "'n'", "n"),
          new Sample("iv", "int2vector", "STRING", "'1 2'", "1 2"));

  private static String insert(String table, List<Sample> samples) {
    StringBuilder sql = new StringBuilder("INSERT INTO " + table + " SELECT 1");
    samples.forEach(sample -> sql.append(", ").append(sample.value()));
    // One row, and one of NULLs before it.
    StringBuilder nulls = new StringBuilder(" UNION ALL SELECT 0");
    samples.forEach(sample -> nulls.append(", CAST(NULL AS ").append(sample.type()).append(")"));
    return sql.append(nulls).toString();
  }

  private void assertRows(String table, List<Sample> samples) throws SQLException {
    for (Sample sample : samples) {
      assertThat(
              database.query(
                  "SELECT \"%s\"::text FROM %s ORDER BY id".formatted(sample.name(), table)))
          .as(sample.name())
          .containsExactly(
              null, sample.printed() == null ? sample.value().replace("'", "") : sample.printed());
    }
  }

  @Test
  void columnsOfEveryTypeAreShownAndWritten() throws Exception {
    StringBuilder columns = new StringBuilder("(id int PRIMARY KEY");
    SAMPLES.forEach(
        sample -> columns.append(", ").append(sample.name()).append(" ").append(sample.column()));
    database.execute(
        "CREATE TYPE mood AS ENUM ('calm', 'angry'); CREATE TYPE pair AS (a int, b text);"
            + " CREATE DOMAIN posint AS int CHECK (VALUE > 0);"
            + " ALTER DATABASE %s SET TimeZone = 'UTC'; ALTER DATABASE %s SET lc_monetary = 'C';"
                .formatted(database.name(), database.name())
            + " CREATE TABLE every %s); CREATE TABLE again %s)".formatted(columns, columns));

    CatalogSql session = CatalogSql.of(database);
    List<String> expected =
        SAMPLES.stream().map(sample -> sample.name() + " " + sample.type()).toList();
    assertThat(session.columns("`every`").subList(1, SAMPLES.size() + 1))
        .containsExactlyElementsOf(expected);
    session.insert(SqlPlanner.byKey(insert("`every`", SAMPLES)));
    assertRows("every", SAMPLES);
    session.insert(SqlPlanner.byKey("INSERT INTO again SELECT * FROM `every`"));
    assertRows("again", SAMPLES);
  }

  /** So Flink does with every sink; the README says it. */
  @Test
  void flinkCastsToTheColumnsTypeBefore() throws Exception {
    database.execute("CREATE TABLE short (v varchar(3), c char(3), t text[], n numeric(4,2))");
    CatalogSql session = CatalogSql.of(database);
    session.insert(
        "INSERT INTO `short` SELECT 'abcdef', 'abcdef', ARRAY['abcdef'], CAST(12345 AS DECIMAL(10, 2))");
    assertThat(database.query("SELECT s::text FROM short s"))
        .containsExactly("(abc,abc,{abcdef},)");
  }

  @Test
  void columnsOfEveryTypeAreCreatedAndWritten() throws Exception {
    List<Sample> samples =
        List.of(
            new Sample("ti", "smallint", "TINYINT", "CAST(-128 AS TINYINT)", "-128"),
            new Sample("s", "smallint", "SMALLINT", "CAST(2 AS SMALLINT)", "2"),
            new Sample("b", "bigint", "BIGINT", "CAST(3 AS BIGINT)", "3"),
            new Sample("r", "real", "FLOAT", "CAST(1.5 AS FLOAT)", "1.5"),
            new Sample("d", "double precision", "DOUBLE", "CAST(2.5 AS DOUBLE)", "2.5"),
            new Sample(
                "n",
                "numeric(38,10)",
                "DECIMAL(38, 10)",
                "CAST('12345678901234567890123456.0123456789' AS DECIMAL(38, 10))",
                "12345678901234567890123456.0123456789"),
            new Sample("bo", "boolean", "BOOLEAN", "TRUE", "true"),
            new Sample("t", "text", "STRING", "'é'", "é"),
            new Sample("v5", "character varying(5)", "VARCHAR(5)", "'v'", "v"),
            new Sample("c3", "character(3)", "CHAR(3)", "'abc'", "abc"),
            new Sample("bin", "bytea", "BYTES", "X'00ff10'", "\\x00ff10"),
            new Sample("da", "date", "DATE", "DATE '2024-02-29'", "2024-02-29"),
            new Sample("tm", "time(0) without time zone", "TIME", "TIME '01:02:03'", "01:02:03"),
            new Sample(
                "ts",
                "timestamp(6) without time zone",
                "TIMESTAMP(9)",
                "CAST('2024-12-31 23:59:59.999999999' AS TIMESTAMP(9))",
                "2024-12-31 23:59:59.999999"),
            new Sample(
                "tz",
                "timestamp(3) with time zone",
                "TIMESTAMP_LTZ(3)",
                "TO_TIMESTAMP_LTZ(0, 3)",
                "1970-01-01 00:00:00+00"),
            new Sample("ia", "integer[]", "ARRAY<INT>", "ARRAY[1, CAST(NULL AS INT)]", "{1,NULL}"),
            new Sample(
                "aa",
                "text[]",
                "ARRAY<ARRAY<STRING>>",
                "ARRAY[ARRAY['a'], ARRAY['b']]",
                "{{a},{b}}"));
    database.execute("ALTER DATABASE %s SET TimeZone = 'UTC'".formatted(database.name()));
    CatalogSql session = CatalogSql.of(database);
    StringBuilder columns = new StringBuilder("(id INT NOT NULL");
    samples.forEach(
        sample -> columns.append(", ").append(sample.name()).append(" ").append(sample.type()));
    columns.append(", PRIMARY KEY (id) NOT ENFORCED)");
    session.run("CREATE TABLE made " + columns).run("CREATE TABLE again " + columns);
    assertThat(
            database.query(
                "SELECT attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attnotnull"
                    + " THEN ' NOT NULL' ELSE '' END FROM pg_attribute WHERE attrelid ="
                    + " 'made'::regclass AND attnum > 0 ORDER BY attnum"))
        .startsWith("id integer NOT NULL")
        .hasSize(samples.size() + 1)
        .containsAll(
            samples.stream().map(sample -> sample.name() + " " + sample.column()).toList());
    session.insert(SqlPlanner.byKey(insert("made", samples)));
    assertRows("made", samples);
    session.insert(SqlPlanner.byKey("INSERT INTO again SELECT * FROM made"));
    assertRows("again", samples);
  }
}
