// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

/** Values of {@code sink.on-lost-transaction}. */
public enum OnLostTransaction {
  /** End the job. */
  FAIL("fail"),
  /** Count the loss and go on. */
  CONTINUE("continue");

  private final String value;

  OnLostTransaction(String value) {
    this.value = value;
  }

  @Override
  public String toString() {
    return value;
  }
}
