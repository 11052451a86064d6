// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The protocol with one rule left out or turned round. The simulation must notice each. */
enum Mutation {
  /** Rule (b): orphans are aborted when the writer opens. */
  CLEANS_UP_AT_OPEN {
    @Override
    Rules rules() {
      return new Rules() {
        @Override
        void opened(OrphanCleanup cleanup) throws IOException, InterruptedException {
          cleanup.run();
        }
      };
    }
  },

  /** Rule (b): orphans are aborted in the flush of endInput, which no barrier precedes. */
  CLEANS_UP_WHEN_INPUT_ENDS {
    @Override
    Rules rules() {
      return new Rules() {
        @Override
        void inputEnds(OrphanCleanup cleanup) throws IOException, InterruptedException {
          if (cleanup.isDue()) {
            cleanup.run();
          }
        }
      };
    }
  },

  /** Rule (b): no second clean-up. */
  CLEANS_UP_ONCE_ONLY {
    @Override
    Rules rules() {
      return cleanup(
          parts ->
              new CleanupOf(parts) {
                private boolean ran;

                @Override
                boolean isDue() {
                  return !ran;
                }

                @Override
                void run() throws IOException, InterruptedException {
                  super.run();
                  ran = true;
                }
              });
    }
  },

  /** Rule (e): nobody asks whether an older attempt is alive. */
  DOES_NOT_ASK_WHO_IS_ALIVE {
    @Override
    Rules rules() {
      return cleanup(
          parts ->
              new CleanupOf(parts) {
                @Override
                boolean begunSinceOpening(OpenTransaction open) {
                  return false;
                }
              });
    }
  },

  /** Rule (c): aborts what belongs to other subtasks. */
  IGNORES_THE_SUBTASK {
    @Override
    Rules rules() {
      return cleanup(
          parts ->
              new CleanupOf(parts) {
                @Override
                boolean isMine(TransactionName name) {
                  return true;
                }
              });
    }
  },

  /** Rule (c): does not ask how old an attempt is. */
  IGNORES_THE_AGE_OF_AN_ATTEMPT {
    @Override
    Rules rules() {
      return cleanup(
          parts ->
              new CleanupOf(parts) {
                @Override
                boolean isOlder(TransactionName name) {
                  return true;
                }
              });
    }
  },

  /** The attempt's time is the clock's, even if a predecessor's was later. */
  DOES_NOT_MOVE_PAST_A_PREDECESSOR {
    @Override
    Rules rules() {
      return cleanup(
          parts ->
              new CleanupOf(parts) {
                @Override
                long earliestOpening() {
                  return parts.openedAt();
                }
              });
    }
  },

  /** Rule (a): successors use the names of their predecessors. */
  SHARES_NAMES {
    @Override
    Rules rules() {
      return new Rules() {
        @Override
        OrphanCleanup cleanup(
            SinkSettings settings,
            int subtask,
            int parallelism,
            WriterStore store,
            ProtocolClock clock)
            throws IOException, InterruptedException {
          return new CleanupOf(Parts.read(settings, subtask, parallelism, store, clock)) {
            @Override
            long earliestOpening() {
              return 1_700_000_000_000L;
            }
          };
        }

        @Override
        Random attemptRandom(Random random) {
          return new Random(1);
        }
      };
    }
  },

  /** Rule (c): what only begins like the own prefix is taken for the own. */
  MATCHES_PREFIXES_LOOSELY {
    @Override
    Rules rules() {
      return new Rules() {
        @Override
        Optional<TransactionName> parse(String prefix, String id) {
          int separator = id.indexOf(TransactionName.SEPARATOR);
          return id.startsWith(prefix) && separator > 0
              ? TransactionName.parse(id.substring(0, separator), id)
              : Optional.empty();
        }
      };
    }
  },

  /** Rule (d): a slot is free as soon as its transaction is prepared. */
  REUSES_A_SLOT_WITHOUT_A_LOOK {
    @Override
    Rules rules() {
      return new Rules() {
        @Override
        Slots slots() {
          return new Slots() {
            @Override
            int take() {
              return 0;
            }
          };
        }
      };
    }
  },

  /** Rule (d): a slot is free as soon as its own transaction was seen committed. */
  REUSES_A_SLOT_AT_ITS_SIGHTING {
    @Override
    boolean mayShowIn(Scenario scenario) {
      return !scenario.tv2() && scenario.firstEpoch() > 0 && scenario.has(Fault.KILL);
    }

    @Override
    Rules rules() {
      return new Rules() {
        @Override
        Slots slots() {
          return new SightedSlots();
        }
      };
    }
  },

  /** Rule (d): an aborted transaction frees its slot like a committed one. */
  REUSES_AN_ABORTED_SLOT {
    @Override
    Rules rules() {
      return look((look, sighting) -> sighting == Sighting.ABORTED ? Sighting.COMMITTED : sighting);
    }
  },

  /** The transaction of the barrier is not looked at before it is prepared. */
  DOES_NOT_LOOK_BEFORE_IT_PREPARES {
    @Override
    Rules rules() {
      return look(
          (look, sighting) ->
              SimulatedHandle.decode(look.handle()).startedAt() < 0 ? Sighting.OPEN : sighting);
    }
  },

  /** A lost transaction is taken for committed. */
  TAKES_LOST_FOR_COMMITTED {
    @Override
    Rules rules() {
      return outcomes(Outcome.Kind.LOST, Outcome.Kind.ALREADY_COMMITTED);
    }
  },

  /** An unknown outcome is taken for committed. */
  TAKES_UNKNOWN_FOR_COMMITTED {
    @Override
    Rules rules() {
      return outcomes(Outcome.Kind.UNKNOWN, Outcome.Kind.ALREADY_COMMITTED);
    }
  },

  /** An undecided commit is taken for committed. */
  TAKES_RETRY_FOR_COMMITTED {
    @Override
    Rules rules() {
      return outcomes(Outcome.Kind.RETRY, Outcome.Kind.COMMITTED);
    }
  },

  /** A lost reply is taken for a lost transaction. */
  TAKES_A_LOST_REPLY_FOR_LOST {
    @Override
    Rules rules() {
      return outcomes(Outcome.Kind.RETRY, Outcome.Kind.LOST);
    }
  },

  /** A fence that is under way is taken for a later begin. */
  TAKES_A_FENCE_IN_PROGRESS_FOR_A_LATER_BEGIN {
    @Override
    Rules rules() {
      return new Rules() {
        @Override
        EvidenceReading evidence() {
          return (stored, described) ->
              described != null
                      && described.state() == EvidenceReading.State.ONGOING
                      && described.epoch() > stored.epoch()
                  ? Outcome.Kind.ALREADY_COMMITTED
                  : new StartTimeReading().read(stored, described);
        }
      };
    }
  },

  /** What was prepared for an aborted checkpoint is forgotten. */
  DROPS_COMMITTABLES_OF_ABORTED_CHECKPOINTS {
    @Override
    Rules rules() {
      return new Rules() {
        @Override
        boolean dropsCommittablesOfAbortedCheckpoints() {
          return true;
        }
      };
    }
  };

  abstract Rules rules();

  /** Narrows the schedules to those in which a rare consequence can show at all. */
  boolean mayShowIn(Scenario scenario) {
    return true;
  }

  boolean mayShowIn(long seed) {
    return mayShowIn(Scenario.draw(new SplittableRandom(seed)));
  }

  private static Rules cleanup(Function<Parts, OrphanCleanup> mutated) {
    return new Rules() {
      @Override
      OrphanCleanup cleanup(
          SinkSettings settings,
          int subtask,
          int parallelism,
          WriterStore store,
          ProtocolClock clock)
          throws IOException, InterruptedException {
        return mutated.apply(Parts.read(settings, subtask, parallelism, store, clock));
      }
    };
  }

  private static Rules look(BiFunction<WriterStore.Look, Sighting, Sighting> eye) {
    return new Rules() {
      @Override
      WriterStore writerStore(WriterStore store) {
        return new MisreadingStore(store, eye);
      }
    };
  }

  private static Rules outcomes(Outcome.Kind from, Outcome.Kind to) {
    UnaryOperator<Outcome> mistake =
        outcome -> outcome.kind() == from ? new Outcome(to, outcome.evidence()) : outcome;
    return new Rules() {
      @Override
      CommitterStore committerStore(CommitterStore store) {
        return new CommitterStore() {
          @Override
          public List<Outcome> commit(List<Committable> committables)
              throws IOException, InterruptedException {
            return store.commit(committables).stream().map(mistake).toList();
          }

          @Override
          public void close() throws IOException {
            store.close();
          }
        };
      }
    };
  }

  /** What a clean-up is made of. */
  private record Parts(
      SinkSettings settings,
      int subtask,
      int parallelism,
      WriterStore store,
      ProtocolClock clock,
      long openedAt,
      List<OpenTransaction> openAtStart) {

    static Parts read(
        SinkSettings settings, int subtask, int parallelism, WriterStore store, ProtocolClock clock)
        throws IOException, InterruptedException {
      return new Parts(
          settings, subtask, parallelism, store, clock, clock.now(), store.open(settings.prefix()));
    }
  }

  private static class CleanupOf extends OrphanCleanup {
    CleanupOf(Parts parts) {
      super(
          parts.settings(),
          parts.subtask(),
          parts.parallelism(),
          parts.store(),
          parts.clock(),
          parts.openedAt(),
          new HashSet<>(parts.openAtStart()));
    }
  }

  /** Slots without the second condition of rule (d). */
  private static final class SightedSlots extends Slots {
    private final Deque<Integer> free = new ArrayDeque<>();
    private final List<Committable> waiting = new ArrayList<>();
    private int next;

    @Override
    int take() {
      return free.isEmpty() ? next++ : free.removeFirst();
    }

    @Override
    void prepared(Committable committable) {
      waiting.add(committable);
    }

    @Override
    List<Committable> unsettled() {
      return List.copyOf(waiting);
    }

    @Override
    void looked(List<Committable> committed, List<Committable> forgotten) {
      waiting.removeAll(committed);
      waiting.removeAll(forgotten);
      committed.forEach(committable -> free.addLast(committable.name().slot()));
    }
  }

  /** A store whose looks are misread. */
  private record MisreadingStore(
      WriterStore store, BiFunction<WriterStore.Look, Sighting, Sighting> eye)
      implements WriterStore {

    @Override
    public List<Sighting> look(List<Look> looks) throws IOException, InterruptedException {
      List<Sighting> seen = store.look(looks);
      List<Sighting> read = new ArrayList<>();
      for (int i = 0; i < seen.size(); i++) {
        read.add(eye.apply(looks.get(i), seen.get(i)));
      }
      return read;
    }

    @Override
    public Transaction begin(TransactionName name) throws IOException, InterruptedException {
      return store.begin(name);
    }

    @Override
    public List<OpenTransaction> open(String prefix) throws IOException, InterruptedException {
      return store.open(prefix);
    }

    @Override
    public void abort(OpenTransaction orphan) throws IOException, InterruptedException {
      store.abort(orphan);
    }

    @Override
    public Optional<Duration> transactionTimeout() {
      return store.transactionTimeout();
    }

    @Override
    public void close() throws IOException {
      store.close();
    }
  }
}
