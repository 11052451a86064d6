// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.Outcome;
import dev.flinktxn.protocol.Outcome.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Commits Kafka transactions by the producer id, epoch and flavour stored with them, over plain
 * requests. An EndTxn answered OK is a commit; on any other answer the broker is asked to describe
 * the id and {@link TransactionEvidence} decides. Used by the task thread.
 *
 * <p>OK does not tell a first commit from a repeated one on v2. Whatever may have been committed by
 * somebody else is therefore described first: the committables of a committer's first call, which
 * holds all restored ones, and those whose last answer did not come. Everything else costs one
 * EndTxn.
 */
final class KafkaCommitterStore implements CommitterStore {

  /** Connects when there is something to commit. */
  interface Connect {
    CoordinatorClient connect() throws IOException;
  }

  private final Connect connect;
  private final Set<String> uncertain = new HashSet<>();
  private CoordinatorClient client;
  private boolean first = true;

  KafkaCommitterStore(Connect connect) {
    this.connect = connect;
  }

  @Override
  public List<Outcome> commit(List<Committable> committables)
      throws IOException, InterruptedException {
    Outcome[] outcomes = new Outcome[committables.size()];
    List<Integer> pending = new ArrayList<>();
    List<CoordinatorClient.End> ends = new ArrayList<>();
    for (int i = 0; i < outcomes.length; i++) {
      KafkaHandle handle = KafkaHandle.decode(committables.get(i).handle());
      ends.add(new CoordinatorClient.End(committables.get(i).name().toString(), handle, true));
      if (handle.empty()) {
        outcomes[i] = new Outcome(Kind.COMMITTED, "nothing was written under it");
      } else {
        pending.add(i);
      }
    }
    if (!pending.isEmpty()) {
      if (client == null) {
        client = connect.connect();
      }
      judgeUncertain(ends, outcomes, pending);
      first = false;
      end(ends, outcomes, pending);
    }
    for (int i = 0; i < outcomes.length; i++) {
      String id = ends.get(i).transactionalId();
      if (outcomes[i].kind() == Kind.RETRY) {
        uncertain.add(id);
      } else {
        uncertain.remove(id);
      }
    }
    return List.of(outcomes);
  }

  /** Judges without a try what may have ended before; leaves in {@code pending} what is open. */
  private void judgeUncertain(
      List<CoordinatorClient.End> ends, Outcome[] outcomes, List<Integer> pending)
      throws IOException, InterruptedException {
    List<Integer> asked = new ArrayList<>();
    for (int i : pending) {
      if (first || uncertain.contains(ends.get(i).transactionalId())) {
        asked.add(i);
      }
    }
    judge(ends, outcomes, asked, Map.of());
    for (int i : asked) {
      // Still open: to be tried.
      if (outcomes[i] == null) {
        continue;
      }
      pending.remove((Integer) i);
    }
  }

  private void end(List<CoordinatorClient.End> ends, Outcome[] outcomes, List<Integer> pending)
      throws IOException, InterruptedException {
    List<Answer<Boolean>> answers = client.end(pending.stream().map(ends::get).toList());
    List<Integer> refused = new ArrayList<>();
    Map<Integer, String> refusals = new HashMap<>();
    for (int i = 0; i < answers.size(); i++) {
      Answer<Boolean> answer = answers.get(i);
      int index = pending.get(i);
      if (answer.value() != null) {
        outcomes[index] = new Outcome(Kind.COMMITTED, "the broker accepted the commit");
      } else if (answer.trouble() != null) {
        outcomes[index] = new Outcome(Kind.RETRY, answer.trouble());
      } else {
        refused.add(index);
        refusals.put(index, "EndTxn was answered " + answer.error() + "; ");
      }
    }
    judge(ends, outcomes, refused, refusals);
    for (int i : refused) {
      if (outcomes[i] == null) {
        outcomes[i] = new Outcome(Kind.RETRY, refusals.get(i) + "the transaction is open");
      }
    }
  }

  /** Sets the outcome of each of {@code indices} that is not open. */
  private void judge(
      List<CoordinatorClient.End> ends,
      Outcome[] outcomes,
      List<Integer> indices,
      Map<Integer, String> answers)
      throws IOException, InterruptedException {
    if (indices.isEmpty()) {
      return;
    }
    Set<String> ids = new LinkedHashSet<>();
    indices.forEach(i -> ids.add(ends.get(i).transactionalId()));
    Map<String, Answer<TransactionDescription>> descriptions = client.describe(ids);
    for (int i : indices) {
      CoordinatorClient.End end = ends.get(i);
      Answer<TransactionDescription> description = descriptions.get(end.transactionalId());
      String words = answers.getOrDefault(i, "");
      if (description.value() == null) {
        outcomes[i] = new Outcome(Kind.RETRY, words + description.trouble());
        continue;
      }
      TransactionEvidence evidence = TransactionEvidence.of(end.handle(), description.value());
      words += evidence.words();
      outcomes[i] =
          switch (evidence.standing()) {
            case OPEN -> null;
            case ENDING -> new Outcome(Kind.RETRY, words);
            case COMMITTED, COMMITTED_BEFORE -> new Outcome(Kind.ALREADY_COMMITTED, words);
            case ABORTED -> new Outcome(Kind.LOST, words);
            case UNKNOWN -> new Outcome(Kind.UNKNOWN, words);
          };
    }
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
  }
}
