// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.catalog.TxnCatalogFactory;
import dev.flinktxn.jdbc.TxnJdbcTableFactory;
import dev.flinktxn.kafka.TxnKafkaTableFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.factories.Factory;
import org.apache.flink.util.TimeUtils;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The option tables of the README are the declared options, no more and no less. */
class ReadmeOptionsTest {

  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\|([^|]*)\\| [^|]+ \\|");

  static Stream<Arguments> connectors() {
    return Stream.of(
        Arguments.of("## Options of txn-kafka", new TxnKafkaTableFactory()),
        Arguments.of("## Options of txn-jdbc", new TxnJdbcTableFactory()),
        Arguments.of("## The catalog", new TxnCatalogFactory()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("connectors")
  void tableHoldsEveryOptionWithItsDefault(String title, Factory factory) throws IOException {
    Map<String, String> declared = new TreeMap<>();
    factory.requiredOptions().forEach(option -> declared.put(option.key(), "required"));
    factory.optionalOptions().forEach(option -> declared.put(option.key(), shown(option)));

    Map<String, String> written = new TreeMap<>();
    for (String line : section(title, Files.readAllLines(Path.of("..", "README.md")))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        written.put(row.group(1), row.group(2).strip());
      }
    }
    assertThat(written).isEqualTo(declared);
  }

  private static List<String> section(String title, List<String> readme) {
    int begin = readme.indexOf(title);
    assertThat(begin).isNotNegative();
    List<String> rest = readme.subList(begin + 1, readme.size());
    return rest.stream().takeWhile(line -> !line.startsWith("## ")).toList();
  }

  private static String shown(ConfigOption<?> option) {
    return Stream.ofNullable(option.defaultValue())
        .filter(value -> !(value instanceof Collection<?> many && many.isEmpty()))
        .map(
            value -> value instanceof Duration time ? TimeUtils.formatWithHighestUnit(time) : value)
        .map(value -> "`" + value + "`")
        .findAny()
        .orElse("");
  }
}
