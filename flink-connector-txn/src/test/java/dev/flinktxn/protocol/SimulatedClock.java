// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

/** The clock of one process, ahead of or behind the world's. Sleeping lets the world go on. */
final class SimulatedClock implements ProtocolClock {

  private final World world;
  private final SimulatedTask task;
  private final long skew;

  SimulatedClock(World world, SimulatedTask task, long skew) {
    this.world = world;
    this.task = task;
    this.skew = skew;
  }

  @Override
  public long now() {
    return world.now() + skew;
  }

  @Override
  public void sleep(long millis) throws InterruptedException {
    world.advance(millis);
    world.sleeps(task);
  }
}
