// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SaslConfigs;

/**
 * Names of Kafka's own classes in properties. The jar holds Kafka's client in another package; a
 * user gives the names of Kafka's documentation, or those of the official connector's SQL jar.
 */
final class ClientClassNames {

  /**
   * What names of Kafka's classes begin with in its documentation. Joined at run time: the tool
   * that moves the client to another package rewrites every constant that looks like a name in the
   * old one.
   */
  private static final String DOCUMENTED = String.join(".", "org", "apache", "kafka", "");

  /** What they begin with in the official connector's SQL jar. */
  private static final String OFFICIAL = "org.apache.flink.kafka.shaded." + DOCUMENTED;

  /** What they begin with in this jar. */
  private static final ClientClassNames HERE =
      new ClientClassNames(KafkaException.class.getPackageName().replaceFirst("common$", ""));

  private static final String NAME =
      Stream.of(OFFICIAL, DOCUMENTED).map(Pattern::quote).collect(Collectors.joining("|"));

  private static final Pattern IN_LIST = Pattern.compile("((?:^|,)\\s*+)(?:" + NAME + ")");

  /** The beginning of an entry; or a string or comment, in which nothing is one. */
  private static final Pattern IN_JAAS =
      Pattern.compile(
          "((?:^|;)(?:\\s|//[^\\n]*+|/\\*.*?\\*/)*+)(?:"
              + NAME
              + ")"
              + "|\"(?:[^\"\\\\]|\\\\.)*+\""
              + "|'(?:[^'\\\\]|\\\\.)*+'"
              + "|//[^\\n]*+"
              + "|/\\*.*?\\*/",
          Pattern.DOTALL);

  private final String actual;

  ClientClassNames(String actual) {
    this.actual = actual;
  }

  /** The names in this jar. */
  static ClientClassNames here() {
    return HERE;
  }

  /** The name, in Kafka's documentation, of a class below {@code org.apache.kafka}. */
  static String documented(String below) {
    return DOCUMENTED + below;
  }

  /** The value of a property, with the names that its classes have here. */
  String translate(String key, String value) {
    if (key.equals(SaslConfigs.SASL_JAAS_CONFIG)) {
      return replace(IN_JAAS.matcher(value));
    }
    return holdsClasses(key) ? replace(IN_LIST.matcher(value)) : value;
  }

  private String replace(Matcher names) {
    return names.replaceAll(
        found ->
            Matcher.quoteReplacement(
                found.group(1) == null ? found.group() : found.group(1) + actual));
  }

  /** The name of a class as its documentation has it. */
  String original(String name) {
    return name.startsWith(actual) ? DOCUMENTED + name.substring(actual.length()) : name;
  }

  /** Other values may begin in the same way by chance. */
  private static boolean holdsClasses(String key) {
    return key.endsWith(".class")
        || key.endsWith(".classes")
        || key.equals("security.providers")
        || key.equals("metric.reporters");
  }
}
