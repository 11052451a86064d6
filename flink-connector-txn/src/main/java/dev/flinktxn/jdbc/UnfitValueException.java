// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

/** A value that its column cannot hold. Who knows the row makes a message of it. */
final class UnfitValueException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Object value;

  /**
   * Refuses a value.
   *
   * @param value the value
   * @param reason what is wrong with it and what to do, as the rest of a sentence
   */
  UnfitValueException(Object value, String reason) {
    super(reason);
    this.value = value;
  }

  /** The value that does not fit: an array's element, not the array. */
  Object value() {
    return value;
  }
}
