// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.time.Duration;
import java.time.Instant;

/**
 * One thing that a prefix has in an external system. What is not known is null.
 *
 * @param kind what it is, in one word of the system
 * @param transaction the name of the transaction it belongs to
 * @param object what stands in the system: partitions, a table, a gid, a session
 * @param state where it stands, in the system's words
 * @param since when it began
 * @param timeout how long the system lets it stay
 * @param rows how many rows it holds, as far as the system counts them
 * @param bytes how much room it takes
 * @param owner who made it, as far as that can be known
 * @param detail what else is worth knowing; no secrets
 * @param open set when it can be ended
 */
public record Remnant(
    String kind,
    String transaction,
    String object,
    String state,
    Instant since,
    Duration timeout,
    Long rows,
    Long bytes,
    String owner,
    String detail,
    OpenTransaction open) {}
