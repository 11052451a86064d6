// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

/** A broken promise of the protocol, found by the oracle. */
final class Violation extends AssertionError {
  private static final long serialVersionUID = 1L;

  Violation(String message) {
    super(message);
  }
}
