// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading a {@code txn-kafka} table through the official connector, there or not. */
class KafkaReadingTest {

  private static final Column ID = Column.physical("id", DataTypes.BIGINT());
  private static final String SERVICES =
      "META-INF/services/org.apache.flink.table.factories.Factory";

  @TempDir Path directory;

  private static DynamicTableSource source(ClassLoader loader, String... options) {
    return new TxnKafkaTableFactory()
        .createDynamicTableSource(TableContexts.table(Sql.options(options), loader, ID));
  }

  private Map<String, String> handedOver(String... options) throws IOException {
    Files.createDirectories(directory.resolve(SERVICES).getParent());
    Files.writeString(directory.resolve(SERVICES), Recording.class.getName());
    try (WithoutOfficial loader = new WithoutOfficial(directory.toUri().toURL())) {
      return ((Recorded) source(loader, options)).options();
    }
  }

  @Test
  void saysWhichJarIsMissing() throws IOException {
    try (WithoutOfficial loader = new WithoutOfficial()) {
      assertThatThrownBy(() -> source(loader))
          .isInstanceOf(ValidationException.class)
          .hasMessageStartingWith("Table c.d.orders: ")
          .hasMessageContaining("flink-sql-connector-kafka")
          .hasMessageNotContaining("\n");
    }
  }

  @Test
  void readsOnlyWhatIsCommitted() throws IOException {
    assertThat(handedOver())
        .containsEntry("connector", "kafka")
        .containsEntry("properties.isolation.level", "read_committed");
  }

  @Test
  void readsEverythingWhenToldSo() throws IOException {
    assertThat(handedOver("properties.isolation.level", "read_uncommitted"))
        .containsEntry("properties.isolation.level", "read_uncommitted");
  }

  @Test
  void handsOverWhatReadingNeedsAndNothingOfTheSink() throws IOException {
    assertThat(
            handedOver(
                "scan.startup.mode", "earliest-offset",
                "properties.group.id", "g",
                "json.ignore-parse-errors", "true",
                "sink.transaction-timeout", "9 min",
                "sink.on-lost-transaction", "continue",
                "sink.parallelism", "2"))
        .isEqualTo(
            Map.of(
                "connector", "kafka",
                "topic", "orders",
                "format", "json",
                "json.ignore-parse-errors", "true",
                "properties.bootstrap.servers", "127.0.0.1:1",
                "properties.group.id", "g",
                "properties.isolation.level", "read_committed",
                "scan.startup.mode", "earliest-offset"));
  }

  @Test
  void refusesMisspeltOptionsOfReading() throws IOException {
    try (WithoutOfficial loader = new WithoutOfficial()) {
      assertThatThrownBy(() -> source(loader, "scan.startup.mod", "earliest-offset"))
          .hasMessageContaining("did you mean 'scan.startup.mode'");
    }
  }

  @Test
  void theOfficialConnectorTakesWhatItIsHanded() throws IOException {
    Sql sql =
        Sql.streaming()
            .withOfficialConnector()
            .table(
                "scan.startup.mode", "earliest-offset",
                "scan.bounded.mode", "latest-offset",
                "scan.parallelism", "2",
                "sink.transaction-timeout", "9 min");
    assertThat(sql.plan("SELECT id FROM orders"))
        .contains("Source: KafkaSource-default_catalog.default_database.orders");
    assertThat(sql.plan("INSERT INTO orders SELECT id, name FROM orders"))
        .contains("Source: KafkaSource-", "orders: Writer");
  }

  @Test
  void readingNeedsNoPrefix() throws IOException {
    Sql sql =
        Sql.streaming()
            .withOfficialConnector()
            .table("sink.transactional-id-prefix", null, "scan.startup.mode", "earliest-offset");
    assertThat(sql.plan("SELECT id FROM orders")).contains("Source: KafkaSource-");
  }

  /** A class path on which the official connector is not, but perhaps another of its name. */
  private static final class WithoutOfficial extends URLClassLoader {
    WithoutOfficial(URL... more) {
      super(more, KafkaReadingTest.class.getClassLoader());
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return Collections.enumeration(
          Collections.list(super.getResources(name)).stream()
              .filter(url -> !url.getPath().contains("flink-sql-connector-kafka"))
              .toList());
    }
  }

  private record Recorded(Map<String, String> options) implements ScanTableSource {
    @Override
    public ChangelogMode getChangelogMode() {
      return ChangelogMode.insertOnly();
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
      throw new UnsupportedOperationException();
    }

    @Override
    public DynamicTableSource copy() {
      return this;
    }

    @Override
    public String asSummaryString() {
      return "recorded";
    }
  }

  /** Stands where the official connector would, and keeps what it is handed. */
  public static final class Recording implements DynamicTableSourceFactory {
    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
      return new Recorded(context.getCatalogTable().getOptions());
    }

    @Override
    public String factoryIdentifier() {
      return "kafka";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
      return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
      return Set.of();
    }
  }
}
