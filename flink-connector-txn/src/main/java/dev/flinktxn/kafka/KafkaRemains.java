// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.kafka.TransactionDescription.State;
import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.OpenTransaction;
import dev.flinktxn.protocol.Remains;
import dev.flinktxn.protocol.Remnant;
import dev.flinktxn.protocol.Sighting;
import dev.flinktxn.protocol.TransactionName;
import dev.flinktxn.table.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.util.TimeUtils;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;

/**
 * The transactional ids of prefixes. Ids are seen only where the principal may describe them.
 *
 * <p>The brokers do not tell who is connected, so signs of life are a transaction that was begun
 * lately, and anything that changes between two looks: a live job begins a transaction once a
 * checkpoint, while it has rows. A job without rows for longer looks like a dead one.
 */
public final class KafkaRemains implements Remains {

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

  /** Jobs are told to take a checkpoint at least four times per transaction timeout. */
  private static final int TIMEOUT_PARTS = 3;

  private static final Duration LONGEST_QUIET = Duration.ofHours(1);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String CLIENT = "procedure";

  private final String words;
  private final ProducerSettings settings;
  private final PatientCoordinators coordinators;
  private final Admin admin;

  /**
   * Makes clients, which connect when they are first needed.
   *
   * @param options {@code properties.*} as in a table's options; may hold secrets
   * @param words what stands for the table in messages
   * @throws dev.flinktxn.protocol.RefusedException if no client can be made of the options
   */
  public KafkaRemains(Map<String, String> options, String words) throws IOException {
    this.words = words;
    this.settings =
        new ProducerSettings(
            new ProducerProperties(options, new Refusal(words))
                .forClient(options.get(KafkaOptions.BOOTSTRAP_SERVERS.key())));
    KafkaSystem.validate(words, settings.plain(CLIENT));
    CoordinatorClient client = connect();
    this.coordinators = new PatientCoordinators(client, PATIENCE, words);
    Map<String, Object> properties = new HashMap<>(settings.connection());
    properties.put(AdminClientConfig.CLIENT_ID_CONFIG, settings.clientId(CLIENT));
    properties.put(
        AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
        Math.toIntExact(settings.requestTimeout().toMillis()));
    properties.put(
        AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
        Math.toIntExact(settings.requestTimeout().plus(BETWEEN_LOOKS).toMillis()));
    properties.put(AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    try {
      this.admin = Admin.create(properties);
    } catch (KafkaException e) {
      client.close();
      throw BrokerRefusal.unusable(words, e);
    }
  }

  private CoordinatorClient connect() throws IOException {
    try {
      return new CoordinatorClient(
          settings.connection(), settings.clientId(CLIENT), settings.requestTimeout());
    } catch (KafkaException e) {
      throw BrokerRefusal.unusable(words, e);
    }
  }

  @Override
  public String system() {
    return "Kafka";
  }

  @Override
  public List<Remnant> of(String prefix) throws IOException, InterruptedException {
    List<Remnant> found = new ArrayList<>();
    new TransactionLook(admin).at(prefix).values().forEach(seen -> found.add(remnant(seen)));
    found.sort(Comparator.comparing(remnant -> remnant.open() == null));
    return found;
  }

  private static Remnant remnant(TransactionLook.Seen seen) {
    boolean open = seen.isOpen();
    return new Remnant(
        "transaction",
        seen.name().toString(),
        seen.partitions().stream().map(Object::toString).sorted().collect(Collectors.joining(", ")),
        seen.state(),
        seen.startedAt() < 0 ? null : Instant.ofEpochMilli(seen.startedAt()),
        seen.timeout(),
        null,
        null,
        seen.name().writer(),
        "producer %d epoch %d%s"
            .formatted(
                seen.producerId(),
                seen.epoch(),
                open ? "; readers of its partitions wait for its end" : ""),
        open
            ? new OpenTransaction(
                seen.name(),
                new Incarnation(seen.producerId(), seen.epoch(), seen.startedAt()).toString())
            : null);
  }

  @Override
  public Optional<String> signOfLife(String prefix, Duration quietFor)
      throws IOException, InterruptedException {
    TransactionLook look = new TransactionLook(admin);
    Map<TransactionName, TransactionLook.Seen> before = look.at(prefix);
    if (before.values().stream().noneMatch(TransactionLook.Seen::isOpen)) {
      return Optional.empty();
    }
    long now = System.currentTimeMillis();
    for (TransactionLook.Seen seen : before.values()) {
      Duration quiet = quietFor == null ? quiet(seen.timeout()) : quietFor;
      if (seen.startedAt() >= 0 && now - seen.startedAt() < quiet.toMillis()) {
        return Optional.of(
            "transaction %s was begun %,d ms ago, less than %s"
                .formatted(
                    seen.name(), now - seen.startedAt(), TimeUtils.formatWithHighestUnit(quiet)));
      }
    }
    BrokerConnections.pause(BETWEEN_LOOKS.toMillis());
    for (TransactionLook.Seen after : look.at(prefix).values()) {
      TransactionLook.Seen earlier = before.get(after.name());
      if (!after.equals(earlier)) {
        return Optional.of(
            "transaction %s was %s within %d s"
                .formatted(
                    after.name(),
                    earlier == null ? "begun" : "written or ended",
                    BETWEEN_LOOKS.toSeconds()));
      }
    }
    return Optional.empty();
  }

  private static Duration quiet(Duration timeout) {
    Duration part = timeout.dividedBy(TIMEOUT_PARTS);
    return part.compareTo(LONGEST_QUIET) < 0 ? part : LONGEST_QUIET;
  }

  @Override
  public Sighting end(Remnant remnant) throws IOException, InterruptedException {
    String id = remnant.transaction();
    Incarnation incarnation = Incarnation.parse(remnant.open().incarnation());
    coordinators.abort(id, incarnation, remnant.timeout());
    TransactionDescription now = coordinators.describe(Set.of(id)).get(id);
    if (!incarnation.isSeenIn(now)) {
      // Where an abort is an initialisation, that leaves no start behind.
      boolean initialised =
          now.state() == State.EMPTY
              && now.producerId() == incarnation.producerId()
              && now.epoch() > incarnation.epoch();
      return initialised ? Sighting.ABORTED : Sighting.UNKNOWN;
    }
    return now.isAbort()
        ? Sighting.ABORTED
        : now.isCommit() ? Sighting.COMMITTED : Sighting.UNKNOWN;
  }

  @Override
  public boolean holds(Committable committable) {
    return KafkaHandle.isOne(committable.handle());
  }

  @Override
  public List<Remnant> standing(List<Committable> committables)
      throws IOException, InterruptedException {
    Map<String, TransactionDescription> descriptions =
        coordinators.describe(
            committables.stream().map(one -> one.name().toString()).collect(Collectors.toSet()));
    List<Remnant> standing = new ArrayList<>();
    for (Committable committable : committables) {
      KafkaHandle handle = KafkaHandle.decode(committable.handle());
      TransactionEvidence evidence =
          TransactionEvidence.of(handle, descriptions.get(committable.name().toString()));
      standing.add(
          new Remnant(
              "transaction",
              committable.name().toString(),
              "",
              handle.empty() ? "COMMITTED" : evidence.standing().toString(),
              Instant.ofEpochMilli(committable.begunAt()),
              committable.timeout() < 0 ? null : Duration.ofMillis(committable.timeout()),
              null,
              null,
              committable.name().writer(),
              handle.empty() ? "nothing was written under it" : evidence.words(),
              null));
    }
    return standing;
  }

  @Override
  public List<List<Committable>> parts(List<Committable> committables) {
    return List.of(committables);
  }

  @Override
  public CommitterStore committer(List<Committable> part) {
    return new KafkaCommitterStore(this::connect);
  }

  @Override
  public void close() {
    try {
      coordinators.close();
    } finally {
      admin.close(Duration.ofSeconds(5));
    }
  }
}
