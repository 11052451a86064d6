// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

/** Unwinds the stack of a process that is gone; nothing of it may run any more. */
final class ProcessKilled extends Error {
  private static final long serialVersionUID = 1L;

  ProcessKilled() {
    super(null, null, false, false);
  }
}
