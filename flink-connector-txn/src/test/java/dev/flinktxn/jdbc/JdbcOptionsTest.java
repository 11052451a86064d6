// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.expressions.ValueLiteralExpression;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;
import org.postgresql.ssl.NonValidatingFactory;

/** Every option with its default and with another value. */
class JdbcOptionsTest {

  private static final TxnJdbcTableFactory FACTORY = new TxnJdbcTableFactory();

  /** With a computed column, which rows do not have, before the others. */
  private static final List<Column> COLUMNS =
      List.of(
          Column.computed("twice", new ValueLiteralExpression(2)),
          Column.physical("name", DataTypes.STRING()),
          Column.physical("id", DataTypes.BIGINT().notNull()),
          Column.physical("shop", DataTypes.INT().notNull()));

  private static JdbcSinkAdapter adapter(
      Configuration settings, UniqueConstraint key, String... options) {
    ResolvedSchema resolved = new ResolvedSchema(COLUMNS, List.of(), key);
    return FACTORY.adapter(
        new FactoryUtil.DefaultDynamicTableContext(
            ObjectIdentifier.of("c", "d", "orders"),
            new ResolvedCatalogTable(
                CatalogTable.newBuilder()
                    .schema(Schema.newBuilder().build())
                    .options(PlannedSql.options(options))
                    .build(),
                resolved),
            Map.of(),
            settings,
            JdbcOptionsTest.class.getClassLoader(),
            false));
  }

  private static JdbcSinkAdapter adapter(String... options) {
    return adapter(new Configuration(), null, options);
  }

  private static JdbcSinkAdapter keyed(String... options) {
    return adapter(
        new Configuration(), UniqueConstraint.primaryKey("pk", List.of("shop", "id")), options);
  }

  private static JdbcTarget target(JdbcSinkAdapter adapter) {
    return adapter.target(
        (RowType)
            DataTypes.ROW(
                    DataTypes.FIELD("name", DataTypes.STRING()),
                    DataTypes.FIELD("id", DataTypes.BIGINT()),
                    DataTypes.FIELD("shop", DataTypes.INT()))
                .getLogicalType());
  }

  private static JdbcTarget target(String... options) {
    return target(adapter(options));
  }

  private static Set<String> keys(Set<ConfigOption<?>> options) {
    return options.stream().map(ConfigOption::key).collect(Collectors.toSet());
  }

  @Test
  void declaresExactlyTheseOptions() {
    assertThat(keys(FACTORY.requiredOptions())).containsExactlyInAnyOrder("url", "table-name");
    assertThat(FACTORY.optionalOptions().stream().map(ConfigOption::key))
        .containsExactlyInAnyOrder(
            "scan.fetch-size",
            "scan.parallelism",
            "lookup.cache",
            "lookup.max-retries",
            "lookup.partial-cache.max-rows",
            "lookup.partial-cache.expire-after-write",
            "lookup.partial-cache.expire-after-access",
            "lookup.partial-cache.cache-missing-key",
            "username",
            "password",
            "sink.commit-strategy",
            "sink.on-existing-key",
            "sink.inline-max-size",
            "sink.schema",
            "sink.ledger-retention",
            "sink.buffer-flush.max-rows",
            "sink.buffer-flush.interval",
            "sink.delivery-guarantee",
            "sink.transactional-id-prefix",
            "sink.transaction-timeout",
            "sink.idempotent-upsert",
            "sink.on-lost-transaction",
            "sink.parallelism");
  }

  @Test
  void everyOptionIsDescribed() {
    assertThat(
            Stream.of(FACTORY.requiredOptions(), FACTORY.optionalOptions())
                .flatMap(Set::stream)
                .filter(option -> new HtmlFormatter().format(option.description()).isBlank())
                .map(ConfigOption::key))
        .isEmpty();
  }

  @Test
  void whatChangesAtRestoreIsForwarded() {
    assertThat(FACTORY.forwardOptions().stream().map(ConfigOption::key))
        .containsExactlyInAnyOrder(
            "scan.fetch-size",
            "scan.parallelism",
            "lookup.cache",
            "lookup.max-retries",
            "lookup.partial-cache.max-rows",
            "lookup.partial-cache.expire-after-write",
            "lookup.partial-cache.expire-after-access",
            "lookup.partial-cache.cache-missing-key",
            "url",
            "username",
            "password",
            "sink.on-existing-key",
            "sink.inline-max-size",
            "sink.ledger-retention",
            "sink.buffer-flush.max-rows",
            "sink.buffer-flush.interval",
            "sink.transaction-timeout",
            "sink.on-lost-transaction",
            "sink.parallelism");
  }

  @Test
  void defaultsOfTheTarget() {
    JdbcTarget target = target();
    assertThat(target.table()).isEqualTo("c.d.orders");
    assertThat(target.url()).isEqualTo("jdbc:postgresql://127.0.0.1:1/shop");
    assertThat(target.properties()).isEmpty();
    assertThat(target.tableName()).isEqualTo(new TableName("sales", "orders"));
    assertThat(target.rows().getFieldNames()).containsExactly("name", "id", "shop");
    assertThat(target.key()).isEmpty();
    assertThat(target.prefix()).isEqualTo("orders");
    assertThat(target.strategy()).isEqualTo(CommitStrategy.LEDGER);
    assertThat(target.onExistingKey()).isEqualTo(OnExistingKey.FAIL);
    assertThat(target.inlineMaxBytes()).isEqualTo(1 << 20);
    assertThat(target.schema()).isEqualTo("flink_txn");
    assertThat(target.ledgerRetention()).isEqualTo(Duration.ofDays(7));
    assertThat(target.flushMaxRows()).isEqualTo(5000);
    assertThat(target.flushInterval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(target.transactionTimeout()).isEqualTo(Duration.ofMinutes(5));
    assertThat(target.preparedPerSubtask()).isZero();
  }

  @Test
  void otherValuesOfTheTarget() {
    JdbcTarget target =
        target(
            "url", "jdbc:postgresql://a:1,b:2/x?ApplicationName=my%20job&tcpKeepAlive",
            "table-name", "\"Sales EU\".\"Order\"",
            "username", "me",
            "password", "pw",
            "properties.socketTimeout", "7",
            "sink.transactional-id-prefix", "mine",
            "sink.on-existing-key", "ignore",
            "sink.inline-max-size", "3 kb",
            "sink.schema", "Ledger",
            "sink.ledger-retention", "9 h",
            "sink.buffer-flush.max-rows", "11",
            "sink.buffer-flush.interval", "0 s",
            "sink.transaction-timeout", "12 s");
    assertThat(target.url()).isEqualTo("jdbc:postgresql://a:1,b:2/x");
    assertThat(target.properties())
        .isEqualTo(
            Map.of(
                "user", "me",
                "password", "pw",
                "socketTimeout", "7",
                "ApplicationName", "my job",
                "tcpKeepAlive", ""));
    assertThat(target.tableName()).isEqualTo(new TableName("Sales EU", "Order"));
    assertThat(target.prefix()).isEqualTo("mine");
    assertThat(target.onExistingKey()).isEqualTo(OnExistingKey.IGNORE);
    assertThat(target.inlineMaxBytes()).isEqualTo(3 << 10);
    assertThat(target.schema()).isEqualTo("Ledger");
    assertThat(target.ledgerRetention()).isEqualTo(Duration.ofHours(9));
    assertThat(target.flushMaxRows()).isEqualTo(11);
    assertThat(target.flushInterval()).isZero();
    assertThat(target.transactionTimeout()).isEqualTo(Duration.ofSeconds(12));
  }

  @Test
  void theKeyIsFoundByNameAndKeepsItsOrder() {
    assertThat(keyed().key()).containsExactly(2, 1);
    assertThat(target(keyed()).key()).containsExactly("shop", "id");
  }

  @Test
  void aKeyMeansUpdateUnlessSaidOtherwise() {
    assertThat(target(keyed()).onExistingKey()).isEqualTo(OnExistingKey.UPDATE);
    assertThat(target(keyed("sink.on-existing-key", "fail")).onExistingKey())
        .isEqualTo(OnExistingKey.FAIL);
  }

  @Test
  void withoutTransactionsThePrefixMayBeMissing() {
    String[] without = {"sink.transactional-id-prefix", null, "sink.delivery-guarantee", "none"};
    assertThat(target(without).prefix()).isNull();
    assertThat(target("sink.delivery-guarantee", "none").prefix()).isEqualTo("orders");
  }

  @Test
  void countsWhatOneSubtaskMayHavePrepared() {
    String[] prepared = {"sink.commit-strategy", "prepared"};
    assertThat(target(prepared).strategy()).isEqualTo(CommitStrategy.PREPARED);
    assertThat(target(prepared).preparedPerSubtask()).isEqualTo(1);
    Configuration settings = new Configuration();
    settings.setString("execution.checkpointing.interval", "1 min");
    assertThat(target(adapter(settings, null, prepared)).preparedPerSubtask()).isEqualTo(2);
    settings.setString("execution.checkpointing.max-concurrent-checkpoints", "3");
    assertThat(target(adapter(settings, null, prepared)).preparedPerSubtask()).isEqualTo(4);
    assertThat(target(adapter(settings, null)).preparedPerSubtask()).isZero();
  }

  @Test
  void takesUpsertsByKeyAndInsertsWithoutOne() {
    assertThat(adapter().changelogMode(ChangelogMode.insertOnly()))
        .isEqualTo(ChangelogMode.insertOnly());
    ChangelogMode byKey = keyed().changelogMode(ChangelogMode.all());
    assertThat(byKey.getContainedKinds())
        .containsExactlyInAnyOrder(RowKind.INSERT, RowKind.UPDATE_AFTER, RowKind.DELETE);
    assertThat(keyed().changelogMode(ChangelogMode.insertOnly())).isEqualTo(byKey);
  }

  /** Nothing of a class's name is checked here: the driver loads it. */
  @Test
  void classesOfTheDriverAreThoseOfItsPackage() {
    String name = "org.postgresql.ssl.NonValidatingFactory";
    assertThat(target("properties.sslfactory", name).properties())
        .isEqualTo(Map.of("sslfactory", NonValidatingFactory.class.getName()));
    assertThat(
            target("url", "jdbc:postgresql://h/d?sslfactory=" + name + "&options=a").properties())
        .isEqualTo(Map.of("sslfactory", NonValidatingFactory.class.getName(), "options", "a"));
    assertThat(target("properties.sslfactory", "org.example.Factory").properties())
        .isEqualTo(Map.of("sslfactory", "org.example.Factory"));
  }

  @Test
  void theSameValueTwiceIsNoContradiction() {
    assertThat(target("username", "me", "url", "jdbc:postgresql://h/d?user=me").properties())
        .isEqualTo(Map.of("user", "me"));
  }

  @Test
  void showsTheTableOnly() {
    String[] secret = {"password", "s3cr3t", "url", "jdbc:postgresql://h/d?sslpassword=s3cr3t"};
    JdbcSinkAdapter adapter = adapter(secret);
    assertThat(adapter.summary()).isEqualTo("PostgreSQL table \"sales\".\"orders\"");
    assertThat(adapter.toString()).doesNotContain("s3cr3t");
    assertThat(adapter.address().url()).doesNotContain("s3cr3t");
    assertThat(target(adapter).toString()).doesNotContain("s3cr3t");
    assertThat(target(adapter).url()).doesNotContain("s3cr3t");
    assertThat(target(adapter).properties())
        .isEqualTo(Map.of("password", "s3cr3t", "sslpassword", "s3cr3t"));
  }
}
