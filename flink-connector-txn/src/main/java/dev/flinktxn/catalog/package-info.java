/**
 * The catalog {@code txn}: one PostgreSQL database, its schemas as databases, its tables as {@code
 * txn-jdbc} tables, and beside them definitions of tables of other connectors and of views.
 *
 * <p>What PostgreSQL knows about a table (columns, key, comments) is read from its catalogs each
 * time and stored nowhere else. What it has no place for is a row of the table {@code definitions}
 * in the sink's schema: the whole of a table of another connector or of a view, and the options of
 * a PostgreSQL table. Nothing is cached, so that sessions see each other's changes.
 *
 * <p>Secrets are options of the catalog alone. Tables come without them; the catalog's own factory
 * adds them when a source or sink is made.
 */
package dev.flinktxn.catalog;
