// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.catalog.AbstractCatalog;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.apache.flink.table.catalog.CatalogDatabaseImpl;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.TableChange;
import org.apache.flink.table.catalog.exceptions.CatalogException;
import org.apache.flink.table.catalog.exceptions.DatabaseAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.DatabaseNotEmptyException;
import org.apache.flink.table.catalog.exceptions.DatabaseNotExistException;
import org.apache.flink.table.catalog.exceptions.ProcedureNotExistException;
import org.apache.flink.table.catalog.exceptions.TableAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.TableNotExistException;
import org.apache.flink.table.factories.Factory;
import org.apache.flink.table.procedures.Procedure;

/**
 * A database of PostgreSQL as a catalog: its schemas are databases, its tables are {@code txn-jdbc}
 * tables; tables of other connectors and views are kept as definitions. Nothing is cached. Safe for
 * use by several threads.
 */
final class TxnCatalog extends AbstractCatalog implements BareCatalog {

  /** Where procedures are; no database of its own. */
  static final String PROCEDURES = "sys";

  private final CatalogSettings settings;
  private final CatalogSession session;
  private final Tables tables;
  private final Schemas schemas;
  private final Procedures procedures;

  TxnCatalog(CatalogSettings settings, ClassLoader loader) {
    super(settings.name(), settings.defaultDatabase());
    this.settings = settings;
    this.session = new CatalogSession(settings);
    this.tables = Tables.of(settings);
    this.schemas = tables.schemas();
    this.procedures = new Procedures(settings.options(), loader);
  }

  @Override
  public Optional<Factory> getFactory() {
    return Optional.of(new CatalogTableFactory(settings));
  }

  /** Looks whether the database answers, so that wrong credentials are told at once. */
  @Override
  public void open() {
    session.read(schemas::names);
  }

  @Override
  public void close() {
    session.close();
  }

  @Override
  public List<String> listDatabases() {
    return session.read(schemas::names);
  }

  @Override
  public boolean databaseExists(String name) {
    return session.read(connection -> schemas.exists(connection, name));
  }

  @Override
  public CatalogDatabase getDatabase(String name) throws DatabaseNotExistException {
    String comment =
        session
            .read(connection -> schemas.comment(connection, name))
            .orElseThrow(() -> new DatabaseNotExistException(getName(), name));
    return new CatalogDatabaseImpl(Map.of(), comment);
  }

  @Override
  public void createDatabase(String name, CatalogDatabase database, boolean ignoreIfExists)
      throws DatabaseAlreadyExistException {
    checkProperties(name, database);
    if (name.equals(settings.ledgerSchema())) {
      throw new CatalogException(
          "Catalog %s: schema %s holds the ledger and the definitions (option 'sink.schema') and is no database; choose another name."
              .formatted(getName(), name));
    }
    if (databaseExists(name)) {
      if (!ignoreIfExists) {
        throw new DatabaseAlreadyExistException(getName(), name);
      }
      return;
    }
    try {
      session.write(
          connection -> {
            schemas.create(connection, name, database.getComment());
            return null;
          });
    } catch (SQLException e) {
      if (!SqlStates.isTaken(e)) {
        throw session.failure("cannot create database " + name, e);
      }
      if (!ignoreIfExists || !databaseExists(name)) {
        throw new DatabaseAlreadyExistException(getName(), name, e);
      }
    }
  }

  private void checkProperties(String name, CatalogDatabase database) {
    if (!database.getProperties().isEmpty()) {
      throw new CatalogException(
          "Catalog %s: database %s is a schema of PostgreSQL, which has a comment but no properties; leave them out."
              .formatted(getName(), name));
    }
  }

  @Override
  public void dropDatabase(String name, boolean ignoreIfNotExists, boolean cascade)
      throws DatabaseNotExistException, DatabaseNotEmptyException {
    if (!databaseExists(name)) {
      if (!ignoreIfNotExists) {
        throw new DatabaseNotExistException(getName(), name);
      }
      return;
    }
    boolean empty;
    try {
      empty = session.write(connection -> drop(connection, name, cascade));
    } catch (SQLException e) {
      if (SqlStates.isNeeded(e)) {
        throw new DatabaseNotEmptyException(getName(), name, e);
      }
      throw session.failure("cannot drop database " + name, e);
    }
    if (!empty) {
      throw new DatabaseNotEmptyException(getName(), name);
    }
  }

  private boolean drop(Connection connection, String name, boolean cascade) throws SQLException {
    if (!cascade && !tables.definitions().names(connection, name, Definitions.NAMED).isEmpty()) {
      return false;
    }
    schemas.drop(connection, name, cascade);
    tables.definitions().dropAll(connection, name);
    return true;
  }

  @Override
  public void alterDatabase(String name, CatalogDatabase newDatabase, boolean ignoreIfNotExists)
      throws DatabaseNotExistException {
    if (!databaseExists(name)) {
      if (!ignoreIfNotExists) {
        throw new DatabaseNotExistException(getName(), name);
      }
      return;
    }
    checkProperties(name, newDatabase);
    try {
      session.write(
          connection -> {
            schemas.comment(connection, name, newDatabase.getComment());
            return null;
          });
    } catch (SQLException e) {
      throw session.failure("cannot alter database " + name, e);
    }
  }

  @Override
  public List<String> listTables(String database) throws DatabaseNotExistException {
    return session
        .read(connection -> tables.names(connection, database))
        .orElseThrow(() -> new DatabaseNotExistException(getName(), database));
  }

  @Override
  public List<String> listViews(String database) throws DatabaseNotExistException {
    return session
        .read(connection -> tables.views(connection, database))
        .orElseThrow(() -> new DatabaseNotExistException(getName(), database));
  }

  /** Flink's materialised tables, of which the catalog keeps none; asked for from Flink 2.3 on. */
  public List<String> listMaterializedTables(String database) throws DatabaseNotExistException {
    return listFunctions(database);
  }

  @Override
  public CatalogBaseTable getTable(ObjectPath path) throws TableNotExistException {
    return session
        .read(connection -> tables.find(connection, path))
        .orElseThrow(() -> new TableNotExistException(getName(), path));
  }

  @Override
  public boolean tableExists(ObjectPath path) {
    return session.read(connection -> tables.exists(connection, path));
  }

  @Override
  public void createTable(ObjectPath path, CatalogBaseTable table, boolean ignoreIfExists)
      throws TableAlreadyExistException, DatabaseNotExistException {
    Tables.Outcome outcome;
    try {
      outcome = session.write(connection -> tables.create(connection, path, table));
    } catch (SQLException e) {
      if (!SqlStates.isTaken(e) || !tableExists(path)) {
        throw session.failure("cannot create table " + path.getFullName(), e);
      }
      // Somebody was faster who does not go through a catalog.
      outcome = Tables.Outcome.TAKEN;
    }
    if (outcome == Tables.Outcome.NO_DATABASE) {
      throw new DatabaseNotExistException(getName(), path.getDatabaseName());
    }
    if (outcome == Tables.Outcome.TAKEN && !ignoreIfExists) {
      throw new TableAlreadyExistException(getName(), path);
    }
  }

  @Override
  public void alterTable(ObjectPath path, CatalogBaseTable newTable, boolean ignoreIfNotExists)
      throws TableNotExistException {
    alterTable(path, newTable, null, ignoreIfNotExists);
  }

  @Override
  public void alterTable(
      ObjectPath path,
      CatalogBaseTable newTable,
      List<TableChange> tableChanges,
      boolean ignoreIfNotExists)
      throws TableNotExistException {
    change(
        "alter",
        path,
        ignoreIfNotExists,
        connection -> tables.alter(connection, path, newTable, tableChanges));
  }

  @Override
  public void dropTable(ObjectPath path, boolean ignoreIfNotExists) throws TableNotExistException {
    change("drop", path, ignoreIfNotExists, connection -> tables.drop(connection, path));
  }

  @Override
  public void renameTable(ObjectPath path, String newTableName, boolean ignoreIfNotExists)
      throws TableNotExistException, TableAlreadyExistException {
    Tables.Outcome outcome =
        change(
            "rename",
            path,
            ignoreIfNotExists,
            connection -> tables.rename(connection, path, newTableName));
    if (outcome == Tables.Outcome.TAKEN) {
      throw new TableAlreadyExistException(
          getName(), new ObjectPath(path.getDatabaseName(), newTableName));
    }
  }

  private Tables.Outcome change(
      String what,
      ObjectPath path,
      boolean ignoreIfNotExists,
      CatalogSession.Work<Tables.Outcome> work)
      throws TableNotExistException {
    Tables.Outcome outcome;
    try {
      outcome = session.write(work);
    } catch (SQLException e) {
      throw session.failure("cannot %s table %s".formatted(what, path.getFullName()), e);
    }
    if (outcome == Tables.Outcome.NO_TABLE && !ignoreIfNotExists) {
      throw new TableNotExistException(getName(), path);
    }
    return outcome;
  }

  @Override
  public List<String> listProcedures(String database) throws DatabaseNotExistException {
    return database.equals(PROCEDURES) ? procedures.names() : listFunctions(database);
  }

  @Override
  public Procedure getProcedure(ObjectPath path) throws ProcedureNotExistException {
    return Optional.of(path)
        .filter(each -> each.getDatabaseName().equals(PROCEDURES))
        .flatMap(each -> procedures.find(each.getObjectName()))
        .orElseThrow(() -> new ProcedureNotExistException(getName(), path));
  }

  /** Without the options, which may hold secrets. */
  @Override
  public String toString() {
    return settings.toString();
  }
}
