// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.protocol.Attempt;
import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.Outcome;
import dev.flinktxn.protocol.RowTarget;
import dev.flinktxn.protocol.Sighting;
import dev.flinktxn.protocol.Transaction;
import dev.flinktxn.protocol.TransactionName;
import dev.flinktxn.protocol.WriterStore;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.TaskInfoImpl;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.apache.flink.runtime.metrics.groups.InternalSinkWriterMetricGroup;
import org.apache.flink.runtime.metrics.groups.UnregisteredMetricGroups;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/** One topic on one real broker, and our stores on it, opened as a task would open them. */
final class KafkaRig implements AutoCloseable {

  private static final AtomicInteger TOPICS = new AtomicInteger();
  private static final Duration LIMIT = Duration.ofSeconds(20);

  final EmbeddedKafka kafka;
  private final String bootstrapServers;
  final String topic = "rows-" + TOPICS.incrementAndGet();
  final String prefix;
  final Map<String, String> properties = new HashMap<>();
  final Attempt attempt = new Attempt(System.currentTimeMillis(), randomPart());
  final SinkWriterMetricGroup metrics =
      InternalSinkWriterMetricGroup.wrap(
          UnregisteredMetricGroups.createUnregisteredOperatorMetricGroup());
  List<String> topics;
  Duration transactionTimeout;
  boolean endless;
  Duration checkpointInterval;
  private final List<AutoCloseable> opened = new ArrayList<>();
  private CoordinatorClient coordinators;

  /** Client threads that other tests of this JVM keep. */
  private final Set<Thread> others = clientThreads();

  KafkaRig(EmbeddedKafka kafka) {
    this(kafka, "rig-" + TOPICS.get());
  }

  KafkaRig(EmbeddedKafka kafka, String prefix) {
    this(kafka, prefix, kafka.bootstrapServers(), kafka.admin());
  }

  /** A rig on a broker that runs elsewhere. */
  KafkaRig(String bootstrapServers, Admin admin) {
    this(null, "rig-" + TOPICS.get(), bootstrapServers, admin);
  }

  private KafkaRig(EmbeddedKafka kafka, String prefix, String bootstrapServers, Admin admin) {
    this.kafka = kafka;
    this.prefix = prefix;
    this.bootstrapServers = bootstrapServers;
    properties.put("bootstrap.servers", bootstrapServers);
    properties.put("linger.ms", "0");
    try {
      admin.createTopics(List.of(new NewTopic(topic, 3, (short) 1))).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String randomPart() {
    return UUID.randomUUID().toString().replace("-", "").substring(0, 8);
  }

  KafkaTarget target() {
    return new KafkaTarget(
        "t",
        topics == null ? List.of(topic) : topics,
        null,
        Map.copyOf(properties),
        transactionTimeout,
        endless,
        prefix,
        new TextEncoder(topic),
        Folding.OFF,
        checkpointInterval,
        null);
  }

  WriterStore writer() throws IOException, InterruptedException {
    return keep(new KafkaSystem(target()).openWriterStore(context(WriterInitContext.class)));
  }

  CommitterStore committer() {
    return keep(new KafkaSystem(target()).openCommitterStore(context(CommitterInitContext.class)));
  }

  RowTarget rowTarget() throws IOException, InterruptedException {
    return keep(new KafkaSystem(target()).openRowTarget(context(WriterInitContext.class)));
  }

  CoordinatorClient coordinators() {
    if (coordinators == null) {
      coordinators =
          keep(
              new CoordinatorClient(
                  Map.of("bootstrap.servers", bootstrapServers), "rig", Duration.ofSeconds(5)));
    }
    return coordinators;
  }

  <T extends AutoCloseable> T keep(T closeable) {
    opened.add(0, closeable);
    return closeable;
  }

  private <T> T context(Class<T> type) {
    TaskInfo task = new TaskInfoImpl("sink", 1, 0, 1, 0);
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getTaskInfo" -> task;
                  case "metricGroup" -> metrics;
                  default -> null;
                }));
  }

  TransactionName name(int slot) {
    return new TransactionName(prefix, attempt, 0, slot);
  }

  static RowData row(String text) {
    return GenericRowData.of(StringData.fromString(text));
  }

  /** A transaction of one row, flushed, looked at and prepared, as at a barrier. */
  Committable prepare(WriterStore store, TransactionName name, String... texts)
      throws IOException, InterruptedException {
    return prepare(store, name, List.of(), texts);
  }

  /** The same, with {@code committed} looked at in the same round trip, as the writer does. */
  Committable prepare(
      WriterStore store, TransactionName name, List<Committable> committed, String... texts)
      throws IOException, InterruptedException {
    Transaction transaction = store.begin(name);
    for (String text : texts) {
      transaction.write(row(text));
    }
    transaction.flush();
    List<WriterStore.Look> looks = new ArrayList<>();
    for (Committable committable : committed) {
      looks.add(new WriterStore.Look(committable.name(), committable.handle()));
    }
    looks.add(new WriterStore.Look(name, transaction.handle()));
    List<Sighting> sightings = store.look(looks);
    assertThat(sightings.subList(0, committed.size())).allMatch(Sighting.COMMITTED::equals);
    assertThat(sightings.get(committed.size())).isEqualTo(Sighting.OPEN);
    byte[] handle = transaction.prepare();
    transaction.close();
    return new Committable(name, handle, 1, 1, 1, 60_000);
  }

  static Sighting look(WriterStore store, Committable committable)
      throws IOException, InterruptedException {
    return store
        .look(List.of(new WriterStore.Look(committable.name(), committable.handle())))
        .get(0);
  }

  static Outcome commit(CommitterStore store, Committable committable)
      throws IOException, InterruptedException {
    return store.commit(List.of(committable)).get(0);
  }

  /** The outcome a committer of its own comes to, which knows nothing from before. */
  Outcome.Kind outcome(Committable committable) throws IOException, InterruptedException {
    try (CommitterStore store =
        new KafkaSystem(target()).openCommitterStore(context(CommitterInitContext.class))) {
      return commit(store, committable).kind();
    }
  }

  /** The outcome a committer comes to that does not ask first. */
  Outcome secondCallOutcome(Committable settled, Committable committable)
      throws IOException, InterruptedException {
    try (CommitterStore store =
        new KafkaSystem(target()).openCommitterStore(context(CommitterInitContext.class))) {
      commit(store, settled);
      return commit(store, committable);
    }
  }

  static KafkaHandle handle(Committable committable) {
    try {
      return KafkaHandle.decode(committable.handle());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  TransactionDescription describe(TransactionName name) {
    return Awaitility.await()
        .atMost(LIMIT)
        .until(
            () -> coordinators().describe(Set.of(name.toString())).get(name.toString()).value(),
            description -> description != null);
  }

  TransactionDescription awaitState(TransactionName name, TransactionDescription.State state) {
    return Awaitility.await()
        .atMost(LIMIT)
        .until(() -> describe(name), description -> description.state() == state);
  }

  /** Ends a transaction past our committer, in the flavour of choice. */
  void end(Committable committable, boolean commit, boolean v2) {
    KafkaHandle handle = handle(committable);
    KafkaHandle flavoured =
        new KafkaHandle(handle.producerId(), handle.epoch(), v2, false, handle.startedAt());
    String id = committable.name().toString();
    Awaitility.await()
        .atMost(LIMIT)
        .until(
            () ->
                coordinators()
                        .end(List.of(new CoordinatorClient.End(id, flavoured, commit)))
                        .get(0)
                        .value()
                    != null);
    awaitState(
        committable.name(),
        commit
            ? TransactionDescription.State.COMPLETE_COMMIT
            : TransactionDescription.State.COMPLETE_ABORT);
  }

  /** A plain Kafka producer of anybody's, which initialises the id. */
  KafkaProducer<byte[], byte[]> stranger(String transactionalId) {
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", bootstrapServers);
    config.put("transactional.id", transactionalId);
    KafkaProducer<byte[], byte[]> producer =
        keep(new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()));
    producer.initTransactions();
    return producer;
  }

  /** Everything on the topic that a read_committed reader gets to see once nothing is open. */
  List<String> committed() {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "isolation.level",
                "read_committed",
                "auto.offset.reset",
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = ends();
      List<String> texts = new ArrayList<>();
      Awaitility.await()
          .atMost(LIMIT)
          .until(
              () -> {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(50))) {
                  texts.add(new String(record.value(), StandardCharsets.UTF_8));
                }
                return partitions.stream()
                    .allMatch(partition -> consumer.position(partition) >= ends.get(partition));
              });
      return texts;
    }
  }

  private Map<TopicPartition, Long> ends() {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      return consumer.endOffsets(
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList());
    }
  }

  /** Another rig on the same broker, closed with this one. */
  KafkaRig sibling(String prefix) {
    KafkaRig rig = new KafkaRig(kafka, prefix);
    keep(rig::closeAll);
    return rig;
  }

  private void closeAll() throws Exception {
    for (AutoCloseable closeable : opened) {
      closeable.close();
    }
  }

  /** Closes everything opened here and asserts that no thread of Kafka's clients is left. */
  @Override
  public void close() throws Exception {
    closeAll();
    Awaitility.await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(clientThreads()).filteredOn(t -> !others.contains(t)).isEmpty());
  }

  private static Set<Thread> clientThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(
            thread ->
                thread.getName().contains("kafka-producer-network-thread")
                    || thread.getName().contains("kafka-admin-client-thread")
                        && !thread.getName().contains(EmbeddedKafka.ADMIN_CLIENT_ID))
        .collect(Collectors.toSet());
  }
}
