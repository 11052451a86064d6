// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.List;

/**
 * The server as this role finds it.
 *
 * @param role the role whose rights count
 * @param utf8 whether the database takes all characters
 * @param maxPrepared max_prepared_transactions
 * @param searchPath the schemas that are searched for a table without one
 */
public record FoundServer(String role, boolean utf8, int maxPrepared, List<String> searchPath) {}
