// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.Truth.Cause;
import java.util.List;

/** What happens to transactions without any job's doing. */
final class Strangers {

  private final World world;
  private final InMemorySystem system;

  Strangers(World world, InMemorySystem system) {
    this.world = world;
    this.system = system;
  }

  /** The system aborts what is open for too long. */
  void timeOut() {
    if (world.may(Fault.TIMEOUT)) {
      world.advance(world.random().nextLong(World.TRANSACTION_TIMEOUT));
      world.cover(Cover.TIMED_OUT, system.timeOut(world.now()));
    }
  }

  /** The system forgets ids that have ended. */
  void forget() {
    if (world.may(Fault.EXPIRY)) {
      world.cover(Cover.FORGOTTEN, system.forget(world.now() - world.random().nextInt(100_000)));
    }
  }

  /** Somebody aborts a transaction of ours, or initialises an id. */
  void thirdParty() {
    List<Truth> all = system.transactions();
    if (all.isEmpty()) {
      return;
    }
    Truth truth = all.get(world.random().nextInt(all.size()));
    if (world.oracle().isForeign(truth) || !system.knows(truth.id)) {
      return;
    }
    if (world.may(Fault.THIRD_PARTY)) {
      world.cover(Cover.FENCED_BY_THIRD_PARTY);
      Truth last = system.lastOf(truth.id);
      if (last != null) {
        system.fence(truth.id, last.startedAt, Cause.THIRD_PARTY, world.now(), world.slowFence());
      }
    }
    if (world.may(Fault.STRANGER_INITIALISES) && world.flip()) {
      world.cover(Cover.INITIALISED_BY_STRANGER);
      system.touchEvidence(truth.id);
      Truth last = system.lastOf(truth.id);
      if (last != null) {
        system.fence(truth.id, last.startedAt, Cause.THIRD_PARTY, world.now(), false);
      }
      system.initialise(truth.id, world.now());
    }
  }
}
