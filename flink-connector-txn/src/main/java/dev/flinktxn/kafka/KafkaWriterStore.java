// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.kafka.TransactionDescription.State;
import dev.flinktxn.protocol.OpenTransaction;
import dev.flinktxn.protocol.Sighting;
import dev.flinktxn.protocol.Transaction;
import dev.flinktxn.protocol.TransactionName;
import dev.flinktxn.protocol.WriterStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions of one writer on Kafka. A name is a transactional id, and each name begun keeps its
 * producer until this store is closed. Used by the task thread.
 */
final class KafkaWriterStore implements WriterStore {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaWriterStore.class);

  private static final Duration ABANDON_LIMIT = Duration.ofSeconds(2);

  private final KafkaTarget target;
  private final ProducerSettings settings;
  private final PatientCoordinators coordinators;
  private final Duration transactionTimeout;
  private final SendMetrics metrics;
  private final TopicPartitions partitions;
  private final ProcessingTimeService timers;
  private final Duration remembered;
  private final Map<String, KafkaSlot> slots = new HashMap<>();
  private final Map<String, KafkaTransaction> transactions = new HashMap<>();

  KafkaWriterStore(
      KafkaTarget target,
      ProducerSettings settings,
      CoordinatorClient client,
      TransactionLimits limits,
      SendMetrics metrics,
      TopicPartitions partitions,
      ProcessingTimeService timers) {
    this.target = target;
    this.settings = settings;
    this.coordinators = new PatientCoordinators(client, settings.patience(), target.table());
    this.transactionTimeout = limits.timeout();
    this.metrics = metrics;
    this.partitions = partitions;
    this.timers = timers;
    // The broker counts from the last use of an id, so a begin this recent is safely remembered.
    // When a transaction was seen committed says nothing: that may be long after its commit.
    this.remembered = limits.idExpiration().dividedBy(2);
  }

  @Override
  public Transaction begin(TransactionName name) throws IOException, InterruptedException {
    String id = name.toString();
    KafkaSlot slot = slots.get(id);
    if (slot == null) {
      slot =
          new KafkaSlot(
              id,
              target.table(),
              settings.transactional(id, transactionTimeout),
              settings.patience(),
              target.endless() ? this::makeEndless : KafkaSlot.Initialized.NOTHING);
      slots.put(id, slot);
      slot.beginFirst();
    } else {
      beginNext(slot);
    }
    KafkaProducer<byte[], byte[]> producer = slot.producer().producer();
    partitions.ask(producer);
    metrics.follow(producer);
    KafkaTransaction transaction =
        new KafkaTransaction(
            this, slot, target.encoder(), RecordSender.of(target, producer, metrics, timers));
    transactions.put(id, transaction);
    return transaction;
  }

  private void makeEndless(String id, TransactionalProducer producer)
      throws IOException, InterruptedException {
    producer.become(coordinators.makeEndless(id, producer.current()));
  }

  private void beginNext(KafkaSlot slot) throws IOException, InterruptedException {
    if (slot.begunWithin(remembered)) {
      slot.beginNext();
      return;
    }
    String id = slot.transactionalId();
    TransactionDescription now = coordinators.describe(Set.of(id)).get(id);
    if (now.state() == State.ABSENT || slot.isWhereItWasLeft(now)) {
      LOG.info("Table {}: initialising id {}, which was idle for long", target.table(), id);
      slot.beginAfterIdling();
    } else {
      throw new IOException(
          "Table "
              + target.table()
              + ": somebody else used transactional id "
              + id
              + "; "
              + now
              + ". The job restarts with new ids.");
    }
  }

  @Override
  public List<Sighting> look(List<Look> looks) throws IOException, InterruptedException {
    Set<String> asked = new LinkedHashSet<>();
    List<KafkaHandle> handles = new ArrayList<>();
    for (Look look : looks) {
      KafkaHandle handle = KafkaHandle.decode(look.handle());
      handles.add(handle);
      if (!handle.empty()) {
        asked.add(look.name().toString());
      }
    }
    Map<String, TransactionDescription> descriptions = coordinators.describe(asked);
    List<Sighting> sightings = new ArrayList<>();
    for (int i = 0; i < handles.size(); i++) {
      String id = looks.get(i).name().toString();
      KafkaHandle handle = handles.get(i);
      sightings.add(handle.empty() ? sightEmpty(id) : sight(id, handle, descriptions.get(id)));
    }
    return sightings;
  }

  /** The broker never heard of a transaction without records: it stands as it was left here. */
  private Sighting sightEmpty(String id) {
    KafkaTransaction transaction = transactions.get(id);
    return transaction != null && !transaction.isPrepared() ? Sighting.OPEN : Sighting.COMMITTED;
  }

  private Sighting sight(String id, KafkaHandle handle, TransactionDescription now) {
    TransactionEvidence evidence = TransactionEvidence.of(handle, now);
    KafkaSlot slot = slots.get(id);
    switch (evidence.standing()) {
      case OPEN, ENDING -> {
        KafkaTransaction transaction = transactions.get(id);
        if (transaction != null && evidence.standing() == TransactionEvidence.Standing.OPEN) {
          transaction.startedAt(handle, now.startedAt());
        }
        return Sighting.OPEN;
      }
      case COMMITTED -> {
        if (now.state() == State.PREPARE_COMMIT && now.epoch() == Short.MAX_VALUE) {
          // The broker gives the id a new producer id when it completes this.
          return Sighting.OPEN;
        }
        if (slot != null) {
          slot.committed(handle, now);
        }
        return Sighting.COMMITTED;
      }
      case ABORTED -> {
        LOG.warn("Table {}: transaction {} is gone: {}", target.table(), id, evidence.words());
        return Sighting.ABORTED;
      }
      default -> {
        // Expired, or used by a stranger: never begun again from here.
        LOG.warn("Table {}: transaction {} is unknown: {}", target.table(), id, evidence.words());
        if (slots.remove(id) != null) {
          slot.close();
        }
        return Sighting.UNKNOWN;
      }
    }
  }

  @Override
  public List<OpenTransaction> open(String prefix) throws IOException, InterruptedException {
    Map<String, TransactionName> names = new HashMap<>();
    for (String id : coordinators.open(prefix + TransactionName.SEPARATOR)) {
      TransactionName.parse(prefix, id).ifPresent(name -> names.put(id, name));
    }
    List<OpenTransaction> open = new ArrayList<>();
    coordinators
        .describe(names.keySet())
        .forEach(
            (id, now) -> {
              if (now.state() == State.ONGOING) {
                open.add(new OpenTransaction(names.get(id), Incarnation.of(now).toString()));
              }
            });
    return open;
  }

  @Override
  public void abort(OpenTransaction orphan) throws IOException, InterruptedException {
    coordinators.abort(
        orphan.name().toString(), Incarnation.parse(orphan.incarnation()), transactionTimeout);
  }

  /**
   * Stops writing a transaction that nobody will commit, and aborts it if that works at once; if it
   * does not, the clean-up of the next attempt does.
   */
  void abandon(KafkaSlot slot, KafkaHandle handle) {
    String id = slot.transactionalId();
    slots.remove(id);
    transactions.remove(id);
    slot.close();
    if (!handle.empty() && !Thread.currentThread().isInterrupted()) {
      try {
        coordinators.abortOnce(id, handle, ABANDON_LIMIT, transactionTimeout);
      } catch (IOException e) {
        LOG.info("Table {}: transaction {} stays open for now", target.table(), id, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public Optional<Duration> transactionTimeout() {
    return target.endless() ? Optional.empty() : Optional.of(transactionTimeout);
  }

  @Override
  public void close() {
    RuntimeException failure = null;
    for (KafkaSlot slot : slots.values()) {
      try {
        slot.close();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    slots.clear();
    transactions.clear();
    coordinators.close();
    if (failure != null) {
      throw failure;
    }
  }
}
