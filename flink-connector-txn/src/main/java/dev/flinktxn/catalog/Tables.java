// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.jdbc.LedgerSchema;
import dev.flinktxn.jdbc.TxnJdbcTableFactory;
import dev.flinktxn.table.SinkOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedCatalogView;
import org.apache.flink.table.catalog.TableChange;
import org.apache.flink.table.catalog.exceptions.CatalogException;

/**
 * The tables and views of a catalog: those of PostgreSQL and those whose definitions are kept. A
 * name belongs to one of them; where somebody else created a table of PostgreSQL over a definition,
 * the table is what is seen. All methods run in the caller's transaction.
 *
 * @param settings the catalog
 * @param schemas its databases
 * @param definitions what is kept
 */
record Tables(CatalogSettings settings, Schemas schemas, Definitions definitions) {

  /** What came of a change. */
  enum Outcome {
    DONE,
    NO_DATABASE,
    NO_TABLE,
    TAKEN
  }

  /** Sessions that claim one name wait for each other. */
  private static final String CLAIM =
      "SELECT pg_advisory_xact_lock(hashtextextended(?, " + LedgerSchema.LOCK_KEY + "))";

  private static final String PREFIX = SinkOptions.TRANSACTIONAL_ID_PREFIX.key();

  static Tables of(CatalogSettings settings) {
    return new Tables(
        settings,
        new Schemas(settings.ledgerSchema()),
        new Definitions(settings.name(), settings.ledgerSchema()));
  }

  /** All names, in order; nothing if there is no such database. */
  Optional<List<String>> names(Connection connection, String database) throws SQLException {
    if (!schemas.exists(connection, database)) {
      return Optional.empty();
    }
    TreeSet<String> names = new TreeSet<>(schemas.tables(connection, database));
    names.addAll(definitions.names(connection, database, Definitions.NAMED));
    return Optional.of(List.copyOf(names));
  }

  /** The names of views whose definitions are kept; nothing if there is no such database. */
  Optional<List<String>> views(Connection connection, String database) throws SQLException {
    if (!schemas.exists(connection, database)) {
      return Optional.empty();
    }
    TreeSet<String> views =
        new TreeSet<>(definitions.names(connection, database, EnumSet.of(Definition.Kind.VIEW)));
    views.removeAll(schemas.tables(connection, database));
    return Optional.of(List.copyOf(views));
  }

  boolean exists(Connection connection, ObjectPath path) throws SQLException {
    return schemas.exists(connection, path.getDatabaseName())
        && (schemas.hasTable(connection, path.getDatabaseName(), path.getObjectName())
            || definition(connection, path).isPresent());
  }

  /** A table or view as Flink sees it. */
  Optional<CatalogBaseTable> find(Connection connection, ObjectPath path) throws SQLException {
    if (!schemas.exists(connection, path.getDatabaseName())) {
      return Optional.empty();
    }
    Optional<Relation> relation = Relation.read(connection, path, settings.ledgerSchema());
    return relation.isPresent()
        ? Optional.of(table(connection, path, relation.get()))
        : definition(connection, path).map(kept -> shown(path, kept));
  }

  private CatalogTable table(Connection connection, ObjectPath path, Relation relation)
      throws SQLException {
    return CatalogTable.newBuilder()
        .schema(relation.schema())
        .comment(relation.comment() == null ? "" : relation.comment())
        .options(
            settings.tableOptions(TxnJdbcTableFactory.IDENTIFIER, path, options(connection, path)))
        .build();
  }

  /** The own options of a table of PostgreSQL. */
  private Map<String, String> options(Connection connection, ObjectPath path) throws SQLException {
    return definitions
        .find(connection, path)
        .filter(kept -> kept.kind() == Definition.Kind.OPTIONS)
        .map(Definition::options)
        .orElse(Map.of());
  }

  private CatalogBaseTable shown(ObjectPath path, Definition kept) {
    if (kept.kind() == Definition.Kind.VIEW) {
      return kept.view();
    }
    Map<String, String> own = kept.options();
    return kept.table(settings.tableOptions(OwnOptions.connector(own), path, own));
  }

  private Optional<Definition> definition(Connection connection, ObjectPath path)
      throws SQLException {
    return definitions
        .find(connection, path)
        .filter(kept -> Definitions.NAMED.contains(kept.kind()));
  }

  /** Creates a table of PostgreSQL, or keeps the definition of any other table or of a view. */
  Outcome create(Connection connection, ObjectPath path, CatalogBaseTable table)
      throws SQLException {
    OwnOptions options = OwnOptions.of(settings, path);
    if (table instanceof ResolvedCatalogView view) {
      options.checkSecrets("", view.getOptions());
      return create(connection, path, List.of(), Definition.of(view));
    }
    if (!(table instanceof ResolvedCatalogTable resolved)) {
      throw settings.refusal(path).of("the catalog keeps tables and views, and this is neither");
    }
    Map<String, String> own = options.in(withoutOthersPrefix(connection, path, table.getOptions()));
    return isPostgres(table)
        ? create(
            connection,
            path,
            new TableDdl(path, options.refusal()).create(resolved),
            own.isEmpty() ? null : Definition.ofOptions(own))
        : create(connection, path, List.of(), Definition.of(resolved, own));
  }

  private static boolean isPostgres(CatalogBaseTable table) {
    return OwnOptions.connector(table.getOptions()).equals(TxnJdbcTableFactory.IDENTIFIER);
  }

  private Outcome create(
      Connection connection, ObjectPath path, List<String> statements, Definition kept)
      throws SQLException {
    claim(connection, path);
    if (!schemas.exists(connection, path.getDatabaseName())) {
      return Outcome.NO_DATABASE;
    }
    if (exists(connection, path)) {
      return Outcome.TAKEN;
    }
    run(connection, statements);
    keep(connection, path, kept);
    return Outcome.DONE;
  }

  private void keep(Connection connection, ObjectPath path, Definition kept) throws SQLException {
    if (kept == null) {
      definitions.drop(connection, path, Definitions.OPTIONS);
    } else {
      definitions.put(connection, path, kept);
    }
  }

  private static void claim(Connection connection, ObjectPath path) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CLAIM)) {
      statement.setString(1, path.getFullName());
      statement.execute();
    }
  }

  private static void run(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // Braces in names and comments are no calls.
      statement.setEscapeProcessing(false);
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** CREATE TABLE ... LIKE copies the prefix that the other table has from the catalog. */
  private Map<String, String> withoutOthersPrefix(
      Connection connection, ObjectPath path, Map<String, String> options) throws SQLException {
    String given = options.get(PREFIX);
    String catalogs = settings.options().get(PREFIX);
    if (given == null || catalogs == null || given.equals(TablePrefix.of(catalogs, path))) {
      return options;
    }
    for (String database : schemas.names(connection)) {
      for (String name : names(connection, database).orElse(List.of())) {
        if (given.equals(TablePrefix.of(catalogs, new ObjectPath(database, name)))) {
          Map<String, String> without = new TreeMap<>(options);
          without.remove(PREFIX);
          return without;
        }
      }
    }
    return options;
  }

  /**
   * Alters a table or view.
   *
   * @param changes what is to change; null if only the result is known
   */
  Outcome alter(
      Connection connection, ObjectPath path, CatalogBaseTable table, List<TableChange> changes)
      throws SQLException {
    if (!schemas.exists(connection, path.getDatabaseName())) {
      return Outcome.NO_TABLE;
    }
    Optional<Relation> relation = Relation.read(connection, path, settings.ledgerSchema());
    Optional<Definition> kept = definition(connection, path);
    if (relation.isEmpty() && kept.isEmpty()) {
      return Outcome.NO_TABLE;
    }
    CatalogBaseTable.TableKind kind =
        relation.isEmpty() && kept.get().kind() == Definition.Kind.VIEW
            ? CatalogBaseTable.TableKind.VIEW
            : CatalogBaseTable.TableKind.TABLE;
    if (table.getTableKind() != kind) {
      throw new CatalogException(
          "Table types don't match. Existing table is '%s' and new table is '%s'."
              .formatted(kind, table.getTableKind()));
    }
    OwnOptions options = OwnOptions.of(settings, path);
    if (table instanceof ResolvedCatalogView view) {
      options.checkSecrets("", view.getOptions());
      definitions.put(connection, path, Definition.of(view));
      return Outcome.DONE;
    }
    ResolvedCatalogTable resolved = (ResolvedCatalogTable) table;
    if (isPostgres(resolved) != relation.isPresent()) {
      throw settings
          .refusal(path)
          .of(
              "option 'connector' cannot change between a table of PostgreSQL and one that the"
                  + " catalog only keeps the definition of; drop the table and create another");
    }
    Map<String, String> own = options.in(resolved.getOptions());
    if (relation.isEmpty()) {
      definitions.put(connection, path, Definition.of(resolved, own));
    } else {
      if (kept.isPresent() && !own.isEmpty()) {
        throw settings
            .refusal(path)
            .of(
                "options cannot be kept, since the definition of another table of this name is;"
                    + " rename the table of PostgreSQL, and drop or rename the other");
      }
      alter(connection, path, relation.get(), resolved, changes);
      keep(connection, path, own.isEmpty() ? null : Definition.ofOptions(own));
    }
    return Outcome.DONE;
  }

  private void alter(
      Connection connection,
      ObjectPath path,
      Relation relation,
      ResolvedCatalogTable table,
      List<TableChange> changes)
      throws SQLException {
    TableDdl ddl = new TableDdl(path, settings.refusal(path));
    if (changes == null) {
      ddl.checkSame(relation.schema(), table);
    } else {
      run(connection, ddl.alter(relation, changes));
    }
    String before = relation.comment() == null ? "" : relation.comment();
    String after = table.getComment() == null ? "" : table.getComment();
    if (!before.equals(after) && relation.isTable()) {
      run(connection, List.of(ddl.comment(after)));
    }
  }

  /** Gives a table or view another name. */
  Outcome rename(Connection connection, ObjectPath path, String name) throws SQLException {
    ObjectPath renamed = new ObjectPath(path.getDatabaseName(), name);
    claim(connection, renamed);
    if (!exists(connection, path)) {
      return Outcome.NO_TABLE;
    }
    if (exists(connection, renamed)) {
      return Outcome.TAKEN;
    }
    Optional<Relation> relation = Relation.read(connection, path, settings.ledgerSchema());
    if (relation.isPresent()) {
      checkTable(path, relation.get(), "renamed");
      run(connection, List.of(new TableDdl(path, settings.refusal(path)).rename(name)));
    }
    definitions.rename(
        connection, path, name, relation.isPresent() ? Definitions.OPTIONS : Definitions.NAMED);
    return Outcome.DONE;
  }

  /** Drops a table or view. */
  Outcome drop(Connection connection, ObjectPath path) throws SQLException {
    if (!exists(connection, path)) {
      return Outcome.NO_TABLE;
    }
    Optional<Relation> relation = Relation.read(connection, path, settings.ledgerSchema());
    if (relation.isPresent()) {
      checkTable(path, relation.get(), "dropped");
      run(connection, List.of("DROP TABLE " + new TableDdl(path, settings.refusal(path)).quoted()));
    }
    definitions.drop(
        connection, path, relation.isPresent() ? Definitions.OPTIONS : Definitions.NAMED);
    return Outcome.DONE;
  }

  private void checkTable(ObjectPath path, Relation relation, String what) {
    if (!relation.isTable()) {
      throw settings
          .refusal(path)
          .of(
              "it is a %s of PostgreSQL, which cannot be %s through the catalog; do it there"
                  .formatted(relation.kind(), what));
    }
  }
}
