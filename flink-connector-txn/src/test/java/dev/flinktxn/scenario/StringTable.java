// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.testframe.external.ExternalSystemDataReader;
import org.apache.flink.connector.testframe.external.sink.DataStreamSinkV2ExternalContext;
import org.apache.flink.connector.testframe.external.sink.TestingSinkSettings;

/** A table with one text column, as Flink's test suite for sinks wants to know it. */
final class StringTable implements DataStreamSinkV2ExternalContext<String> {

  private static final String NAME = "suite";

  private final PostgresTables database;

  StringTable(PostgresTables database) {
    this.database = database;
    database.create(NAME, 1, "v STRING");
  }

  @Override
  public Sink<String> createSink(TestingSinkSettings settings) {
    Map<String, String> options = database.options(NAME, NAME);
    options.put("sink.delivery-guarantee", StringTopic.guarantee(settings));
    return StringSink.ofTable(options);
  }

  @Override
  public ExternalSystemDataReader<String> createSinkDataReader(TestingSinkSettings settings) {
    return new Reader(database);
  }

  @Override
  public List<String> generateTestData(TestingSinkSettings settings, long seed) {
    return StringTopic.testData(seed);
  }

  @Override
  public TypeInformation<String> getProducedType() {
    return TypeInformation.of(String.class);
  }

  @Override
  public List<URL> getConnectorJarPaths() {
    return List.of();
  }

  /** The suite's own end comes before its jobs' last traces are gone; see {@link #end}. */
  @Override
  public void close() {}

  /** Checks that nothing is left, and drops the database. */
  void end() {
    try (database) {
      database.awaitNothingLeft(List.of(NAME));
    }
  }

  /** Finds each row once, by its place in the table, so that duplicates show. */
  private static final class Reader implements ExternalSystemDataReader<String> {

    private final PostgresTables database;
    private final Set<String> seen = new HashSet<>();

    Reader(PostgresTables database) {
      this.database = database;
    }

    @Override
    public List<String> poll(Duration timeout) {
      List<String> values = new ArrayList<>();
      for (String found : database.query("SELECT ctid::text || v FROM " + NAME)) {
        int end = found.indexOf(')') + 1;
        if (seen.add(found.substring(0, end))) {
          values.add(found.substring(end));
        }
      }
      return values;
    }

    @Override
    public void close() {}
  }
}
