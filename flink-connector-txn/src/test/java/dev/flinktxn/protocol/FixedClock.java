// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.util.ArrayList;
import java.util.List;

/** A clock that a test moves; sleeping moves it too. */
final class FixedClock implements ProtocolClock {

  final List<Long> sleeps = new ArrayList<>();
  long now = 1_800_000_000_000L;

  @Override
  public long now() {
    return now;
  }

  @Override
  public void sleep(long millis) {
    sleeps.add(millis);
    now += millis;
  }
}
