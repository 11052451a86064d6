// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.Json;
import dev.flinktxn.fixture.KeepLogsOnFailure;
import dev.flinktxn.fixture.RunDirectory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * One job that reads a topic and writes each row, and by key the state after each row, to a topic
 * and to a table, while everything around it is killed, paused and cut off. {@code
 * -Dtorture.minutes} says for how long, {@code -Dtorture.seed} which sequence of events, {@code
 * -Dtorture.rate} how many rows a second; to see it fail, {@code
 * -Dtorture.guarantee=at-least-once}.
 */
@Tag("full")
class TortureProcessITCase {

  private static final Duration MINUTES = Duration.ofMinutes(Long.getLong("torture.minutes", 3));
  private static final long SEED = Long.getLong("torture.seed", 1);
  private static final int RATE = Integer.getInteger("torture.rate", 100);
  private static final String GUARANTEE = System.getProperty("torture.guarantee", "exactly-once");
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final List<String> TOPICS = List.of("ka", "kk");

  private static final RunDirectory RUN = RunDirectory.create("torture");

  @RegisterExtension
  static final KeepLogsOnFailure KEEP_LOGS_ON_FAILURE = new KeepLogsOnFailure(RUN);

  @AfterAll
  static void stop() {
    RUN.close();
  }

  /** Each wait has a limit of its own; the whole lasts as long as it is told to. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.DAYS)
  void everyRowIsInBothSystemsOnceWhateverHappens() {
    BrokerSettings broker = BrokerSettings.usual().withTransactionVersion(SEED % 3 == 0 ? 1 : 2);
    try (Torture torture = new Torture(SEED, RUN, broker)) {
      torture.broker().probe().createTopic("in", 8);
      TOPICS.forEach(topic -> torture.broker().probe().createTopic(topic, 4));
      torture.tables().execute("CREATE TABLE pa (id bigint, k int, v text)");
      torture.tables().execute("CREATE TABLE pk (k int PRIMARY KEY, c bigint, m bigint, s bigint)");
      try (TortureRows input =
          new TortureRows(torture.broker().process().bootstrapServers(), "in", RATE)) {
        torture.start(script(torture));
        torture.torment(MINUTES);
        long rows = input.end();
        awaitAll(torture, rows);
        Set<String> orphans = orphans(torture);
        torture.job().stop();
        check(torture, rows, orphans);
      }
    }
  }

  private static void awaitAll(Torture torture, long rows) {
    Await.until(
        rows + " rows in both tables",
        LIMIT,
        () ->
            count(torture, "SELECT count(*) FROM pa") >= rows
                && count(torture, "SELECT sum(c) FROM pk") >= rows);
  }

  private static long count(Torture torture, String query) {
    return Long.parseLong(torture.tables().query(query).get(0));
  }

  /** What is still open although nothing is written; a zombie's is cleaned up once a minute. */
  private static Set<String> orphans(Torture torture) {
    Set<String> orphans = new TreeSet<>();
    try {
      Await.until(
          "nothing open",
          LIMIT,
          () -> {
            orphans.clear();
            TOPICS.forEach(topic -> orphans.addAll(torture.broker().unfinished(topic).keySet()));
            List.of("pa", "pk").forEach(table -> orphans.addAll(torture.tables().open(table)));
            orphans.addAll(torture.tables().stagingTables());
            return orphans.isEmpty();
          });
    } catch (Await.GaveUpException e) {
      System.out.println("torture: left open: " + orphans);
    }
    return orphans;
  }

  private static void check(Torture torture, long rows, Set<String> orphans) {
    torture.tables().awaitNothingLeft(List.of());
    TOPICS.forEach(
        topic ->
            Await.until(
                "readers reach the end of " + topic,
                LIMIT,
                () -> torture.broker().probe().isStable(topic)));
    List<String> changes = new ArrayList<>();
    Map<String, String> last = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record :
        torture.broker().probe().records("kk", IsolationLevel.READ_COMMITTED)) {
      Json row = Json.parse(new String(record.value(), StandardCharsets.UTF_8));
      String key = String.valueOf(row.get("k").number());
      changes.add(key + " " + row.get("c").number());
      last.put(
          key,
          String.join(" ", key, row.get("c").text(), row.get("m").text(), row.get("s").text()));
    }
    Map<String, TortureRows.Tally> tallies =
        Map.of(
            "rows in Kafka",
            TortureRows.appended(rows, torture.broker().probe().committed("ka")),
            "rows in PostgreSQL",
            TortureRows.appended(
                rows,
                torture
                    .tables()
                    .query("SELECT format('{\"id\":%s,\"k\":%s,\"v\":\"%s\"}', id, k, v) FROM pa")),
            "changes in Kafka",
            TortureRows.changes(rows, changes),
            "last states in Kafka",
            TortureRows.states(rows, List.copyOf(last.values())),
            "states in PostgreSQL",
            TortureRows.states(
                rows, torture.tables().query("SELECT concat_ws(' ', k, c, m, s) FROM pk")));
    long lost = tallies.values().stream().mapToLong(TortureRows.Tally::lost).sum();
    long duplicated = tallies.values().stream().mapToLong(TortureRows.Tally::duplicated).sum();
    tallies.forEach(
        (what, tally) ->
            System.out.printf(
                "torture: %s: lost=%d duplicated=%d%n", what, tally.lost(), tally.duplicated()));
    System.out.printf(
        "RESULT %s seed=%d minutes=%d events=%s kills=%d checkpoints=%d rows=%d lost=%d"
            + " duplicated=%d orphans=%d%n",
        GUARANTEE,
        SEED,
        MINUTES.toMinutes(),
        torture.events(),
        torture.kills(),
        torture.job().checkpoints(),
        rows,
        lost,
        duplicated,
        orphans.size());
    assertThat(List.of(lost, duplicated, (long) orphans.size()))
        .as("lost, duplicated, orphans")
        .containsExactly(0L, 0L, 0L);
    assertThat(torture.kills()).as("killed processes").isPositive();
  }

  private static String script(Torture torture) {
    String brokers = torture.broker().bootstrapServers();
    // By turns: aligned or not, appended rows in the checkpoint or in staging tables.
    return """
        SET 'execution.checkpointing.interval' = '1 s';
        SET 'execution.checkpointing.unaligned.enabled' = '%s';
        SET 'execution.checkpointing.externalized-checkpoint-retention' = 'RETAIN_ON_CANCELLATION';
        CREATE TABLE src (id BIGINT, k INT, v STRING) WITH (
          'connector' = 'kafka', 'topic' = 'in', 'properties.bootstrap.servers' = '%s',
          'scan.startup.mode' = 'earliest-offset', 'format' = 'json');
        CREATE TABLE ka (id BIGINT, k INT, v STRING) WITH (%s);
        CREATE TABLE pa (id BIGINT, k INT, v STRING) WITH (%s);
        CREATE TABLE kk (k INT, c BIGINT, m BIGINT, s BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH (
          %s, 'key.format' = 'json');
        CREATE TABLE pk (k INT, c BIGINT, m BIGINT, s BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH (%s);
        EXECUTE STATEMENT SET BEGIN
        INSERT INTO ka SELECT id, k, v FROM src;
        INSERT INTO pa SELECT id, k, v FROM src;
        INSERT INTO kk SELECT k, COUNT(*), MAX(id), SUM(id) FROM src GROUP BY k;
        INSERT INTO pk SELECT k, COUNT(*), MAX(id), SUM(id) FROM src GROUP BY k;
        END;
        """
        .formatted(
            SEED % 2 == 0,
            brokers,
            topic(brokers, "ka"),
            table(torture, "pa", SEED % 4 < 2),
            topic(brokers, "kk"),
            table(torture, "pk", SEED % 4 >= 2));
  }

  private static String topic(String brokers, String name) {
    return ("'connector' = 'txn-kafka', 'topic' = '%s', 'properties.bootstrap.servers' = '%s',"
            + " 'format' = 'json', 'sink.transactional-id-prefix' = '%s',"
            + " 'sink.delivery-guarantee' = '%s'")
        .formatted(name, brokers, name, GUARANTEE);
  }

  private static String table(Torture torture, String name, boolean staged) {
    Map<String, String> options = new HashMap<>(torture.tables().options(name, name));
    options.put("sink.delivery-guarantee", GUARANTEE);
    if (staged) {
      options.put("sink.inline-max-size", "1 b");
    }
    List<String> lines = new ArrayList<>();
    options.forEach((option, value) -> lines.add("'" + option + "' = '" + value + "'"));
    return String.join(", ", lines);
  }
}
