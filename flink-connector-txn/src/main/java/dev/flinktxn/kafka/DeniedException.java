// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.io.IOException;

/** A broker denied a right. Passing while the job runs, final when it starts. */
final class DeniedException extends IOException {
  private static final long serialVersionUID = 1L;

  DeniedException(String message, Throwable cause) {
    super(message, cause);
  }
}
