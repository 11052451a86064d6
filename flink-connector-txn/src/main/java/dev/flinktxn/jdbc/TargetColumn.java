// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

/**
 * A column that is written.
 *
 * @param name its name
 * @param type its type in the database
 * @param notNull whether the database refuses NULL in it
 */
record TargetColumn(String name, PgType type, boolean notNull) {}
