// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

/** The time as the protocol reads it and waits for it; a test brings its own. */
interface ProtocolClock {

  /** The wall clock and the sleep of this JVM. */
  ProtocolClock SYSTEM =
      new ProtocolClock() {
        @Override
        public long now() {
          return System.currentTimeMillis();
        }

        @Override
        public void sleep(long millis) throws InterruptedException {
          Thread.sleep(millis);
        }
      };

  /** Milliseconds since the epoch. */
  long now();

  /** Waits on the task thread; a cancelled task interrupts it. */
  void sleep(long millis) throws InterruptedException;
}
