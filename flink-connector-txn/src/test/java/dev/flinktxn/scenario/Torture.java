// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.ClusterSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.Fault;
import dev.flinktxn.fixture.FlinkCluster;
import dev.flinktxn.fixture.KafkaFaults;
import dev.flinktxn.fixture.KafkaRequest;
import dev.flinktxn.fixture.PgFaults;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresSettings;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.TaskManagerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * A cluster, a broker and a PostgreSQL, and what happens to them: one thing of a seeded random
 * sequence after the other. What was killed or paused is mended some time later, so that the next
 * thing often happens before that. Used by one thread.
 */
final class Torture implements AutoCloseable {

  /** What can happen, and how often it does in relation to the others. */
  enum Event {
    KILL_TASK_MANAGER(10),
    KILL_ALL_TASK_MANAGERS(2),
    KILL_JOB_MANAGER(2),
    KILL_BROKER(3),
    KILL_POSTGRES(3),
    KILL_DURING_SAVEPOINT(2),
    PAUSE_TASK_MANAGER(3),
    PAUSE_BROKER(1),
    PAUSE_POSTGRES(1),
    CUT_KAFKA(2),
    CUT_POSTGRES(2),
    HOLD_COMMITS(2),
    SAVEPOINT(1),
    STOP_AND_RESUME(2),
    RESCALE(3),
    RESTORE(2);

    private final int weight;

    Event(int weight) {
      this.weight = weight;
    }

    private static Event next(Random random) {
      List<Event> urn = new ArrayList<>();
      for (Event event : values()) {
        for (int i = 0; i < event.weight; i++) {
          urn.add(event);
        }
      }
      return urn.get(random.nextInt(urn.size()));
    }
  }

  /** Something that has to be done at a time. */
  private record Mending(long dueNanos, Runnable work) {}

  private static final int TASK_MANAGERS = 2;
  private static final int SLOTS = 2;
  private static final int PARALLELISM = TASK_MANAGERS * SLOTS;
  private static final int UNSETTLED_AT_MOST = 3;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Random random;
  private final RunDirectory run;
  private final FlinkCluster cluster;
  private final ProcessBroker broker;
  private final Postgres postgres;
  private final PostgresTables tables;
  private final PriorityQueue<Mending> mendings =
      new PriorityQueue<>(Comparator.comparingLong(Mending::dueNanos));
  private final Set<Object> down = new HashSet<>();
  private final Map<Event, Integer> events = new EnumMap<>(Event.class);
  private TortureJob job;
  private int kills;

  Torture(long seed, RunDirectory run, BrokerSettings brokerSettings) {
    this.random = new Random(seed);
    this.run = run;
    Distribution distribution = Distribution.locate();
    broker = new ProcessBroker(run, distribution, brokerSettings);
    postgres = Postgres.startProcess(run, PostgresSettings.usual());
    tables = PostgresTables.create(TargetKind.PG_INLINE, postgres);
    cluster = FlinkCluster.start(run, distribution, ClusterSettings.slots(SLOTS), TASK_MANAGERS);
  }

  ProcessBroker broker() {
    return broker;
  }

  PostgresTables tables() {
    return tables;
  }

  TortureJob job() {
    return job;
  }

  /** How many processes were killed. */
  int kills() {
    return kills;
  }

  /** What happened how often. */
  Map<Event, Integer> events() {
    return events;
  }

  /** Starts the job, which reads from and writes to the broker and the tables. */
  void start(String statements) {
    Path connector = Path.of(System.getProperty("connector.jar"));
    Path official = Distribution.locate().connector("flink-sql-connector-kafka");
    job = new TortureJob(cluster, cluster.sqlClient(connector, official), run.path(), statements);
    job.submit(PARALLELISM);
    job.awaitCheckpoints(1);
  }

  /** Goes on for that long, and leaves everything whole and the job running. */
  void torment(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    int unsettled = 0;
    while (System.nanoTime() < end) {
      Event event = Event.next(random);
      System.out.printf("%s torture: %s%n", Instant.now(), event);
      if (happens(event)) {
        events.merge(event, 1, Integer::sum);
      }
      if (++unsettled == UNSETTLED_AT_MOST || random.nextInt(10) < 5) {
        settle();
        unsettled = 0;
      } else {
        let(between(0, 5_000));
      }
    }
    settle();
    broker.faults().clear();
    tables.clearFaults();
  }

  /** Returns when everything is mended and the job has gone on since. */
  private void settle() {
    mend();
    if (job.isFinished()) {
      // A stop with a savepoint, disturbed after it had been told to everybody.
      job.submit(job.parallelism());
    }
    job.awaitCheckpoints(2);
  }

  private void mend() {
    while (!mendings.isEmpty()) {
      let(Duration.ofNanos(Math.max(0, mendings.peek().dueNanos() - System.nanoTime())));
    }
  }

  /** Lets everything be as it is for a while, but for what is due to be mended. */
  private void let(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    do {
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      while (!mendings.isEmpty() && mendings.peek().dueNanos() <= System.nanoTime()) {
        mendings.remove().work().run();
      }
    } while (System.nanoTime() < end);
  }

  private void mendAfter(Duration time, Runnable work) {
    mendings.add(new Mending(System.nanoTime() + time.toNanos(), work));
  }

  /** The same for one to whom nothing else may happen before. */
  private void mendAfter(Duration time, Object who, Runnable work) {
    down.add(who);
    mendAfter(
        time,
        () -> {
          work.run();
          down.remove(who);
        });
  }

  private Duration between(int fromMillis, int toMillis) {
    return Duration.ofMillis(fromMillis + random.nextInt(toMillis - fromMillis));
  }

  /** False when it cannot, because the one it would happen to lies down already. */
  private boolean happens(Event event) {
    return switch (event) {
      case KILL_TASK_MANAGER -> killTaskManagers(1);
      case KILL_ALL_TASK_MANAGERS -> killTaskManagers(TASK_MANAGERS);
      case KILL_JOB_MANAGER -> killJobManager();
      case KILL_BROKER -> killBroker();
      case KILL_POSTGRES -> killPostgres();
      case KILL_DURING_SAVEPOINT -> killDuringSavepoint();
      case PAUSE_TASK_MANAGER -> pauseTaskManager();
      case PAUSE_BROKER -> pauseBroker();
      case PAUSE_POSTGRES -> pausePostgres();
      case CUT_KAFKA -> cutKafka();
      case CUT_POSTGRES -> cutPostgres();
      case HOLD_COMMITS -> holdCommits();
      case SAVEPOINT -> savepoint();
      case STOP_AND_RESUME -> stopAndResume(job.parallelism());
      case RESCALE -> rescale();
      case RESTORE -> restore(job.parallelism());
    };
  }

  private List<TaskManagerProcess> liveTaskManagers() {
    return new ArrayList<>(
        cluster.taskManagers().stream().filter(TaskManagerProcess::isAlive).toList());
  }

  private boolean killTaskManagers(int count) {
    List<TaskManagerProcess> live = liveTaskManagers();
    if (live.size() < count) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      live.remove(random.nextInt(live.size())).kill();
      kills++;
      Duration absence = random.nextBoolean() ? Duration.ZERO : between(0, 8_000);
      mendAfter(absence, this::replaceTaskManagers);
    }
    return true;
  }

  private void replaceTaskManagers() {
    for (int live = liveTaskManagers().size(); live < TASK_MANAGERS; live++) {
      cluster.startTaskManager();
    }
  }

  /** The next life of the job begins while the TaskManagers still run the last one. */
  private boolean killJobManager() {
    mend();
    cluster.replaceJobManager();
    kills++;
    job.submit(job.parallelism());
    return true;
  }

  /**
   * Not while it owes markers. When the only broker dies then, and is back before the controller
   * has missed it, Kafka 4.4.0 takes the partitions, which have no leader for a moment, for
   * deleted: the transaction ends as committed, and its records stay invisible behind a transaction
   * that hangs.
   */
  private boolean killBroker() {
    if (down.contains(broker)) {
      return false;
    }
    broker.faults().clear();
    Fault ends = broker.faults().hold(Torture::endsTransaction, Integer.MAX_VALUE);
    let(Duration.ofMillis(300));
    Await.until("no markers owed", LIMIT, () -> !broker.probe().isEndingTransactions());
    broker.process().kill();
    kills++;
    mendAfter(
        between(0, 6_000),
        broker,
        () -> {
          ends.discard();
          broker.process().start();
        });
    return true;
  }

  private static boolean endsTransaction(KafkaRequest request) {
    return request.apiKey() == KafkaRequest.END_TXN
        || request.apiKey() == KafkaRequest.INIT_PRODUCER_ID;
  }

  private boolean killPostgres() {
    if (down.contains(postgres)) {
      return false;
    }
    postgres.process().stopImmediately();
    kills++;
    mendAfter(between(0, 6_000), postgres, postgres.process()::restart);
    return true;
  }

  private boolean killDuringSavepoint() {
    CompletableFuture<Void> savepoint =
        CompletableFuture.runAsync(job::savepoint)
            .exceptionally(
                e -> {
                  System.out.println(
                      "torture: no savepoint: " + e.toString().lines().toList().get(0));
                  return null;
                });
    let(between(0, 1_500));
    boolean killed = killTaskManagers(1);
    mendAfter(Duration.ofSeconds(5), savepoint::join);
    return killed;
  }

  /** A zombie, when it comes back after the others have given it up. */
  private boolean pauseTaskManager() {
    List<TaskManagerProcess> live = liveTaskManagers();
    if (live.size() != TASK_MANAGERS || down.contains(cluster)) {
      return false;
    }
    TaskManagerProcess paused = live.get(random.nextInt(live.size()));
    paused.pause();
    cluster.startTaskManager();
    Duration absence = between(1_000, 15_000);
    mendAfter(
        absence,
        () -> {
          if (paused.isAlive()) {
            paused.resume();
          }
        });
    mendAfter(absence.plus(between(1_000, 8_000)), cluster, this::killSurplus);
    return true;
  }

  private void killSurplus() {
    List<TaskManagerProcess> live = liveTaskManagers();
    while (live.size() > TASK_MANAGERS) {
      live.remove(random.nextInt(live.size())).kill();
      kills++;
    }
  }

  private boolean pauseBroker() {
    if (down.contains(broker)) {
      return false;
    }
    broker.process().pause();
    // Shorter than the controller's patience, for the same reason.
    mendAfter(between(1_000, 8_000), broker, broker.process()::resume);
    return true;
  }

  private boolean pausePostgres() {
    if (down.contains(postgres)) {
      return false;
    }
    postgres.process().pause();
    mendAfter(between(1_000, 15_000), postgres, postgres.process()::resume);
    return true;
  }

  private int few() {
    return 1 + random.nextInt(3);
  }

  private boolean cutKafka() {
    switch (random.nextInt(3)) {
      case 0 -> broker.dropConnections();
      case 1 -> broker.faults().cutBefore(KafkaFaults.commits(), few());
      default -> broker.faults().cutAfter(KafkaFaults.commits(), few());
    }
    return true;
  }

  private boolean cutPostgres() {
    switch (random.nextInt(3)) {
      case 0 -> tables.dropConnections();
      case 1 -> tables.faults().cutBefore(PgFaults.commits(), few());
      default -> tables.faults().cutAfter(PgFaults.commits(), few());
    }
    return true;
  }

  private boolean holdCommits() {
    Fault fault =
        random.nextBoolean()
            ? broker.faults().hold(KafkaFaults.commits(), few())
            : tables.holdCommits(few());
    mendAfter(between(1_000, 12_000), random.nextBoolean() ? fault::release : fault::discard);
    return true;
  }

  private boolean savepoint() {
    mend();
    job.awaitCheckpoints(1);
    job.savepoint();
    return true;
  }

  private boolean stopAndResume(int subtasks) {
    mend();
    job.awaitCheckpoints(1);
    job.stop();
    job.submit(subtasks);
    return true;
  }

  private boolean rescale() {
    int other = (job.parallelism() + random.nextInt(PARALLELISM - 1)) % PARALLELISM + 1;
    return random.nextBoolean() ? stopAndResume(other) : restore(other);
  }

  /** In whatever state the job is. */
  private boolean restore(int subtasks) {
    job.cancel();
    mend();
    job.submit(subtasks);
    return true;
  }

  @Override
  public void close() {
    cluster.close();
    tables.close();
    broker.close();
    postgres.close();
  }
}
