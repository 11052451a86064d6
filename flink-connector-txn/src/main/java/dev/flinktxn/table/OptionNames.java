// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The option names a table may use. A name that nobody reads is refused, naming what was probably
 * meant: a misspelt option that is ignored changes a guarantee without a word.
 *
 * @param known every name that is read
 * @param open beginnings of names that are read by others, such as {@code properties.}
 * @param answers what to do instead of setting a name that users of this connector bring along; a
 *     key that ends with a dot stands for every name that begins so
 */
public record OptionNames(Set<String> known, Set<String> open, Map<String, String> answers) {

  /** Names that users bring along from the sinks of other connectors, with the answer. */
  private static final Map<String, String> ANSWERS =
      Map.of(
          "sink.semantic", "use 'sink.delivery-guarantee' instead",
          "sink.transaction-prefix", "use 'sink.transactional-id-prefix' instead",
          "sink.transaction-naming-strategy",
              "remove it and set 'sink.transactional-id-prefix': transactions are always named in"
                  + " the same way");

  /** Refuses the first name, in alphabetical order, that nobody reads. */
  public void check(Refusal refusal, Collection<String> names) {
    for (String name : new TreeSet<>(names)) {
      if (known.contains(name)) {
        continue;
      }
      Optional<String> answer = answer(ANSWERS, name).or(() -> answer(answers, name));
      if (answer.isPresent()) {
        throw refusal.of(
            "option '%s' is not an option of this connector; %s".formatted(name, answer.get()));
      }
      if (open.stream().noneMatch(name::startsWith)) {
        throw refusal.of(
            ("option '%s' is not an option of this connector; did you mean '%s'?"
                    + " Correct or remove it")
                .formatted(name, nearest(name)));
      }
    }
  }

  private static Optional<String> answer(Map<String, String> answers, String name) {
    return answers.entrySet().stream()
        .filter(
            answer ->
                name.equals(answer.getKey())
                    || (answer.getKey().endsWith(".") && name.startsWith(answer.getKey())))
        .map(Map.Entry::getValue)
        .findAny();
  }

  private String nearest(String name) {
    return new TreeSet<>(known)
        .stream().min(Comparator.comparingInt(candidate -> distance(name, candidate))).orElse("");
  }

  /** The number of letters to insert, delete or replace to get from one name to the other. */
  public static int distance(String from, String to) {
    int[] above = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      above[column] = column;
    }
    for (int line = 1; line <= from.length(); line++) {
      int[] current = new int[to.length() + 1];
      current[0] = line;
      for (int column = 1; column <= to.length(); column++) {
        int replaced = from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1;
        current[column] =
            Math.min(
                above[column - 1] + replaced, 1 + Math.min(above[column], current[column - 1]));
      }
      above = current;
    }
    return above[to.length()];
  }
}
