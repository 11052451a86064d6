// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Which names a writer may begin a transaction under: rule (d) of the package documentation.
 *
 * <p>A slot is free again once its transaction was seen committed and, after that, a transaction
 * that was prepared after that sighting was seen committed too. Three slots carry a steady stream;
 * more are taken while checkpoints abort, overlap or are notified late. Used by the task thread.
 */
class Slots {

  /** One slot whose transaction is prepared; {@code seenAt} is the look that saw it committed. */
  private static final class Used {
    private final Committable committable;
    private final long preparedAfterLook;
    private long seenAt = -1;

    private Used(Committable committable, long preparedAfterLook) {
      this.committable = committable;
      this.preparedAfterLook = preparedAfterLook;
    }
  }

  private final Deque<Integer> free = new ArrayDeque<>();
  private final List<Used> used = new ArrayList<>();
  private int next;
  private long looks;

  /** The newest look after which a transaction was prepared that has been seen committed. */
  private long settledLook = -1;

  /** The slot for the next transaction. */
  int take() {
    return free.isEmpty() ? next++ : free.removeFirst();
  }

  /** Notes that the transaction of a taken slot is prepared. */
  void prepared(Committable committable) {
    used.add(new Used(committable, looks));
  }

  /** The prepared transactions that no look has seen committed yet, oldest first. */
  List<Committable> unsettled() {
    List<Committable> result = new ArrayList<>();
    for (Used slot : used) {
      if (slot.seenAt < 0) {
        result.add(slot.committable);
      }
    }
    return result;
  }

  /** Notes a look: {@code committed} and {@code forgotten} are parts of {@link #unsettled()}. */
  void looked(List<Committable> committed, List<Committable> forgotten) {
    looks++;
    used.removeIf(slot -> forgotten.contains(slot.committable));
    for (Used slot : used) {
      if (slot.seenAt < 0 && committed.contains(slot.committable)) {
        slot.seenAt = looks;
        settledLook = Math.max(settledLook, slot.preparedAfterLook);
      }
    }
    used.removeIf(
        slot -> {
          boolean reusable = slot.seenAt >= 0 && slot.seenAt <= settledLook;
          if (reusable) {
            free.addLast(slot.committable.name().slot());
          }
          return reusable;
        });
  }
}
