// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;

/**
 * The configuration, or what it meets in the external system, can never work. The message says
 * table, option, value found, value needed and what to do. The sink ends the job with it: a restart
 * would not help.
 */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Refuses with one self-contained sentence. */
  public RefusedException(String message) {
    super(message);
  }

  /**
   * Refuses with one self-contained sentence; {@code origin} adds nothing a user must read. It is a
   * suppressed exception and no cause: Flink's SQL client shows the innermost cause and nothing
   * else.
   */
  public RefusedException(String message, Throwable origin) {
    super(message);
    addSuppressed(origin);
  }
}
