// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresDatabase;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.apache.flink.table.catalog.CatalogDatabaseImpl;
import org.apache.flink.table.catalog.CatalogFunction;
import org.apache.flink.table.catalog.CatalogFunctionImpl;
import org.apache.flink.table.catalog.CatalogPartition;
import org.apache.flink.table.catalog.CatalogPartitionImpl;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.CatalogTest;
import org.apache.flink.table.catalog.CatalogView;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.FunctionLanguage;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedCatalogView;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.exceptions.CatalogException;
import org.apache.flink.table.catalog.exceptions.FunctionNotExistException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Flink's own tests of catalogs, with tables whose definitions are kept. Overridden, with the
 * reason, is what this catalog does not have: functions, partitions, statistics and properties of
 * databases.
 */
class CatalogContractITCase extends CatalogTest {

  private static final Map<String, String> FILES =
      Map.of("connector", "filesystem", "path", "file:///tmp/x", "format", "json");

  private static PostgresDatabase database;

  @BeforeAll
  static void open() throws SQLException {
    database = Postgres.shared().database();
    // What the tests expect to be there, and nothing else.
    database.execute("DROP SCHEMA public; CREATE SCHEMA \"default\"");
    catalog =
        new TxnCatalog(
            CatalogSettings.of(
                TEST_CATALOG_NAME,
                Map.of(
                    "type",
                    "txn",
                    "url",
                    database.url(),
                    "username",
                    database.user(),
                    "default-database",
                    "default")),
            CatalogContractITCase.class.getClassLoader());
    catalog.open();
  }

  @AfterAll
  static void drop() throws SQLException {
    database.close();
  }

  /** Flink 2.1 and later add an INDEX, which no statement declares. */
  @Override
  protected ResolvedSchema createSchema() {
    return new ResolvedSchema(
        List.of(
            Column.physical("first", DataTypes.STRING()),
            Column.physical("second", DataTypes.INT()),
            Column.physical("third", DataTypes.STRING())),
        List.of(),
        null);
  }

  @Override
  protected ResolvedSchema createAnotherSchema() {
    return new ResolvedSchema(
        List.of(
            Column.physical("first", DataTypes.STRING()),
            Column.physical("second", DataTypes.STRING()),
            Column.physical("third", DataTypes.STRING())),
        List.of(),
        null);
  }

  @Override
  public CatalogDatabase createDb() {
    return new CatalogDatabaseImpl(Map.of(), TEST_COMMENT);
  }

  @Override
  public CatalogDatabase createAnotherDb() {
    return new CatalogDatabaseImpl(Map.of(), "another comment");
  }

  private static CatalogTable table(
      ResolvedSchema schema, List<String> partitions, Map<String, String> options) {
    return new ResolvedCatalogTable(
        CatalogTable.newBuilder()
            .schema(Schema.newBuilder().fromResolvedSchema(schema).build())
            .comment(TEST_COMMENT)
            .partitionKeys(partitions)
            .options(options)
            .build(),
        schema);
  }

  @Override
  public CatalogTable createTable() {
    return table(createSchema(), List.of(), FILES);
  }

  @Override
  public CatalogTable createAnotherTable() {
    return table(createAnotherSchema(), List.of(), FILES);
  }

  @Override
  public CatalogTable createStreamingTable() {
    Map<String, String> options = new HashMap<>(FILES);
    options.put(IS_STREAMING, "true");
    return table(createSchema(), List.of(), options);
  }

  @Override
  public CatalogTable createPartitionedTable() {
    return table(createSchema(), createPartitionKeys(), FILES);
  }

  @Override
  public CatalogTable createAnotherPartitionedTable() {
    return table(createAnotherSchema(), createPartitionKeys(), FILES);
  }

  private CatalogView view(ResolvedSchema schema, String query) {
    return new ResolvedCatalogView(
        CatalogView.of(
            Schema.newBuilder().fromResolvedSchema(schema).build(),
            TEST_COMMENT,
            query,
            "select * from `test-catalog`.`db1`.`t1`",
            Map.of()),
        schema);
  }

  @Override
  public CatalogView createView() {
    return view(createSchema(), "select * from t1");
  }

  @Override
  public CatalogView createAnotherView() {
    return view(createAnotherSchema(), "select * from t2");
  }

  @Override
  protected CatalogFunction createFunction() {
    return new CatalogFunctionImpl("org.example.Function", FunctionLanguage.JAVA);
  }

  @Override
  protected CatalogFunction createPythonFunction() {
    return new CatalogFunctionImpl("test.func1", FunctionLanguage.PYTHON);
  }

  @Override
  protected CatalogFunction createAnotherFunction() {
    return new CatalogFunctionImpl("org.example.Another", FunctionLanguage.JAVA);
  }

  @Override
  public CatalogPartition createPartition() {
    return new CatalogPartitionImpl(new HashMap<>(), TEST_COMMENT);
  }

  /** A schema has a comment and no properties: the inherited test asks for changed properties. */
  @Test
  @Override
  public void testAlterDb() throws Exception {
    catalog.createDatabase(db1, createDb(), false);
    catalog.alterDatabase(db1, createAnotherDb(), false);
    assertThat(catalog.getDatabase(db1).getComment()).isEqualTo("another comment");
    assertThatThrownBy(
            () -> catalog.alterDatabase(db1, new CatalogDatabaseImpl(Map.of("k", "v"), ""), false))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("no properties");
  }

  /** Asked from Flink 2.0 on. */
  protected boolean supportsModels() {
    return false;
  }

  private void noFunctions() throws Exception {
    catalog.createDatabase(db1, createDb(), false);
    assertThatThrownBy(() -> catalog.createFunction(path1, createFunction(), false))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("keeps no functions");
    assertThatThrownBy(() -> catalog.alterFunction(path1, createFunction(), false))
        .isInstanceOf(FunctionNotExistException.class);
    assertThat(catalog.listFunctions(db1)).isEmpty();
    assertThat(catalog.functionExists(path1)).isFalse();
  }

  @Test
  @Override
  public void testCreateFunction() throws Exception {
    noFunctions();
  }

  /** No functions. */
  @Override
  public void testCreatePythonFunction() {}

  /** No functions. */
  @Override
  public void testCreateFunction_DatabaseNotExistException() {}

  /** No functions. */
  @Override
  public void testCreateFunction_FunctionAlreadyExistException() {}

  /** No functions. */
  @Override
  public void testAlterFunction() {}

  /** No functions. */
  @Override
  public void testAlterPythonFunction() {}

  /** No functions. */
  @Override
  public void testListFunctions() {}

  /** No functions. */
  @Override
  public void testDropFunction() {}

  /** No partitions: a connector that cannot list its own must not be told that there are none. */
  @Test
  @Override
  public void testCreatePartition() throws Exception {
    catalog.createDatabase(db1, createDb(), false);
    catalog.createTable(path1, createPartitionedTable(), false);
    assertThatThrownBy(() -> catalog.listPartitions(path1))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("keeps no partitions");
    assertThatThrownBy(
            () -> catalog.createPartition(path1, createPartitionSpec(), createPartition(), false))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  /** No partitions. */
  @Override
  public void testCreatePartition_PartitionSpecInvalidException() {}

  /** No partitions. */
  @Override
  public void testCreatePartition_PartitionAlreadyExistsException() {}

  /** No partitions. */
  @Override
  public void testCreatePartition_PartitionAlreadyExists_ignored() {}

  /** No partitions. */
  @Override
  public void testDropPartition() {}

  /** No partitions. */
  @Override
  public void testAlterPartition() {}

  /** No partitions. */
  @Override
  public void testPartitionExists() {}

  /** No partitions. */
  @Override
  public void testListPartitionPartialSpec() {}

  /** No partitions. */
  @Override
  public void testGetPartitionStats() {}

  /** No partitions. */
  @Override
  public void testAlterPartitionTableStats() {}

  /** No statistics. */
  @Test
  @Override
  public void testAlterTableStats() throws Exception {
    catalog.createDatabase(db1, createDb(), false);
    catalog.createTable(path1, createTable(), false);
    assertThat(catalog.getTableStatistics(path1).getRowCount()).isEqualTo(-1);
  }

  /** No statistics. */
  @Override
  public void testAlterTableStats_partitionedTable() {}
}
