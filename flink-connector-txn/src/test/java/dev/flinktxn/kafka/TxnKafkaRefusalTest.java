// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.flinktxn.fixture.SqlPlanner;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.ExplainDetail;
import org.apache.flink.table.api.PlanReference;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before any task runs, and in which words. */
class TxnKafkaRefusalTest {

  private static final String TABLE = "default_catalog.default_database.orders";

  private static void assertOneSentence(String refusal, String... words) {
    assertThat(refusal)
        .startsWith("Table " + TABLE + ": ")
        .endsWith(".")
        .doesNotContain("\n")
        .contains(words);
  }

  @Test
  void plansAnOrdinaryInsert() {
    assertThat(Sql.streaming().table().plan()).contains("orders: Writer", "orders: Committer");
  }

  @Test
  void plansInBatchModeWithoutCheckpoints() {
    assertThat(Sql.batch().table().plan("INSERT INTO orders SELECT * FROM ending"))
        .contains("orders: Committer");
  }

  @Test
  void plansABoundedInsertWithoutCheckpoints() {
    Sql sql = Sql.withoutCheckpoints().table();
    assertThat(sql.plan("INSERT INTO orders VALUES (1, 'a')")).contains("orders: Committer");
    assertThat(sql.plan("INSERT INTO orders SELECT * FROM ending")).contains("orders: Committer");
  }

  @Test
  void refusesAnEndlessInsertWithoutCheckpoints() {
    assertOneSentence(
        Sql.withoutCheckpoints().table().refusal(),
        "'execution.checkpointing.interval' is not set",
        "'at-least-once'");
  }

  @Test
  void refusesAnInsertThatJoinsAnEndlessInputWithoutCheckpoints() {
    assertOneSentence(
        Sql.withoutCheckpoints()
            .table()
            .refusal("INSERT INTO orders SELECT * FROM ending UNION ALL SELECT * FROM endless"),
        "execution.checkpointing.interval");
  }

  @Test
  void seesAnEndlessSourceBehindAParallelismOfItsOwn() {
    Sql sql = Sql.withoutCheckpoints().table();
    sql.tables()
        .executeSql(
            "CREATE TABLE parallel (id BIGINT, name STRING)"
                + " WITH ('connector' = 'datagen', 'scan.parallelism' = '2')");
    assertOneSentence(
        sql.refusal("INSERT INTO orders SELECT * FROM parallel"),
        "execution.checkpointing.interval");
  }

  @ParameterizedTest
  @ValueSource(strings = {"at-least-once", "none"})
  void plansAnEndlessInsertWithoutCheckpointsWhenNothingIsTransactional(String guarantee) {
    Sql sql =
        Sql.withoutCheckpoints()
            .table("sink.delivery-guarantee", guarantee, "sink.transactional-id-prefix", null);
    assertThat(sql.plan()).contains("orders: Writer");
  }

  @Test
  void refusesCheckpointsThatAreNotExactlyOnce() {
    assertOneSentence(
        Sql.streaming("execution.checkpointing.mode", "AT_LEAST_ONCE").table().refusal(),
        "'execution.checkpointing.mode' is 'AT_LEAST_ONCE'",
        "EXACTLY_ONCE");
  }

  @Test
  void refusesJobsWithoutALastCheckpoint() {
    assertOneSentence(
        Sql.streaming("execution.checkpointing.checkpoints-after-tasks-finish", "false")
            .table()
            .refusal(),
        "'execution.checkpointing.checkpoints-after-tasks-finish' is 'false'",
        "set it to true");
  }

  @Test
  void seesCheckpointSettingsOfTheSession() {
    Sql sql = Sql.withoutCheckpoints().table();
    sql.tables().getConfig().set("execution.checkpointing.interval", "1 min");
    assertThat(sql.plan()).contains("orders: Committer");
    sql.tables().getConfig().set("execution.checkpointing.mode", "AT_LEAST_ONCE");
    assertOneSentence(sql.refusal(), "execution.checkpointing.mode");
  }

  @Test
  void seesCheckpointSettingsOfTheProgram() {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(new Configuration());
    Sql sql = Sql.of(StreamTableEnvironment.create(environment)).table();
    assertOneSentence(sql.refusal(), "execution.checkpointing.interval");
    environment.enableCheckpointing(60_000);
    assertThat(sql.plan()).contains("orders: Committer");
    environment.enableCheckpointing(60_000, CheckpointingMode.AT_LEAST_ONCE);
    assertOneSentence(sql.refusal(), "'execution.checkpointing.mode' is 'AT_LEAST_ONCE'");
  }

  @Test
  void plansACompiledPlan() {
    Sql sql = Sql.streaming().table();
    String plan =
        sql.tables().compilePlanSql("INSERT INTO orders SELECT * FROM endless").asJsonString();
    assertThat(
            sql.tables()
                .loadPlan(PlanReference.fromJsonString(plan))
                .explain(ExplainDetail.JSON_EXECUTION_PLAN))
        .contains("orders: Committer");
    sql.tables().getConfig().set("execution.checkpointing.mode", "AT_LEAST_ONCE");
    assertOneSentence(
        Sql.reason(
            catchThrowable(
                () -> sql.tables().loadPlan(PlanReference.fromJsonString(plan)).explain())),
        "execution.checkpointing.mode");
  }

  @ParameterizedTest
  @ValueSource(strings = {"AT_LEAST_ONCE", "EXACTLY_ONCE"})
  void atLeastOnceTakesAnyCheckpoints(String mode) {
    Sql sql =
        Sql.streaming(
                "execution.checkpointing.mode",
                mode,
                "execution.checkpointing.checkpoints-after-tasks-finish",
                "false")
            .table("sink.delivery-guarantee", "at-least-once");
    assertThat(sql.plan()).contains("orders: Writer");
  }

  @Test
  void refusesTwoInsertsOfOneJobWithOnePrefix() {
    Sql sql = Sql.streaming().table().declare("audit", "id BIGINT, name STRING", "topic", "audit");
    StatementSet statements = sql.tables().createStatementSet();
    statements.addInsertSql("INSERT INTO orders SELECT * FROM endless");
    statements.addInsertSql("INSERT INTO audit SELECT * FROM endless");
    assertThat(Sql.reason(catchThrowable(statements::explain)))
        .contains(TABLE, "default_catalog.default_database.audit", "'orders'", "OPTIONS hint")
        .doesNotContain("\n");
  }

  @Test
  void takesTwoInsertsIntoOneTableWithAHint() {
    Sql sql = Sql.streaming().table();
    StatementSet statements = sql.tables().createStatementSet();
    statements.addInsertSql("INSERT INTO orders SELECT * FROM endless");
    statements.addInsertSql(
        "INSERT INTO orders /*+ OPTIONS('sink.transactional-id-prefix' = 'orders-2') */"
            + " SELECT * FROM endless");
    assertThatCode(statements::explain).doesNotThrowAnyException();
  }

  @Test
  void onePrefixServesOneStatementAfterTheOther() {
    Sql sql = Sql.streaming().table();
    assertThat(sql.plan()).contains("orders: Committer");
    assertThat(sql.plan()).contains("orders: Committer");
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
        refused(
            "the separator in the prefix",
            words("'sink.transactional-id-prefix' is 'orders~1'", "A-Z a-z 0-9 . _ -"),
            "sink.transactional-id-prefix",
            "orders~1"),
        refused(
            "a prefix that is too long",
            words("1 to 64", "65 characters found"),
            "sink.transactional-id-prefix",
            "x".repeat(65)),
        refused(
            "an empty prefix",
            words("'sink.transactional-id-prefix' is ''", "1 to 64"),
            "sink.transactional-id-prefix",
            ""),
        refused(
            "unknown guarantee",
            words("'exctly-once'", "'exactly-once', 'at-least-once', 'none'"),
            "sink.delivery-guarantee",
            "exctly-once"),
        refused(
            "unknown answer to a loss",
            words("'ignore'", "'fail', 'continue'"),
            "sink.on-lost-transaction",
            "ignore"),
        refused(
            "unknown upsert mode",
            words("'sometimes'", "'never', 'fallback', 'always'"),
            "sink.idempotent-upsert",
            "sometimes"),
        refused(
            "upserts by fallback without a key",
            words("'sink.idempotent-upsert' is 'fallback'", "PRIMARY KEY (...) NOT ENFORCED"),
            "sink.idempotent-upsert",
            "fallback"),
        refused(
            "upserts always without a key",
            words("'sink.idempotent-upsert' is 'always'", "PRIMARY KEY (...) NOT ENFORCED"),
            "sink.idempotent-upsert",
            "always"),
        refused(
            "parallelism 0",
            words("'sink.parallelism' is '0'", "above 0"),
            "sink.parallelism",
            "0"),
        refused(
            "parallelism in words",
            words("'sink.parallelism' is 'two'", "whole number"),
            "sink.parallelism",
            "two"),
        refused(
            "timeout in words",
            words("'sink.transaction-timeout' is 'long'", "'15 min'"),
            "sink.transaction-timeout",
            "long"),
        refused(
            "no timeout at all",
            words("'sink.transaction-timeout' is", "above 0"),
            "sink.transaction-timeout",
            "0 s"),
        refused(
            "timeout as long as the interval",
            words(
                "'sink.transaction-timeout' is '1 min'",
                "longer than 'execution.checkpointing.interval', which is '1 min'"),
            "sink.transaction-timeout",
            "60 s"),
        refused(
            "timeout as a producer property",
            words("'properties.transaction.timeout.ms' is '59 s'", "longer than"),
            "properties.transaction.timeout.ms",
            "59000"),
        refused(
            "timeout that is no number",
            words("'properties.transaction.timeout.ms' is '1 h'", "milliseconds"),
            "properties.transaction.timeout.ms",
            "1 h"),
        refused(
            "two timeouts",
            words("'properties.transaction.timeout.ms'", "'sink.transaction-timeout' says"),
            "properties.transaction.timeout.ms",
            "900000",
            "sink.transaction-timeout",
            "20 min"),
        refused(
            "misspelt option of ours",
            words("'sink.transactional-id-prefx'", "did you mean 'sink.transactional-id-prefix'"),
            "sink.transactional-id-prefx",
            "x"),
        refused(
            "misspelt option of Kafka",
            words("'key.feilds'", "did you mean 'key.fields'"),
            "key.feilds",
            "id"),
        refused(
            "misspelt properties",
            words("'property.bootstrap.servers'", "'properties.bootstrap.servers'"),
            "property.bootstrap.servers",
            "x"),
        refused(
            "misspelt option of the format",
            words("'json.ignore-parse-error'", "did you mean 'json.ignore-parse-errors'"),
            "json.ignore-parse-error",
            "true"),
        refused(
            "Flink's old name of the guarantee",
            words("'sink.semantic'", "'sink.delivery-guarantee'"),
            "sink.semantic",
            "exactly-once"),
        refused(
            "naming strategy",
            words("'sink.transaction-naming-strategy'", "'sink.transactional-id-prefix'"),
            "sink.transaction-naming-strategy",
            "POOLING"),
        refused(
            "another name of the prefix",
            words("'sink.transaction-prefix'", "use 'sink.transactional-id-prefix'"),
            "sink.transaction-prefix",
            "orders"),
        refused(
            "buffered rows without a key",
            words("'sink.buffer-flush.max-rows' is '10'", "PRIMARY KEY (...) NOT ENFORCED"),
            "sink.buffer-flush.max-rows",
            "10"),
        refused(
            "buffering for a while without a key",
            words("'sink.buffer-flush.interval' is", "PRIMARY KEY (...) NOT ENFORCED"),
            "sink.buffer-flush.interval",
            "1 s"),
        refused(
            "own transactional id",
            words("'properties.transactional.id' is 'mine'", "'sink.transactional-id-prefix'"),
            "properties.transactional.id",
            "mine"),
        refused(
            "producer without idempotence",
            words("'properties.enable.idempotence' is 'false'", "idempotent producer"),
            "properties.enable.idempotence",
            "false"),
        refused(
            "acks of the leader only",
            words("'properties.acks' is '1'", "'all'"),
            "properties.acks",
            "1"),
        refused(
            "own key serializer",
            words("'properties.key.serializer'", "'format'"),
            "properties.key.serializer",
            "org.example.Keys"),
        refused(
            "own value serializer",
            words("'properties.value.serializer'", "'format'"),
            "properties.value.serializer",
            "org.example.Values"),
        refused(
            "transactions without end and a timeout",
            words(
                "'properties.transaction.two.phase.commit.enable' is 'true'",
                "'sink.transaction-timeout' says"),
            "properties.transaction.two.phase.commit.enable",
            "true",
            "sink.transaction-timeout",
            "10 min"),
        refused(
            "transactions without end without transactions",
            words("'properties.transaction.two.phase.commit.enable' is 'true'", "remove it"),
            "properties.transaction.two.phase.commit.enable",
            "true",
            "sink.delivery-guarantee",
            "at-least-once"),
        refused(
            "transactions with half an end",
            words("'properties.transaction.two.phase.commit.enable' is 'yes'", "'true' or 'false'"),
            "properties.transaction.two.phase.commit.enable",
            "yes"),
        refused(
            "no brokers",
            words("'properties.bootstrap.servers' is not set", "host:port"),
            "properties.bootstrap.servers",
            null),
        refused("no topic", words("'topic' is not set"), "topic", null),
        refused(
            "topic and pattern",
            words("'topic-pattern'", "'topic' is set as well"),
            "topic-pattern",
            "orders-.*"),
        refused(
            "broken pattern",
            words("'topic-pattern' is '['", "not a regular expression"),
            "topic",
            null,
            "topic-pattern",
            "["),
        refused(
            "several topics without the column",
            words(
                "no column says which topic", "topics [a, b]", "`topic` STRING NOT NULL METADATA"),
            "topic",
            "a;b"),
        refused("no format", words("'format' is not set", "'json'"), "format", null),
        refused(
            "key format without fields",
            words("'key.fields' is not set", "[id, name]"),
            "key.format",
            "json"),
        refused(
            "key fields without format",
            words("'key.format' is not set", "[id]"),
            "key.fields",
            "id"),
        refused(
            "unknown key field",
            words("'key.fields' is 'nr'", "[id, name]"),
            "key.format",
            "json",
            "key.fields",
            "nr"),
        refused(
            "key field without the prefix",
            words("'key.fields' is 'id'", "'k_'"),
            "key.format",
            "json",
            "key.fields",
            "id",
            "key.fields-prefix",
            "k_",
            "value.fields-include",
            "EXCEPT_KEY"),
        refused(
            "key prefix with all fields",
            words("'key.fields-prefix' is 'i'", "'EXCEPT_KEY'"),
            "key.format",
            "json",
            "key.fields",
            "id",
            "key.fields-prefix",
            "i"),
        refused(
            "unknown choice of value fields",
            words("'SOME'", "'ALL', 'EXCEPT_KEY'"),
            "value.fields-include",
            "SOME"),
        refused(
            "changes in the key",
            words("'key.format' is 'debezium-json'", "insert-only"),
            "key.format",
            "debezium-json",
            "key.fields",
            "id"),
        refused(
            "round-robin with a key",
            words("'sink.partitioner' is 'round-robin'", "records of one key", "'default'"),
            "sink.partitioner",
            "round-robin",
            "key.format",
            "json",
            "key.fields",
            "id"),
        refused(
            "unknown partitioner",
            words("'sink.partitioner' is 'fixd'", "'default', 'fixed', 'round-robin'"),
            "sink.partitioner",
            "fixd"),
        refused(
            "partitioner of another kind",
            words("'java.lang.String'", "dev.flinktxn.kafka.RecordPartitioner"),
            "sink.partitioner",
            "java.lang.String"));
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
    assertOneSentence(Sql.streaming().table(options).refusal(), words);
  }

  @Test
  void otherGuaranteesLeaveTheProducerToTheUser() {
    Sql sql =
        Sql.streaming()
            .table(
                "sink.delivery-guarantee", "at-least-once",
                "properties.enable.idempotence", "false",
                "properties.acks", "1");
    assertThat(sql.plan()).contains("orders: Writer");
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "-1", "ALL"})
  void takesAcksOfAllReplicas(String acks) {
    assertThat(Sql.streaming().table("properties.acks", acks).plan()).contains("orders: Writer");
  }

  @Test
  void refusesUpdatesWithoutAKey() {
    assertOneSentence(
        Sql.streaming()
            .table()
            .refusal("INSERT INTO orders SELECT id, MAX(name) FROM endless GROUP BY id"),
        "PRIMARY KEY (...) NOT ENFORCED",
        "'debezium-json'");
  }

  @Test
  void takesUpdatesInAFormatThatWritesChanges() {
    assertThat(
            Sql.streaming()
                .table("format", "debezium-json")
                .plan("INSERT INTO orders SELECT id, MAX(name) FROM endless GROUP BY id"))
        .contains("orders: Committer");
  }

  private static final String UPDATES =
      "INSERT INTO orders SELECT id, MAX(name) FROM endless GROUP BY id";

  /** The table with a PRIMARY KEY. */
  private static Sql keyed(Sql sql, String... changes) {
    return sql.declare(
        "orders",
        "id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED",
        Stream.concat(Stream.of("key.format", "json"), Stream.of(changes)).toArray(String[]::new));
  }

  static Stream<Arguments> keyedOptions() {
    return Stream.of(
        refused(
            "no format for the key",
            words("'key.format' is not set", "PRIMARY KEY [id]", "'json'"),
            "key.format",
            null),
        refused(
            "another key than the primary key",
            words("'key.fields' is 'name'", "PRIMARY KEY [id]", "remove it"),
            "key.fields",
            "name"),
        refused(
            "a key that cannot be told from the value",
            words("'key.fields-prefix' is 'i'", "'EXCEPT_KEY'"),
            "key.fields-prefix",
            "i"),
        refused(
            "changes in the key",
            words("'key.format' is 'debezium-json'", "insert-only"),
            "key.format",
            "debezium-json"),
        refused(
            "round-robin",
            words("'sink.partitioner' is 'round-robin'", "records of one key", "'default'"),
            "sink.partitioner",
            "round-robin"),
        refused(
            "fixed partitions",
            words("'sink.partitioner' is 'fixed'", "another parallelism", "'default'"),
            "sink.partitioner",
            "fixed"),
        refused(
            "fewer than no rows",
            words("'sink.buffer-flush.max-rows' is '-1'", "0 or a whole number"),
            "sink.buffer-flush.max-rows",
            "-1"),
        refused(
            "rows in words",
            words("'sink.buffer-flush.max-rows' is 'many'", "0 or a whole number"),
            "sink.buffer-flush.max-rows",
            "many"),
        refused(
            "an interval in words",
            words("'sink.buffer-flush.interval' is 'soon'", "'1 s'"),
            "sink.buffer-flush.interval",
            "soon"),
        refused(
            "idempotent upserts that may be lost",
            words("'sink.idempotent-upsert' is 'always'", "'none'"),
            "sink.idempotent-upsert",
            "always",
            "sink.delivery-guarantee",
            "none"),
        refused(
            "idempotent upserts without an idempotent producer",
            words("'properties.enable.idempotence' is 'false'", "idempotent producer"),
            "sink.idempotent-upsert",
            "always",
            "properties.enable.idempotence",
            "false"),
        refused(
            "idempotent upserts on the leader only",
            words("'properties.acks' is '1'", "'all'"),
            "sink.idempotent-upsert",
            "always",
            "properties.acks",
            "1"),
        refused(
            "a fallback without a prefix",
            words("'sink.transactional-id-prefix' is not set"),
            "sink.idempotent-upsert",
            "fallback",
            "sink.transactional-id-prefix",
            null));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("keyedOptions")
  void refusesOptionsOfATableWithAKey(String what, String[] words, String[] options) {
    assertOneSentence(keyed(Sql.streaming(), options).refusal(UPDATES), words);
  }

  /** Partitioned by the key, whatever Flink thinks of the rows' order. */
  @Test
  void takesUpdatesByKey() {
    assertThat(
            keyed(Sql.streaming())
                .plan(SqlPlanner.byKey("INSERT INTO orders SELECT * FROM endless")))
        .contains("orders: Committer", "\"ship_strategy\" : \"HASH\"");
    assertThat(keyed(Sql.streaming()).plan(UPDATES)).contains("orders: Committer");
  }

  @Test
  void takesAKeyThatIsNamedTwice() {
    assertThat(keyed(Sql.streaming(), "key.fields", "id").plan(UPDATES))
        .contains("orders: Committer");
  }

  /** The format says what a row does; the key is what the options say, as everywhere else. */
  @Test
  void writesChangesInTheirFormatWhetherOrNotThereIsAPrimaryKey() {
    assertThat(keyed(Sql.streaming(), "format", "debezium-json", "key.format", null).plan(UPDATES))
        .contains("orders: Committer");
    assertOneSentence(
        keyed(
                Sql.streaming(),
                "format",
                "debezium-json",
                "key.format",
                null,
                "sink.idempotent-upsert",
                "always")
            .refusal(UPDATES),
        "'sink.idempotent-upsert' is 'always'");
  }

  @Test
  void idempotentUpsertsNeedNeitherPrefixNorCheckpoints() {
    assertThat(
            keyed(
                    Sql.withoutCheckpoints(),
                    "sink.idempotent-upsert",
                    "always",
                    "sink.transactional-id-prefix",
                    null)
                .plan(UPDATES))
        .contains("orders: Writer");
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "AT_LEAST_ONCE"})
  void fallsBackWhereCheckpointsAreNotEnough(String mode) {
    Supplier<Sql> session =
        () ->
            mode.equals("off")
                ? Sql.withoutCheckpoints()
                : Sql.streaming("execution.checkpointing.mode", mode);
    assertThat(keyed(session.get(), "sink.idempotent-upsert", "fallback").plan(UPDATES))
        .contains("orders: Writer");
    assertOneSentence(keyed(session.get()).refusal(UPDATES), "execution.checkpointing.");
  }

  @Test
  void takesOptionsOfReading() {
    assertThat(
            Sql.streaming()
                .table(
                    "scan.startup.mode", "earliest-offset",
                    "scan.bounded.mode", "latest-offset",
                    "scan.watermark.idle-timeout", "1 s",
                    "scan.parallelism", "2",
                    "properties.group.id", "g",
                    "json.ignore-parse-errors", "true")
                .plan())
        .contains("orders: Writer");
  }

  @Test
  void neverShowsSecrets() {
    String secret = "s3cr3t";
    Sql sql =
        Sql.streaming()
            .table(
                "properties.sasl.jaas.config", secret,
                "properties.ssl.key.password", secret,
                "properties.ssl.keystore.key", secret);
    assertThat(sql.plan()).doesNotContain(secret);
    sql.declare(
        "refused",
        "id BIGINT, name STRING",
        "properties.sasl.jaas.config",
        secret,
        "properties.ssl.key.password",
        secret,
        "sink.transactional-id-prefix",
        null);
    Throwable thrown = catchThrowable(() -> sql.plan("INSERT INTO refused SELECT * FROM endless"));
    assertThat(thrown).isNotNull();
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      assertThat(String.valueOf(cause.getMessage())).doesNotContain(secret);
    }
  }
}
