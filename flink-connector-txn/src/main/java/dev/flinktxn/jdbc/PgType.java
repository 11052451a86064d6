// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

/**
 * A type in the database.
 *
 * @param oid its id
 * @param name its name, without modifiers: {@code int4}, {@code mood}
 * @param declared how a column of it was declared: {@code numeric(10,2)}
 * @param kind what kind of type it is
 * @param modifier the column's type modifier (atttypmod), -1 for none
 * @param inner an array's element type, a domain's base type; else null
 */
public record PgType(int oid, String name, String declared, Kind kind, int modifier, PgType inner) {

  /** Kinds of types: PostgreSQL's pg_type.typtype, and arrays. */
  public enum Kind {
    BASE,
    ARRAY,
    DOMAIN,
    ENUM,
    /** Composites, ranges and whatever else; written as text. */
    OTHER
  }

  /** The type whose values these are: a domain's base type, else the type itself. */
  public PgType base() {
    PgType type = this;
    while (type.kind == Kind.DOMAIN) {
      type = type.inner;
    }
    return type;
  }

  /** An array's element type; a modifier of the array's column is one of its elements. */
  public PgType element() {
    return inner.modifier != -1 || modifier == -1
        ? inner
        : new PgType(inner.oid, inner.name, inner.declared, inner.kind, modifier, inner.inner);
  }
}
