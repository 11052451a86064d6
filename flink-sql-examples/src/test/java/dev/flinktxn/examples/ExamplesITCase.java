// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.KeepLogsOnFailure;
import dev.flinktxn.fixture.RunDirectory;
import dev.flinktxn.fixture.SqlResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The scripts as their users run them, through the SQL client, with what their heads ask for. The
 * topic of flights grows while they run.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ExamplesITCase {

  private static final Duration LIMIT = Duration.ofSeconds(90);

  private static final RunDirectory RUN = RunDirectory.create("examples");

  @RegisterExtension
  static final KeepLogsOnFailure KEEP_LOGS_ON_FAILURE = new KeepLogsOnFailure(RUN);

  /** What flights.sql inserts. */
  private static final int INSERTED = 16;

  private static final List<Flight> FLIGHTS = Flight.shipped().subList(0, 2_000);

  /** Where the watermark comes to rest; the hour before it is the last one that ends. */
  private static final LocalDateTime OPEN_HOUR =
      FLIGHTS.get(FLIGHTS.size() - 1).departure().minusMinutes(1).truncatedTo(ChronoUnit.HOURS);

  private static ExampleServers servers;
  private static Thread feed;

  @BeforeAll
  static void start() throws SQLException {
    servers = new ExampleServers(RUN);
    SqlResult filled = servers.client().run(servers.prepare("flights.sql"), LIMIT);
    assertThat(filled.succeeded()).as(filled.output()).isTrue();
    assertThat(servers.kafka().committed("flights"))
        .isEqualTo(FLIGHTS.subList(0, INSERTED).stream().map(Flight::json).toList());
    feed = new Thread(ExamplesITCase::feed, "feed");
    feed.start();
  }

  /** Ten portions, two seconds apart: every script meets some behind it and some to come. */
  private static void feed() {
    List<String> records =
        FLIGHTS.subList(INSERTED, FLIGHTS.size()).stream().map(Flight::json).toList();
    for (int i = 0; i < 10 && !Thread.currentThread().isInterrupted(); i++) {
      servers.send(
          "flights", records.subList(i * records.size() / 10, (i + 1) * records.size() / 10));
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (feed != null) {
      feed.interrupt();
      feed.join();
    }
    if (servers != null) {
      servers.close();
    }
    RUN.close();
  }

  /** Submits a script and returns its job. */
  private static String submit(String script) throws SQLException {
    return servers.client().run(servers.prepare(script), LIMIT).jobId();
  }

  /** Waits until a result has that many rows, then stops the job, which commits what is left. */
  private static void stopAt(String job, int rows, Callable<Collection<?>> result) {
    awaitRows(job, rows, result);
    servers.flink().rest().stopWithSavepoint(job, false, LIMIT);
    servers.flink().awaitState(job, "FINISHED", LIMIT);
  }

  private static void awaitRows(String job, int rows, Callable<Collection<?>> result) {
    await(job, rows + " rows", () -> result.call().size() >= rows);
  }

  private static void await(String job, String what, Callable<Boolean> condition) {
    try {
      Await.until(what, LIMIT, condition);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          e.getMessage() + "; the job's exceptions: " + servers.flink().rest().exceptions(job), e);
    }
  }

  private static List<String> query(String sql) throws SQLException {
    return servers.database().query(sql);
  }

  private static Map<String, Flight> byOrigin(BinaryOperator<Flight> which) {
    return FLIGHTS.stream().collect(Collectors.toMap(Flight::origin, Function.identity(), which));
  }

  /** As Flink's JSON format and, without the T, PostgreSQL write it. */
  private static String sql(LocalDateTime time) {
    return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").format(time);
  }

  @Test
  void eachHourYieldsItsLatestFlightWhenItIsOver() throws Exception {
    List<Flight> latest =
        FLIGHTS.stream()
            .filter(flight -> flight.departure().isBefore(OPEN_HOUR))
            .collect(
                Collectors.groupingBy(
                    flight -> flight.departure().truncatedTo(ChronoUnit.HOURS),
                    Collectors.minBy(
                        Comparator.comparing(Flight::delay)
                            .reversed()
                            .thenComparing(Flight::departure)
                            .thenComparing(Flight::origin)
                            .thenComparing(Flight::destination))))
            .values()
            .stream()
            .map(flight -> flight.orElseThrow())
            .toList();

    String job = submit("kafka-window-to-kafka.sql");
    stopAt(job, latest.size(), () -> servers.kafka().committed("latest-flights"));

    List<ConsumerRecord<byte[], byte[]>> records =
        servers.kafka().records("latest-flights", IsolationLevel.READ_COMMITTED);
    assertThat(records)
        .extracting(record -> new String(record.key()) + " " + new String(record.value()))
        .containsExactlyInAnyOrderElementsOf(
            latest.stream()
                .map(
                    flight ->
                        "%s {\"hour_start\":\"%s\",\"origin\":\"%s\",\"destination\":\"%s\",\"delay\":%d}"
                            .formatted(
                                flight.origin(),
                                sql(flight.departure().truncatedTo(ChronoUnit.HOURS)),
                                flight.origin(),
                                flight.destination(),
                                flight.delay()))
                .toList());
  }

  private static String row(Flight flight) {
    return "{\"departure\":\"%s\",\"delay\":%d,\"origin\":\"%s\",\"destination\":\"%s\"}"
        .formatted(sql(flight.departure()), flight.delay(), flight.origin(), flight.destination());
  }

  private static List<Path> find(Path directory, String name) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.getFileName().toString().matches(name)).toList();
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @Tag("full")
  void markedDirectoriesAreWholeWhileTheTopicHasEveryRowAtOnce() throws Exception {
    Set<LocalDateTime> ended =
        FLIGHTS.stream()
            .map(flight -> flight.departure().truncatedTo(ChronoUnit.HOURS))
            .filter(hour -> hour.isBefore(OPEN_HOUR))
            .collect(Collectors.toSet());
    String job = submit("kafka-to-files.sql");
    Path directory = servers.files();
    Set<Path> checked = new HashSet<>();
    await(
        job,
        "markers of all hours",
        () -> {
          for (Path marker : find(directory, "_SUCCESS")) {
            if (checked.add(marker)) {
              assertWhole(marker.getParent());
            }
          }
          return checked.size() >= ended.size();
        });
    stopAt(job, FLIGHTS.size(), () -> servers.kafka().committed("flights-by-hour"));

    assertThat(servers.kafka().committed("flights-by-hour"))
        .containsExactlyInAnyOrderElementsOf(FLIGHTS.stream().map(ExamplesITCase::row).toList());
    assertThat(find(directory, "_SUCCESS")).hasSameSizeAs(ended);
    assertThat(find(directory, "part-.*"))
        .as("final files only where there is a marker")
        .allMatch(part -> Files.exists(part.resolveSibling("_SUCCESS")));
    assertThat(find(directory, "part-.*").stream().flatMap(ExamplesITCase::lines))
        .containsExactlyInAnyOrderElementsOf(
            FLIGHTS.stream()
                .filter(flight -> flight.departure().isBefore(OPEN_HOUR))
                .map(ExamplesITCase::row)
                .toList());
  }

  /**
   * Whether a directory, such as day=2001-01-01/hour=06, has what a reader expects of its marker.
   */
  private static void assertWhole(Path hour) throws IOException {
    String name = hour.getParent().getFileName() + " " + hour.getFileName() + ":00:00";
    List<String> expected =
        FLIGHTS.stream()
            .filter(
                flight ->
                    sql(flight.departure().truncatedTo(ChronoUnit.HOURS))
                        .equals(name.replaceAll("(day|hour)=", "")))
            .map(ExamplesITCase::row)
            .toList();
    assertThat(find(hour, "part-.*").stream().flatMap(ExamplesITCase::lines))
        .as(name)
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  @Tag("full")
  void appendsEachFlightOnceToATableWithoutAKey() throws Exception {
    String job = submit("kafka-to-postgres-append.sql");
    stopAt(job, FLIGHTS.size(), () -> query("SELECT 1 FROM flight_log"));

    assertThat(
            query(
                "SELECT concat_ws(' ', departure, route[1], route[2], array_length(route, 1),"
                    + " extract(epoch FROM delay)::int / 60, miles, flight->>'from',"
                    + " flight->>'to', flight->'late') FROM flight_log"))
        .containsExactlyInAnyOrderElementsOf(
            FLIGHTS.stream()
                .map(
                    flight ->
                        "%s %s %s 2 %d %d.0 %2$s %3$s %s"
                            .formatted(
                                sql(flight.departure()),
                                flight.origin(),
                                flight.destination(),
                                flight.delay(),
                                flight.distance(),
                                flight.isDelayed()))
                .toList());
  }

  @Test
  void keepsOneRowOfEachAirportUpToDate() throws Exception {
    Map<String, List<Flight>> flights =
        FLIGHTS.stream().collect(Collectors.groupingBy(Flight::origin));
    String job = submit("kafka-to-postgres-upsert.sql");
    await(
        job,
        "all flights counted",
        () -> query("SELECT sum(flights) FROM airport_totals").contains("" + FLIGHTS.size()));
    stopAt(job, flights.size(), () -> query("SELECT 1 FROM last_departures"));

    assertThat(
            query(
                "SELECT concat_ws(' ', airport, flights, delayed, worst_delay) FROM airport_totals"))
        .containsExactlyInAnyOrderElementsOf(
            flights.entrySet().stream()
                .map(
                    airport ->
                        "%s %d %d %d"
                            .formatted(
                                airport.getKey(),
                                airport.getValue().size(),
                                airport.getValue().stream().filter(Flight::isDelayed).count(),
                                airport.getValue().stream()
                                    .mapToInt(Flight::delay)
                                    .max()
                                    .orElse(0)))
                .toList());
    assertThat(
            query(
                "SELECT concat_ws(' ', airport, departure, destination, delay) FROM last_departures"))
        .containsExactlyInAnyOrderElementsOf(
            byOrigin((earlier, later) -> later).values().stream()
                .map(
                    flight ->
                        "%s %s %s %d"
                            .formatted(
                                flight.origin(),
                                sql(flight.departure()),
                                flight.destination(),
                                flight.delay()))
                .toList());
  }

  @Test
  void doesToItsTableWhatWasDoneElsewhereDeletesIncluded() throws Exception {
    List<String> changes =
        SqlScript.shipped("change-stream-to-postgres.sql")
            .text()
            .lines()
            .filter(line -> line.startsWith("--   > "))
            .map(line -> line.substring("--   > ".length()))
            .toList();
    assertThat(changes).hasSize(6);
    String job = submit("change-stream-to-postgres.sql");
    servers.send("airport-changes", changes.subList(0, 3));
    awaitRows(job, 3, () -> query("SELECT 1 FROM airports"));
    assertThat(query("SELECT concat_ws(', ', code, name, city) FROM airports"))
        .containsExactlyInAnyOrder(
            "ORD, O'Hare, Chicago", "JFK, Idlewild, New York", "DEN, Stapleton, Denver");

    servers.send("airport-changes", changes.subList(3, 6));
    await(job, "the delete", () -> query("SELECT 1 FROM airports").size() == 2);
    servers.flink().rest().stopWithSavepoint(job, false, LIMIT);
    assertThat(query("SELECT concat_ws(', ', code, name, city) FROM airports"))
        .containsExactlyInAnyOrder("ORD, O'Hare, Chicago", "JFK, John F. Kennedy, New York");
  }

  @Test
  @Tag("full")
  void readingEverythingAgainLeavesRowsKeyedByTheirPositionAsTheyAre() throws Exception {
    String sql =
        "SELECT concat_ws(' ', source_partition, source_offset, origin, destination, delay)"
            + " FROM flights_as_read ORDER BY source_offset";
    List<String> expected = new ArrayList<>();
    for (Flight flight : FLIGHTS) {
      // The transaction of flights.sql ends with a marker, which takes an offset too.
      int offset = expected.size() < INSERTED ? expected.size() : expected.size() + 1;
      expected.add(
          "0 %d %s %s %d".formatted(offset, flight.origin(), flight.destination(), flight.delay()));
    }
    Path script = servers.prepare("upsert-by-source-position.sql");
    String job = servers.client().run(script, LIMIT).jobId();
    stopAt(job, expected.size(), () -> query("SELECT 1 FROM flights_as_read"));
    assertThat(query(sql)).isEqualTo(expected);

    String now = query("SELECT pg_snapshot_xmax(pg_current_snapshot())::text").get(0);
    job = servers.client().run(script, LIMIT).jobId();
    stopAt(
        job,
        expected.size(),
        () -> query("SELECT 1 FROM flights_as_read WHERE xmin::text::bigint >= " + now));
    assertThat(query(sql)).isEqualTo(expected);
  }

  @Test
  @Tag("full")
  void refusesInTheWordsOfTheScript() throws Exception {
    Path script = servers.prepare("refusals.sql");
    List<String> announced =
        Pattern.compile("^-- Refused: (.*(\\R-- .*)*)", Pattern.MULTILINE)
            .matcher(Files.readString(script))
            .results()
            .map(MatchResult::group)
            .map(words -> ExampleServers.comments(words.lines()))
            .map(words -> words.replaceFirst("^Refused: ", ""))
            .toList();
    assertThat(announced).hasSize(11);

    SqlResult result = servers.client().type(script, LIMIT);

    List<String> refusals =
        result.errors().stream().map(words -> words.replaceAll("\\s+", " ")).toList();
    assertThat(refusals).as(result.toString()).hasSameSizeAs(announced);
    for (int i = 0; i < announced.size(); i++) {
      String words = Pattern.quote(announced.get(i)).replace("...", "\\E.*\\Q");
      assertThat(refusals.get(i)).matches(words);
    }
    assertThat(result.timedOut()).isFalse();
    assertThat(query("SELECT 1 FROM refused")).isEmpty();
    assertThat(servers.kafka().uncommitted("flights")).noneMatch(row -> row.contains("\"id\""));
  }
}
