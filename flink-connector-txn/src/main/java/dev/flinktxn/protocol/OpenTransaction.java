// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

/**
 * A transaction that is open in the external system, prepared or not.
 *
 * @param name its name
 * @param incarnation tells this transaction from every other of the same name
 */
public record OpenTransaction(TransactionName name, String incarnation) {}
