// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.io.Serializable;
import java.time.Duration;

/**
 * How long records of a table with a key wait for newer ones of the same key, which take their
 * place.
 *
 * @param maxRows how many rows are taken before they are sent; 0 for no limit
 * @param interval how long a row waits; zero for no limit
 */
record Folding(int maxRows, Duration interval) implements Serializable {

  /** Every record is sent. */
  static final Folding OFF = new Folding(0, Duration.ZERO);

  /** Whether records wait at all. */
  boolean isOn() {
    return maxRows > 0 || !interval.isZero();
  }
}
