// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import static dev.flinktxn.scenario.ProcessLab.row;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** K10: the TaskManager is killed twice while a few keys change all the time. */
@Tag("full")
class KeyedCrashProcessITCase {

  @RegisterExtension static final ProcessLab LAB = ProcessLab.withSlots(1);

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int KEYS = 3;
  private static final int ROWS = 1_500;
  private static final int ROWS_PER_SECOND = 150;

  @ParameterizedTest
  @CsvSource({"never, 0, 0 s", "never, 50, 300 ms", "always, 0, 0 s", "always, 50, 300 ms"})
  void theLastRecordOfEachKeyIsRight(String idempotent, String rows, String interval)
      throws Exception {
    ProcessBroker broker = LAB.broker();
    ProcessJob job =
        LAB.insertInto(broker, "keyed", 3)
            .fromSequence(ROWS, ROWS_PER_SECOND)
            .countingBy(KEYS)
            .checkpointEvery(Duration.ofMillis(500))
            .sinkOption("key.format", "json")
            .sinkOption("sink.idempotent-upsert", idempotent)
            .sinkOption("sink.buffer-flush.max-rows", rows)
            .sinkOption("sink.buffer-flush.interval", interval)
            .start();
    for (int kill = 1; kill <= 2; kill++) {
      int written = broker.probe().committed(job.topic()).size();
      Await.until(
          "more records",
          LIMIT,
          () -> broker.probe().committed(job.topic()).size() > written + KEYS);
      LAB.replaceTaskManager();
      job.awaitRestored(kill);
    }
    job.awaitState("FINISHED", LIMIT);

    Map<String, String> last = new TreeMap<>();
    List<ConsumerRecord<byte[], byte[]>> records =
        broker.probe().records(job.topic(), IsolationLevel.READ_COMMITTED);
    for (ConsumerRecord<byte[], byte[]> record : records) {
      last.put(new String(record.key(), UTF_8), new String(record.value(), UTF_8));
    }
    assertThat(last.values()).containsExactly(row(0, "n", 500), row(1, "n", 500), row(2, "n", 500));
    assertThat(job.restarts()).isEqualTo(2);
    // What no checkpoint covers is written once more; only transactions take the first one back.
    if (idempotent.equals("always") && rows.equals("0")) {
      assertThat(records).hasSizeGreaterThanOrEqualTo(ROWS);
    } else if (rows.equals("0")) {
      assertThat(records).as("each change of each key, once").hasSize(ROWS);
    }
  }
}
