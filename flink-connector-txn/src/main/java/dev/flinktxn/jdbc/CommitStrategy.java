// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

/** Values of {@code sink.commit-strategy}. */
enum CommitStrategy {
  /** Rows wait outside the target and move into it in one short transaction. */
  LEDGER("ledger"),
  /** Rows are written and PREPAREd at the barrier; locks last until the commit. */
  PREPARED("prepared");

  private final String value;

  CommitStrategy(String value) {
    this.value = value;
  }

  @Override
  public String toString() {
    return value;
  }
}
