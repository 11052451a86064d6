// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.List;

/**
 * A column as the catalogs describe it.
 *
 * @param name its name
 * @param type its type
 * @param notNull whether the column or its domain refuses NULL
 * @param filled whether a row that leaves it out gets a value: a default, an identity, an
 *     expression
 * @param identityAlways whether it is GENERATED ALWAYS AS IDENTITY
 * @param generated whether an expression makes its values
 * @param insertable whether this role may insert into it
 * @param updatable whether this role may update it
 * @param selectable whether this role may read it
 * @param deniedSequences the sequences its default draws from without this role being allowed to,
 *     as SQL text
 */
public record FoundColumn(
    String name,
    PgType type,
    boolean notNull,
    boolean filled,
    boolean identityAlways,
    boolean generated,
    boolean insertable,
    boolean updatable,
    boolean selectable,
    List<String> deniedSequences) {}
