// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

/** Values of {@code sink.on-existing-key}: what happens to a row whose key exists already. */
enum OnExistingKey {
  /** The job ends. */
  FAIL("fail"),
  /** The row that is there stays. */
  IGNORE("ignore"),
  /** The row that is there is replaced. */
  UPDATE("update");

  private final String value;

  OnExistingKey(String value) {
    this.value = value;
  }

  @Override
  public String toString() {
    return value;
  }
}
