// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/**
 * Reads options so that a value that cannot be read is refused in one sentence that says which
 * values can.
 *
 * @param refusal words for the table
 * @param options the table's options
 */
public record OptionReader(Refusal refusal, ReadableConfig options) {

  /** The value of an option whose constants are those of {@code type}, or its default. */
  public <E extends Enum<E>> E oneOf(ConfigOption<E> option, Class<E> type) {
    return given(option, type).orElseGet(option::defaultValue);
  }

  /** The same; empty when the option is not set, whatever its default. */
  public <E extends Enum<E>> Optional<E> given(ConfigOption<E> option, Class<E> type) {
    String allowed =
        Arrays.stream(type.getEnumConstants())
            .map(constant -> "'" + constant + "'")
            .collect(Collectors.joining(", "));
    return read(option, "it has to be one of " + allowed);
  }

  /**
   * The value of {@code option}; empty when it is not set.
   *
   * @param needed the rest of the sentence "... is 'x', but" for values of the wrong kind
   */
  public <T> Optional<T> read(ConfigOption<T> option, String needed) {
    try {
      return options.getOptional(option);
    } catch (IllegalArgumentException e) {
      throw refusal.value(option.key(), raw(option.key()), needed, "correct the value");
    }
  }

  /** A whole number, or the option's default; {@code needed} says that it is at least so much. */
  public int wholeNumber(ConfigOption<Integer> option, int least, String needed) {
    int found = read(option, needed).orElseGet(option::defaultValue);
    if (found < least) {
      throw refusal.value(option.key(), found, needed, "correct the value");
    }
    return found;
  }

  private String raw(String key) {
    return options.get(ConfigOptions.key(key).stringType().noDefaultValue());
  }
}
