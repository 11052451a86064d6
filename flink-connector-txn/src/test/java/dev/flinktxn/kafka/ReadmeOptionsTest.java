// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.junit.jupiter.api.Test;

/** The option table of the README is the declared options, no more and no less. */
class ReadmeOptionsTest {

  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\|([^|]*)\\| [^|]+ \\|");

  @Test
  void tableHoldsEveryOptionWithItsDefault() throws IOException {
    Map<String, String> declared = new TreeMap<>();
    KafkaOptions.required().forEach(option -> declared.put(option.key(), "required"));
    KafkaOptions.optional().forEach(option -> declared.put(option.key(), shown(option)));

    Map<String, String> written = new TreeMap<>();
    for (String line : section(Files.readAllLines(Path.of("..", "README.md")))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        written.put(row.group(1), row.group(2).strip());
      }
    }
    assertThat(written).isEqualTo(declared);
  }

  private static List<String> section(List<String> readme) {
    int begin = readme.indexOf("## Options");
    assertThat(begin).isNotNegative();
    List<String> rest = readme.subList(begin + 1, readme.size());
    return rest.stream().takeWhile(line -> !line.startsWith("## ")).toList();
  }

  private static String shown(ConfigOption<?> option) {
    return Stream.ofNullable(option.defaultValue())
        .filter(value -> !(value instanceof Collection<?> many && many.isEmpty()))
        .map(value -> "`" + value + "`")
        .findAny()
        .orElse("");
  }
}
