// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.flinktxn.fixture.CapturedLog;
import dev.flinktxn.fixture.SqlPlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.table.api.ExplainDetail;
import org.apache.flink.table.api.PlanReference;
import org.apache.flink.table.api.StatementSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before any task runs, and in which words. */
class TxnJdbcRefusalTest {

  private static final String TABLE = "default_catalog.default_database.orders";
  private static final String MODE = "execution.checkpointing.mode";
  private static final String RETENTION =
      "execution.checkpointing.externalized-checkpoint-retention";

  private static void assertOneSentence(String refusal, String... words) {
    assertThat(refusal)
        .startsWith("Table " + TABLE + ": ")
        .endsWith(".")
        .doesNotContain("\n")
        .contains(words);
  }

  @Test
  void plansAnOrdinaryInsert() {
    assertThat(PlannedSql.streaming().table().plan(PlannedSql.APPENDS))
        .contains("orders: Writer", "orders: Committer");
  }

  @Test
  void plansInBatchModeWithoutCheckpoints() {
    assertThat(PlannedSql.batch().table().plan("INSERT INTO orders SELECT * FROM ending"))
        .contains("orders: Committer");
  }

  @Test
  void plansABoundedInsertWithoutCheckpoints() {
    PlannedSql sql = PlannedSql.withoutCheckpoints().table();
    assertThat(sql.plan("INSERT INTO orders VALUES (1, 'a')")).contains("orders: Committer");
    assertThat(sql.plan("INSERT INTO orders SELECT * FROM ending")).contains("orders: Committer");
  }

  @Test
  void refusesAnEndlessInsertWithoutCheckpoints() {
    assertOneSentence(
        PlannedSql.withoutCheckpoints().table().refusal(PlannedSql.APPENDS),
        "'execution.checkpointing.interval' is not set",
        "'at-least-once'");
  }

  @Test
  void refusesCheckpointsThatAreNotExactlyOnce() {
    assertOneSentence(
        PlannedSql.streaming(MODE, "AT_LEAST_ONCE").table().refusal(PlannedSql.APPENDS),
        "'execution.checkpointing.mode' is 'AT_LEAST_ONCE'",
        "EXACTLY_ONCE");
  }

  @Test
  void refusesJobsWithoutALastCheckpoint() {
    assertOneSentence(
        PlannedSql.streaming("execution.checkpointing.checkpoints-after-tasks-finish", "false")
            .table()
            .refusal(PlannedSql.APPENDS),
        "'execution.checkpointing.checkpoints-after-tasks-finish' is 'false'",
        "set it to true");
  }

  @Test
  void refusesTwoInsertsOfOneJobWithOnePrefix() {
    PlannedSql sql = PlannedSql.streaming().table().declare("audit", PlannedSql.COLUMNS);
    StatementSet statements = sql.tables().createStatementSet();
    statements.addInsertSql(PlannedSql.APPENDS);
    statements.addInsertSql("INSERT INTO audit SELECT * FROM endless");
    assertThat(SqlPlanner.reason(catchThrowable(statements::explain)))
        .contains(TABLE, "default_catalog.default_database.audit", "'orders'", "OPTIONS hint")
        .doesNotContain("\n");
  }

  static Stream<Arguments> options() {
    return Stream.of(
        refused(
            "missing prefix",
            words("'sink.transactional-id-prefix' is not set", "1 to 64"),
            "sink.transactional-id-prefix",
            null),
        refused(
            "other characters in the prefix",
            words("'sink.transactional-id-prefix' is 'orders eu'", "A-Z a-z 0-9 . _ -"),
            "sink.transactional-id-prefix",
            "orders eu"),
        refused("no url", words("'url' is not set", "'jdbc:postgresql://"), "url", null),
        refused(
            "url of another database",
            words("'url' begins with 'jdbc:mysql:'", "'jdbc:postgresql://'"),
            "url",
            "jdbc:mysql://host/db"),
        refused(
            "url of libpq",
            words("'url' begins with 'postgresql:'", "'jdbc:postgresql://'"),
            "url",
            "postgresql://host/db"),
        refused(
            "url with a user before the host",
            words("'url' has an '@'", "'username' and 'password'"),
            "url",
            "jdbc:postgresql://me:pw@host/db"),
        refused(
            "broken parameter of the url",
            words("parameter 'ApplicationName' of option 'url'", "'%25'"),
            "url",
            "jdbc:postgresql://host/db?ApplicationName=5%"),
        refused(
            "user in two places",
            words("option 'username' and option 'url' set 'user'", "remove one"),
            "username",
            "me",
            "url",
            "jdbc:postgresql://host/db?user=you"),
        refused(
            "password in two places",
            words("option 'properties.password' and option 'password' set 'password'"),
            "password",
            "one",
            "properties.password",
            "two"),
        refused("no table", words("'table-name' is not set"), "table-name", null),
        refused(
            "table name of three parts",
            words("'table-name' is 'shop.sales.orders'", "3 parts"),
            "table-name",
            "shop.sales.orders"),
        refused(
            "table name with an open quote",
            words("'table-name' is '\"orders'", "never closed"),
            "table-name",
            "\"orders"),
        refused(
            "unknown guarantee",
            words("'exctly-once'", "'exactly-once', 'at-least-once', 'none'"),
            "sink.delivery-guarantee",
            "exctly-once"),
        refused(
            "unknown strategy",
            words("'sink.commit-strategy' is 'xa'", "'ledger', 'prepared'"),
            "sink.commit-strategy",
            "xa"),
        refused(
            "unknown answer to an existing key",
            words("'sink.on-existing-key' is 'skip'", "'fail', 'ignore', 'update'"),
            "sink.on-existing-key",
            "skip"),
        refused(
            "unknown upsert mode",
            words("'sometimes'", "'never', 'fallback', 'always'"),
            "sink.idempotent-upsert",
            "sometimes"),
        refused(
            "update without a key",
            words("'sink.on-existing-key' is 'update'", "PRIMARY KEY (...) NOT ENFORCED"),
            "sink.on-existing-key",
            "update"),
        refused(
            "upserts without a key",
            words("'sink.idempotent-upsert' is 'always'", "PRIMARY KEY (...) NOT ENFORCED"),
            "sink.idempotent-upsert",
            "always"),
        refused(
            "fallback without a key",
            words("'sink.idempotent-upsert' is 'fallback'", "PRIMARY KEY (...) NOT ENFORCED"),
            "sink.idempotent-upsert",
            "fallback"),
        refused(
            "size in words",
            words("'sink.inline-max-size' is 'much'", "'1 mb'"),
            "sink.inline-max-size",
            "much"),
        refused(
            "size of more than one array",
            words("'sink.inline-max-size' is", "at most '1 gb'"),
            "sink.inline-max-size",
            "2 gb"),
        refused("empty schema", words("'sink.schema' is ''", "'flink_txn'"), "sink.schema", ""),
        refused(
            "retention of nothing",
            words("'sink.ledger-retention' is '0 ms'", "at least '71 min'"),
            "sink.ledger-retention",
            "0 s"),
        refused(
            "retention that rows do not outlive until their checkpoint",
            words("'sink.ledger-retention' is '70 min'", "at least '71 min'", "'7 d'"),
            "sink.ledger-retention",
            "70 min"),
        refused(
            "retention in words",
            words("'sink.ledger-retention' is 'long'", "at least '71 min'"),
            "sink.ledger-retention",
            "long"),
        refused(
            "flush of nothing",
            words("'sink.buffer-flush.max-rows' is '0'", "above 0"),
            "sink.buffer-flush.max-rows",
            "0"),
        refused(
            "flush interval in words",
            words("'sink.buffer-flush.interval' is 'often'", "'1 s'"),
            "sink.buffer-flush.interval",
            "often"),
        refused(
            "timeout that PostgreSQL cannot count",
            words("'sink.transaction-timeout' is", "24 days"),
            "sink.transaction-timeout",
            "30 d"),
        refused(
            "parallelism 0",
            words("'sink.parallelism' is '0'", "above 0"),
            "sink.parallelism",
            "0"),
        refused(
            "misspelt option",
            words("'sink.comit-strategy'", "did you mean 'sink.commit-strategy'"),
            "sink.comit-strategy",
            "ledger"),
        refused(
            "Flink's old name of the guarantee",
            words("'sink.semantic'", "'sink.delivery-guarantee'"),
            "sink.semantic",
            "exactly-once"),
        refused(
            "driver",
            words("'driver'", "part of this connector"),
            "driver",
            "org.postgresql.Driver"),
        refused(
            "option of reading that is not needed",
            words("'scan.partition.column'", "divide the table by themselves"),
            "scan.partition.column",
            "id"));
  }

  static Stream<Arguments> keyedOptions() {
    return Stream.of(
        refused(
            "prepared with a key",
            words("'sink.commit-strategy' is 'prepared'", "PRIMARY KEY", "'ledger'"),
            "sink.commit-strategy",
            "prepared"),
        refused(
            "upserts that may lose rows",
            words("'sink.idempotent-upsert' is 'always'", "'sink.delivery-guarantee' is 'none'"),
            "sink.idempotent-upsert",
            "always",
            "sink.delivery-guarantee",
            "none"),
        refused(
            "upserts that fail",
            words("'sink.on-existing-key' is 'fail'", "'sink.idempotent-upsert' is 'always'"),
            "sink.on-existing-key",
            "fail",
            "sink.idempotent-upsert",
            "always"),
        refused(
            "fallback without a prefix",
            words("'sink.transactional-id-prefix' is not set"),
            "sink.idempotent-upsert",
            "fallback",
            "sink.transactional-id-prefix",
            null),
        refused(
            "updates that fail",
            words("'sink.on-existing-key' is 'fail'", "updates or deletes", "'update'"),
            "sink.on-existing-key",
            "fail"),
        refused(
            "updates that are ignored",
            words("'sink.on-existing-key' is 'ignore'", "updates or deletes", "'update'"),
            "sink.on-existing-key",
            "ignore"));
  }

  private static String[] words(String... words) {
    return words;
  }

  private static Arguments refused(String what, String[] words, String... options) {
    return Arguments.of(what, words, options);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("options")
  void refusesOptions(String what, String[] words, String[] options) {
    assertOneSentence(PlannedSql.streaming().table(options).refusal(PlannedSql.APPENDS), words);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("keyedOptions")
  void refusesOptionsOfATableWithAKey(String what, String[] words, String[] options) {
    assertOneSentence(PlannedSql.streaming().keyed(options).refusal(PlannedSql.UPDATES), words);
  }

  @Test
  void refusesUpdatesWithoutAKey() {
    assertOneSentence(
        PlannedSql.streaming().table().refusal(PlannedSql.UPDATES),
        "updates or deletes",
        "PRIMARY KEY (...) NOT ENFORCED");
  }

  @Test
  void takesUpdatesByKey() {
    assertThat(PlannedSql.streaming().keyed().plan(PlannedSql.UPDATES))
        .contains("orders: Committer");
    assertThat(PlannedSql.streaming().keyed("sink.parallelism", "7").plan(PlannedSql.UPDATES))
        .contains("\"parallelism\" : 7");
  }

  @Test
  void plansACompiledPlan() {
    PlannedSql sql = PlannedSql.streaming().keyed();
    String plan = sql.tables().compilePlanSql(PlannedSql.UPDATES).asJsonString();
    PlanReference compiled = PlanReference.fromJsonString(plan);
    assertThat(sql.tables().loadPlan(compiled).explain(ExplainDetail.JSON_EXECUTION_PLAN))
        .contains("orders: Committer");
  }

  @Test
  void refusesInBatchModeToo() {
    assertOneSentence(
        PlannedSql.batch()
            .table("sink.transactional-id-prefix", null)
            .refusal("INSERT INTO orders SELECT * FROM ending"),
        "'sink.transactional-id-prefix' is not set");
  }

  @ParameterizedTest
  @CsvSource({
    "scan.fetch-size, 0, a whole number above 0",
    "scan.fetch-size, many, a whole number above 0",
    "scan.parallelism, 0, a whole number above 0",
    "lookup.max-retries, -1, 0 for no other try",
    "lookup.cache, FULL, 'PARTIAL'",
    "lookup.cache, SOME, 'PARTIAL'",
    "lookup.full-cache.reload-strategy, PERIODIC, 'lookup.cache' may be 'PARTIAL'",
    "lookup.partial-cache.max-rows, 10, 'lookup.cache' is 'NONE'",
    "lookup.cache, PARTIAL, 'lookup.partial-cache.max-rows'",
    "lookup.cache.ttl, 10 s, 'lookup.partial-cache.expire-after-write'",
    "url, jdbc:mysql://s3cr3t, 'jdbc:postgresql://'"
  })
  void refusesToRead(String option, String value, String words) {
    assertOneSentence(
        PlannedSql.streaming().table(option, value).refusal("SELECT * FROM orders"),
        "'" + option + "'",
        words);
  }

  /** What no database has to be asked for. */
  @Test
  void refusesLookupsByWhatCannotBeCompared() {
    PlannedSql sql = PlannedSql.streaming().declare("orders", "tags ARRAY<STRING>, name STRING");
    sql.tables()
        .executeSql(
            "CREATE VIEW timed AS SELECT ARRAY[name] AS tags, PROCTIME() AS t FROM endless");
    assertOneSentence(
        sql.refusal(
            "SELECT * FROM timed JOIN orders FOR SYSTEM_TIME AS OF timed.t AS o"
                + " ON timed.tags = o.tags"),
        "rows cannot be looked up by column 'tags' of type ARRAY<STRING>");
  }

  /** Conditions go to the database only where it evaluates them as Flink does. */
  @Test
  void saysWhatIsPushedDown() {
    PlannedSql sql =
        PlannedSql.streaming()
            .declare(
                "orders",
                "id BIGINT, name STRING, other STRING, d DOUBLE, c CHAR(3), ts TIMESTAMP(3), `day`"
                    + " DATE, ok BOOLEAN");
    String plan =
        sql.tables()
            .explainSql(
                "SELECT name FROM orders WHERE id > 5 AND name = 'a' AND other > 'b' AND d > 1 AND"
                    + " c = 'abc' AND ts < TIMESTAMP '2020-01-01 00:00:00' AND (ok OR `day` IN"
                    + " (DATE '2020-01-01', DATE '2020-01-02')) AND d IS NOT NULL AND UPPER(other)"
                    + " = 'A'");
    String scan = plan.lines().filter(line -> line.contains("TableSourceScan")).findFirst().get();
    String rest = plan.substring(plan.indexOf("== Optimized Execution Plan"));
    String calc = rest.lines().filter(line -> line.contains("Calc(")).findFirst().get();
    assertThat(plan.substring(plan.indexOf("== Optimized Physical Plan"))).contains("filter=[");
    assertThat(calc).contains("other > 'b'").contains("UPPER(other)").contains("d > 1");
    assertThat(calc).doesNotContain("id > 5").doesNotContain("2020");
    assertThat(scan).doesNotContain("password");
    assertThat(sql.tables().explainSql("SELECT id FROM orders LIMIT 7")).contains("limit=[7]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"at-least-once", "none"})
  void needsNeitherPrefixNorCheckpointsWithoutTransactions(String guarantee) {
    PlannedSql sql =
        PlannedSql.withoutCheckpoints()
            .table("sink.delivery-guarantee", guarantee, "sink.transactional-id-prefix", null);
    assertThat(sql.plan(PlannedSql.APPENDS)).contains("orders: Writer");
  }

  @Test
  void upsertsAlwaysNeedNeitherPrefixNorCheckpoints() {
    PlannedSql sql =
        PlannedSql.withoutCheckpoints()
            .keyed("sink.idempotent-upsert", "always", "sink.transactional-id-prefix", null);
    assertThat(sql.plan(PlannedSql.UPDATES)).contains("orders: Writer");
  }

  private static List<String> warnings(PlannedSql sql, String... options) {
    sql.keyed(options);
    try (CapturedLog log = CapturedLog.ofWarnings()) {
      assertThat(sql.plan(PlannedSql.UPDATES)).contains("orders: Writer");
      return List.copyOf(log.messages());
    }
  }

  @Test
  void fallsBackWithOneWarningWhenCheckpointingIsOff() {
    assertThat(warnings(PlannedSql.withoutCheckpoints(), "sink.idempotent-upsert", "fallback"))
        .singleElement()
        .asString()
        .contains(TABLE, "idempotent upserts", "checkpointing is off", "'sink.idempotent-upsert'");
  }

  @Test
  void fallsBackWithOneWarningWhenCheckpointsAreNotExactlyOnce() {
    assertThat(
            warnings(
                PlannedSql.streaming(MODE, "AT_LEAST_ONCE"), "sink.idempotent-upsert", "fallback"))
        .singleElement()
        .asString()
        .contains(TABLE, "idempotent upserts", "AT_LEAST_ONCE");
  }

  @ParameterizedTest
  @CsvSource({"sink.idempotent-upsert, fallback", "sink.idempotent-upsert, never"})
  void saysNothingWhereTransactionsCanBe(String option, String value) {
    assertThat(warnings(PlannedSql.streaming(RETENTION, "RETAIN_ON_CANCELLATION"), option, value))
        .isEmpty();
  }

  @Test
  void theTimeoutHasNothingToDoWithTheInterval() {
    assertThat(
            warnings(
                PlannedSql.streaming(RETENTION, "RETAIN_ON_CANCELLATION"),
                "sink.transaction-timeout",
                "10 s"))
        .isEmpty();
  }

  @Test
  void warnsWhenAFailedJobLosesItsCheckpoints() {
    assertThat(warnings(PlannedSql.streaming())).singleElement().asString().contains(RETENTION);
  }

  @ParameterizedTest
  @ValueSource(strings = {"update", "ignore", "fail"})
  void takesInsertOnlyRowsByKey(String onExistingKey) {
    PlannedSql sql = PlannedSql.streaming().keyed("sink.on-existing-key", onExistingKey);
    assertThat(sql.plan(SqlPlanner.byKey(PlannedSql.APPENDS)))
        .contains("orders: Committer", "\"ship_strategy\" : \"HASH\"");
    assertThat(sql.plan(SqlPlanner.byKey("INSERT INTO orders VALUES (1, 'a')")))
        .contains("orders: Committer");
  }

  @Test
  void takesInsertOnlyRowsByKeyInBatchMode() {
    assertThat(
            PlannedSql.batch()
                .keyed()
                .plan(SqlPlanner.byKey("INSERT INTO orders SELECT * FROM ending")))
        .contains("orders: Committer");
  }

  static Stream<Arguments> secrets() {
    String secret = "s3cr3t";
    String url = "jdbc:postgresql://127.0.0.1:1/shop?user=me&password=" + secret;
    return Stream.of(
        Arguments.of("an ordinary table", new String[] {"url", url}),
        Arguments.of(
            "properties",
            new String[] {
              "password", secret, "properties.sslpassword", secret, "properties.sslkey", secret
            }),
        Arguments.of(
            "another refusal", new String[] {"url", url, "sink.transactional-id-prefix", null}),
        Arguments.of("a misspelt option", new String[] {"url", url, "usrname", "me"}),
        Arguments.of(
            "another protocol", new String[] {"url", "jdbc:mysql://me:s3cr3t@h/d?password=s3cr3t"}),
        Arguments.of("Oracle", new String[] {"url", "jdbc:oracle:thin:me/s3cr3t@//h:1/d"}),
        Arguments.of("no protocol", new String[] {"url", "me/s3cr3t@host"}),
        Arguments.of(
            "before the host", new String[] {"url", "jdbc:postgresql://me:s3cr3t@127.0.0.1/shop"}),
        Arguments.of(
            "a broken escape", new String[] {"url", "jdbc:postgresql://h/d?password=s3cr3t%2"}),
        Arguments.of("two passwords", new String[] {"url", url, "password", secret + "2"}));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("secrets")
  void neverShowsSecrets(String what, String[] options) {
    PlannedSql sql = PlannedSql.streaming().keyed(options);
    List<String> shown = new ArrayList<>();
    for (String statement : List.of(PlannedSql.UPDATES, "SELECT * FROM orders")) {
      Throwable thrown = catchThrowable(() -> shown.add(sql.plan(statement)));
      for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
        shown.add(String.valueOf(cause));
        for (Throwable suppressed : cause.getSuppressed()) {
          shown.add(String.valueOf(suppressed));
        }
      }
    }
    assertThat(shown).isNotEmpty().noneMatch(text -> text.contains("s3cr3t"));
  }
}
