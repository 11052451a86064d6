// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

/** Values of {@code value.fields-include}. */
enum ValueFields {
  /** All physical columns are in the value. */
  ALL,
  /** The columns of {@code key.fields} are not. */
  EXCEPT_KEY
}
