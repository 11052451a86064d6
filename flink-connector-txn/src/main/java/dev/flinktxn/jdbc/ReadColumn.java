// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

/**
 * A column that is read.
 *
 * @param name its name
 * @param expression what selects it: the column, or its text
 * @param type its type in the database
 * @param decoder decodes what {@code expression} gives
 */
record ReadColumn(String name, String expression, PgType type, ValueDecoder decoder) {}
