// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import java.util.List;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.catalog.CatalogFunction;
import org.apache.flink.table.catalog.CatalogPartition;
import org.apache.flink.table.catalog.CatalogPartitionSpec;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.exceptions.DatabaseNotExistException;
import org.apache.flink.table.catalog.exceptions.FunctionNotExistException;
import org.apache.flink.table.catalog.exceptions.PartitionNotExistException;
import org.apache.flink.table.catalog.exceptions.TableNotExistException;
import org.apache.flink.table.catalog.exceptions.TableNotPartitionedException;
import org.apache.flink.table.catalog.stats.CatalogColumnStatistics;
import org.apache.flink.table.catalog.stats.CatalogTableStatistics;
import org.apache.flink.table.expressions.Expression;

/**
 * What the catalog has none of: partitions, functions and statistics of its own. To ask for them is
 * allowed, to change them is not.
 */
interface BareCatalog extends Catalog {

  /** The catalog's name. */
  String getName();

  private UnsupportedOperationException none(String what) {
    return new UnsupportedOperationException("Catalog " + getName() + " keeps no " + what + ".");
  }

  /** A connector that cannot list the partitions itself must not be told that there are none. */
  @Override
  default List<CatalogPartitionSpec> listPartitions(ObjectPath path)
      throws TableNotExistException, TableNotPartitionedException {
    if (!(getTable(path) instanceof CatalogTable table) || table.getPartitionKeys().isEmpty()) {
      throw new TableNotPartitionedException(getName(), path);
    }
    throw none("partitions");
  }

  @Override
  default List<CatalogPartitionSpec> listPartitions(ObjectPath path, CatalogPartitionSpec spec)
      throws TableNotExistException, TableNotPartitionedException {
    return listPartitions(path);
  }

  @Override
  default List<CatalogPartitionSpec> listPartitionsByFilter(
      ObjectPath path, List<Expression> filters)
      throws TableNotExistException, TableNotPartitionedException {
    return listPartitions(path);
  }

  @Override
  default CatalogPartition getPartition(ObjectPath path, CatalogPartitionSpec spec)
      throws PartitionNotExistException {
    throw new PartitionNotExistException(getName(), path, spec);
  }

  @Override
  default boolean partitionExists(ObjectPath path, CatalogPartitionSpec spec) {
    return false;
  }

  @Override
  default void createPartition(
      ObjectPath path, CatalogPartitionSpec spec, CatalogPartition partition, boolean ignore)
      throws TableNotExistException, TableNotPartitionedException {
    listPartitions(path);
  }

  @Override
  default void dropPartition(ObjectPath path, CatalogPartitionSpec spec, boolean ignore)
      throws PartitionNotExistException {
    if (!ignore) {
      throw new PartitionNotExistException(getName(), path, spec);
    }
  }

  @Override
  default void alterPartition(
      ObjectPath path, CatalogPartitionSpec spec, CatalogPartition partition, boolean ignore)
      throws PartitionNotExistException {
    dropPartition(path, spec, ignore);
  }

  @Override
  default List<String> listFunctions(String database) throws DatabaseNotExistException {
    if (!databaseExists(database)) {
      throw new DatabaseNotExistException(getName(), database);
    }
    return List.of();
  }

  @Override
  default CatalogFunction getFunction(ObjectPath path) throws FunctionNotExistException {
    throw new FunctionNotExistException(getName(), path);
  }

  @Override
  default boolean functionExists(ObjectPath path) {
    return false;
  }

  @Override
  default void createFunction(ObjectPath path, CatalogFunction function, boolean ignore) {
    throw none("functions; create a TEMPORARY FUNCTION");
  }

  @Override
  default void alterFunction(ObjectPath path, CatalogFunction function, boolean ignore)
      throws FunctionNotExistException {
    dropFunction(path, ignore);
  }

  @Override
  default void dropFunction(ObjectPath path, boolean ignore) throws FunctionNotExistException {
    if (!ignore) {
      throw new FunctionNotExistException(getName(), path);
    }
  }

  @Override
  default CatalogTableStatistics getTableStatistics(ObjectPath path) throws TableNotExistException {
    checkTable(path, false);
    return CatalogTableStatistics.UNKNOWN;
  }

  @Override
  default CatalogColumnStatistics getTableColumnStatistics(ObjectPath path)
      throws TableNotExistException {
    checkTable(path, false);
    return CatalogColumnStatistics.UNKNOWN;
  }

  private void checkTable(ObjectPath path, boolean ignore) throws TableNotExistException {
    if (!ignore && !tableExists(path)) {
      throw new TableNotExistException(getName(), path);
    }
  }

  @Override
  default CatalogTableStatistics getPartitionStatistics(ObjectPath path, CatalogPartitionSpec spec)
      throws PartitionNotExistException {
    throw new PartitionNotExistException(getName(), path, spec);
  }

  @Override
  default CatalogColumnStatistics getPartitionColumnStatistics(
      ObjectPath path, CatalogPartitionSpec spec) throws PartitionNotExistException {
    throw new PartitionNotExistException(getName(), path, spec);
  }

  @Override
  default void alterTableStatistics(
      ObjectPath path, CatalogTableStatistics statistics, boolean ignore)
      throws TableNotExistException {
    refuseStatistics(path, ignore);
  }

  @Override
  default void alterTableColumnStatistics(
      ObjectPath path, CatalogColumnStatistics statistics, boolean ignore)
      throws TableNotExistException {
    refuseStatistics(path, ignore);
  }

  private void refuseStatistics(ObjectPath path, boolean ignore) throws TableNotExistException {
    checkTable(path, ignore);
    if (tableExists(path)) {
      throw none("statistics");
    }
  }

  @Override
  default void alterPartitionStatistics(
      ObjectPath path, CatalogPartitionSpec spec, CatalogTableStatistics statistics, boolean ignore)
      throws PartitionNotExistException {
    dropPartition(path, spec, ignore);
  }

  @Override
  default void alterPartitionColumnStatistics(
      ObjectPath path,
      CatalogPartitionSpec spec,
      CatalogColumnStatistics statistics,
      boolean ignore)
      throws PartitionNotExistException {
    dropPartition(path, spec, ignore);
  }
}
