// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import java.util.List;
import java.util.Map;
import org.apache.flink.table.catalog.GenericInMemoryCatalog;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.exceptions.ProcedureNotExistException;
import org.apache.flink.table.procedures.Procedure;

/** A catalog without tables that has the procedures. */
public final class ProceduresCatalog extends GenericInMemoryCatalog {

  private final Procedures procedures;

  /** A catalog with these options of the catalog {@code txn}. */
  public ProceduresCatalog(String name, Map<String, String> options) {
    super(name);
    this.procedures = new Procedures(options, ProceduresCatalog.class.getClassLoader());
  }

  @Override
  public boolean databaseExists(String database) {
    return database.equals(Procedures.DATABASE) || super.databaseExists(database);
  }

  @Override
  public List<String> listProcedures(String database) {
    return procedures.names();
  }

  @Override
  public Procedure getProcedure(ObjectPath path) throws ProcedureNotExistException {
    return procedures
        .find(path.getObjectName())
        .filter(found -> path.getDatabaseName().equals(Procedures.DATABASE))
        .orElseThrow(() -> new ProcedureNotExistException(getName(), path));
  }
}
