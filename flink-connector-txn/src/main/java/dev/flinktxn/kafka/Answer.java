// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import org.apache.kafka.common.protocol.Errors;

/**
 * What a broker answered about one transactional id: exactly one of a value, an error of the
 * protocol that says something about the id, and a trouble that says nothing about it.
 */
record Answer<T>(T value, Errors error, String trouble) {

  static <T> Answer<T> of(T value) {
    return new Answer<>(value, null, null);
  }

  static <T> Answer<T> error(Errors error) {
    return new Answer<>(null, error, null);
  }

  static <T> Answer<T> trouble(String trouble) {
    return new Answer<>(null, null, trouble);
  }
}
