// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

/** What a writer sees when it looks at one of its own transactions. */
public enum Sighting {
  /** Open: being written, or prepared and waiting for its commit. */
  OPEN,
  /** Committed for good. */
  COMMITTED,
  /** Aborted for good: by a timeout, a successor or a third party. */
  ABORTED,
  /** The system holds no record of it. A system may forget a transaction that has ended. */
  UNKNOWN
}
