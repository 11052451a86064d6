// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static dev.flinktxn.scenario.ProcessLab.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.Fault;
import dev.flinktxn.fixture.KafkaFaults;
import dev.flinktxn.fixture.PostgresDatabase;
import dev.flinktxn.fixture.RelayFault;
import dev.flinktxn.fixture.SqlPlanner;
import dev.flinktxn.fixture.SqlResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One jar, five versions of Flink, each as a session cluster of its own. The newest comes first, so
 * that the others read what it has defined.
 */
@Tag("full")
@ParameterizedClass(name = "Flink {0}")
@ValueSource(strings = {"2.3.0", "1.20.3", "2.0.0", "2.1.1", "2.2.1"})
class FlinkVersionsProcessITCase {

  @RegisterExtension static final ProcessLab LAB = ProcessLab.withSlots(2);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> FIRST =
      List.of(row(1, "ant", 10), row(2, "bee", 20), row(3, "cat", 30));
  private static final List<String> SECOND = List.of(row(4, "dog", 40), row(5, "eel", 50));
  private static final List<String> THIRD = List.of(row(6, "fox", 60), row(7, "gnu", 70));
  private static final List<String> FOURTH = List.of(row(8, "hen", 80));

  private static final Map<String, ProcessTopic> DEFINED = new TreeMap<>();

  private static String usedJar;
  private static PostgresDatabase catalog;

  @Parameter String version;

  @BeforeParameterizedClassInvocation
  static void moveTo(String version) throws Exception {
    byte[] jar = Files.readAllBytes(Path.of(System.getProperty("connector.jar")));
    String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(jar));
    System.out.println("Flink " + version + " runs the jar with SHA-256 " + digest);
    assertThat(usedJar == null || usedJar.equals(digest)).as("the same jar").isTrue();
    usedJar = digest;
    LAB.moveToFlink(version);
  }

  @Test
  void writesEachRowOnceThroughKillRestoreRescaleAndStop() throws Exception {
    assertThat(LAB.cluster().rest().get("/config").get("flink-version").text()).isEqualTo(version);
    ProcessTopic topic = LAB.topic(LAB.broker(), "five", 2);
    ProcessTable table = LAB.table(TargetKind.PG_STAGED, "five");
    Drip drip = LAB.drip();
    ProcessInsert insert = LAB.insertInto(topic).alsoInto(table).from(drip);
    ProcessJob killed = insert.start();
    RelayFault byKafka =
        LAB.broker().faults().hold(KafkaFaults.commitsOf(topic.prefix() + "~"), Integer.MAX_VALUE);
    Fault byPostgres = table.target().holdCommits(Integer.MAX_VALUE);
    drip.dropOneByOne(FIRST);
    killed.awaitMetric("numRecordsSend", 2 * FIRST.size());
    killed.checkpoint();
    Await.until("a held commit", LIMIT, () -> byKafka.hits() + byPostgres.hits() > 0);
    assertThat(topic.committed()).isEmpty();
    assertThat(table.committed()).isEmpty();

    LAB.replaceTaskManager();
    byKafka.discard();
    byPostgres.discard();
    killed.awaitRestored(1);
    killed.awaitAllCommitted(FIRST);

    // After the checkpoint that the next job begins with, so that it has to write them again.
    drip.dropOneByOne(SECOND);
    killed.awaitMetric("numRecordsSend", 2 * SECOND.size());
    killed.cancel();
    ProcessJob wider = insert.restoring(killed.checkpointPath()).parallelism(2).start();
    drip.dropOneByOne(THIRD);
    wider.awaitMetric("numRecordsSend", 2 * (SECOND.size() + THIRD.size()));
    String savepoint = LAB.cluster().rest().stopWithSavepoint(wider.id(), false, LIMIT);
    wider.awaitState("FINISHED", LIMIT);
    List<String> stopped = Rows.all(FIRST, SECOND, THIRD);
    wider.awaitAllCommitted(stopped);
    wider.assertNothingLeft();

    ProcessJob narrower = insert.restoring(savepoint).parallelism(1).start();
    drip.dropOneByOne(FOURTH);
    narrower.awaitMetric("numRecordsSend", 2 * FOURTH.size());
    narrower.checkpoint();
    narrower.awaitAllCommitted(Rows.all(stopped, FOURTH));
  }

  @Test
  void writesABatch() {
    ProcessTopic topic = LAB.topic(LAB.broker(), "batch", 2);
    ProcessTable table = LAB.table(TargetKind.PG_INLINE, "batch");
    ProcessJob job =
        LAB.insertInto(topic)
            .alsoInto(table)
            .fromValues("(1, 'a', 1), (2, 'b', 2), (3, CAST(NULL AS STRING), 3)")
            .set("execution.runtime-mode", "batch")
            .submit();
    job.awaitState("FINISHED", LIMIT);
    job.awaitAllCommitted(
        List.of(row(1, "a", 1), row(2, "b", 2), "{\"id\":3,\"name\":null,\"qty\":3}"));
  }

  @Test
  void writesUpdatesByKey() {
    ProcessTable table = LAB.table(TargetKind.PG_INLINE, "keyed");
    table.target().execute("ALTER TABLE keyed ADD PRIMARY KEY (id)");
    ProcessJob job =
        LAB.insertInto(table)
            .fromValues("(1, 'a', 1), (2, 'b', 2), (3, 'c', 3), (5, 'd', 5)")
            .countingBy(2)
            .submit();
    job.awaitState("FINISHED", LIMIT);
    job.awaitAllCommitted(List.of(row(0, "b", 1), row(1, "d", 3)));
  }

  @Test
  void writesToTheTablesThatOtherVersionsHaveDefined() throws Exception {
    if (catalog == null) {
      catalog = LAB.postgres().database();
    }
    String own = "by" + version.replaceAll("[.]", "");
    DEFINED.put(own, LAB.topic(LAB.broker(), own, 1));
    String inserts =
        DEFINED.keySet().stream()
            .map(
                table ->
                    "INSERT INTO pg.public.%s (id, name) VALUES (1, 'of %s');\n"
                        .formatted(table, own))
            .collect(Collectors.joining());
    SqlResult result =
        LAB.sqlClient()
            .run(
                """
                SET 'table.dml-sync' = 'true';
                CREATE CATALOG pg WITH ('type' = 'txn', 'url' = '%s', 'username' = '%s',
                  'sink.transactional-id-prefix' = 'versions',
                  'txn-kafka.properties.bootstrap.servers' = '%s');
                CREATE TABLE pg.public.%s (id INT NOT NULL, name VARCHAR(20), twice AS id * 2,
                  written TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
                  PRIMARY KEY (id) NOT ENFORCED) COMMENT 'of %s' WITH (
                  'connector' = 'txn-kafka', 'topic' = '%s', 'format' = 'json', 'key.format' = 'json');
                %sCALL pg.sys.list_transactions(prefix => 'versions.public.%s');
                """
                    .formatted(
                        catalog.url(),
                        catalog.user(),
                        LAB.broker().bootstrapServers(),
                        own,
                        version,
                        DEFINED.get(own).topic(),
                        SqlPlanner.isOnConflictDemanded(version)
                            ? inserts.replace(";", " ON CONFLICT DO DEDUPLICATE;")
                            : inserts,
                        own),
                Duration.ofMinutes(3));
    assertThat(result.succeeded()).as(result.output()).isTrue();
    assertThat(result.output()).contains("versions.public." + own + "~", "CompleteCommit");
    for (ProcessTopic topic : DEFINED.values()) {
      assertThat(topic.committed()).contains("{\"id\":1,\"name\":\"of " + own + "\"}");
    }
  }

  @Test
  void refusesWhatCannotBeExactlyOnce() {
    ProcessTopic topic = LAB.topic(LAB.broker(), "refused", 1);
    ProcessTable table = LAB.table(TargetKind.PG_INLINE, "refused");
    for (ProcessSink sink : List.of(topic, table)) {
      Map<String, String> options = sink.options();
      String prefix = options.remove("sink.transactional-id-prefix");
      assertThat(refusal(options)).contains("sink.transactional-id-prefix", "orders");
      options.put("sink.transactional-id-prefx", prefix);
      assertThat(refusal(options)).contains("sink.transactional-id-prefx", "orders");
    }
    assertThat(LAB.cluster().rest().jobs()).noneMatch(job -> job.name().contains("orders"));
  }

  private static String refusal(Map<String, String> options) {
    String with =
        options.entrySet().stream()
            .map(option -> "'" + option.getKey() + "' = '" + option.getValue() + "'")
            .collect(Collectors.joining(", "));
    SqlResult result =
        LAB.sqlClient()
            .run(
                """
                SET 'execution.checkpointing.interval' = '1 s';
                CREATE TABLE orders (id INT, name STRING, qty INT) WITH (%s);
                INSERT INTO orders VALUES (1, 'a', 1);
                """
                    .formatted(with),
                LIMIT);
    assertThat(result.succeeded()).as(result.output()).isFalse();
    return result.output().substring(result.output().indexOf("[ERROR]"));
  }
}
