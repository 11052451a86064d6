// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.EvidenceReading.Described;
import dev.flinktxn.protocol.EvidenceReading.Stored;
import dev.flinktxn.protocol.InMemorySystem.EndError;
import dev.flinktxn.protocol.InMemorySystem.Producer;
import dev.flinktxn.protocol.Truth.Fate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A committer's way to the {@link InMemorySystem}. Holds every reading of the evidence against the
 * truth.
 */
final class SimulatedCommitterStore implements CommitterStore {

  private final World world;
  private final SimulatedTask task;
  private final InMemorySystem system;
  private final Set<String> uncertain = new HashSet<>();
  private boolean first = true;

  SimulatedCommitterStore(World world, InMemorySystem system, SimulatedTask task) {
    this.world = world;
    this.task = task;
    this.system = system;
  }

  @Override
  public List<Outcome> commit(List<Committable> committables)
      throws IOException, InterruptedException {
    world.before(task, Cover.COMMITTER_REFUSED);
    List<Outcome> outcomes = new ArrayList<>(committables.size());
    for (Committable committable : committables) {
      Outcome.Kind kind = commit(committable);
      if (kind == Outcome.Kind.RETRY) {
        uncertain.add(committable.name().toString());
      }
      outcomes.add(new Outcome(kind, "simulated evidence"));
    }
    first = false;
    return outcomes;
  }

  private Outcome.Kind commit(Committable committable) throws InterruptedException {
    world.interleave(task, false);
    Stored stored = SimulatedHandle.decode(committable.handle());
    Truth truth = system.truthOf(SimulatedHandle.producer(stored));
    String id = committable.name().toString();
    if (world.scenario().describesFirst() && (first || uncertain.contains(id))) {
      Outcome.Kind kind = describe(id, stored, truth);
      if (kind != Outcome.Kind.RETRY || world.flip()) {
        return kind;
      }
    }
    if (world.replyLost(Cover.COMMIT_LOST_BEFORE)) {
      return Outcome.Kind.RETRY;
    }
    boolean open = truth.fate == Fate.OPEN;
    Producer producer = SimulatedHandle.producer(stored);
    Optional<EndError> error = system.end(id, producer, stored.tv2(), true, world.now());
    if (open && truth.fate == Fate.COMMITTED) {
      world.oracle().committed(truth);
    }
    if (world.replyLost(Cover.COMMIT_LOST_AFTER)) {
      return Outcome.Kind.RETRY;
    }
    if (error.isPresent()) {
      return describe(id, stored, truth);
    }
    world.cover(open ? Cover.COMMITTED : Cover.COMMITTED_TWICE);
    return judged(truth, open ? Outcome.Kind.COMMITTED : Outcome.Kind.ALREADY_COMMITTED);
  }

  private Outcome.Kind describe(String id, Stored stored, Truth truth) throws InterruptedException {
    world.interleave(task, false);
    if (world.replyLost(Cover.DESCRIBE_LOST)) {
      return Outcome.Kind.RETRY;
    }
    Described described = system.describe(id);
    Outcome.Kind kind = world.rules().evidence().read(stored, described);
    world.coverEvidence(kind, stored, described);
    return judged(truth, kind);
  }

  private Outcome.Kind judged(Truth truth, Outcome.Kind kind) {
    world.oracle().judged(task, truth, kind);
    return kind;
  }

  @Override
  public void close() {}
}
