// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.io.IOException;

/**
 * Brokers and client did not come to trust each other: wrong credentials, or a certificate that one
 * of them does not know. Passing while the job runs, final when it starts.
 */
final class UnauthenticatedException extends IOException {
  private static final long serialVersionUID = 1L;

  UnauthenticatedException(String message, Throwable cause) {
    super(message, cause);
  }
}
