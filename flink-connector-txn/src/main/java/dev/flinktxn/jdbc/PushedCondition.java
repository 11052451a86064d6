// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A condition that PostgreSQL evaluates as Flink would: SQL text with gaps for columns, because
 * what stands for a column depends on its type in the database.
 *
 * @param pieces in turn text and the name of a column; it begins and ends with text
 */
record PushedCondition(List<String> pieces) implements Serializable {

  private static final long serialVersionUID = 1L;

  /** A condition on one column. */
  static PushedCondition of(String before, String column, String after) {
    return new PushedCondition(List.of(before, column, after));
  }

  /** Two conditions, or one, put together: {@code (first between second)}. */
  static PushedCondition joined(PushedCondition first, String between, PushedCondition second) {
    List<String> pieces = new ArrayList<>(first.pieces.subList(0, first.pieces.size() - 1));
    pieces.set(0, "(" + first.pieces.get(0));
    pieces.add(last(first) + between + second.pieces.get(0));
    pieces.addAll(second.pieces.subList(1, second.pieces.size() - 1));
    pieces.add(last(second) + ")");
    return new PushedCondition(List.copyOf(pieces));
  }

  /** The opposite. */
  PushedCondition negated() {
    List<String> negated = new ArrayList<>(pieces);
    negated.set(0, "(NOT " + pieces.get(0));
    negated.set(pieces.size() - 1, last(this) + ")");
    return new PushedCondition(List.copyOf(negated));
  }

  private static String last(PushedCondition condition) {
    return condition.pieces.get(condition.pieces.size() - 1);
  }

  List<String> columns() {
    return IntStream.range(0, pieces.size() / 2).mapToObj(i -> pieces.get(2 * i + 1)).toList();
  }

  /** The SQL text, where {@code expression} says what stands for a column. */
  String sql(UnaryOperator<String> expression) {
    StringBuilder sql = new StringBuilder();
    for (int i = 0; i < pieces.size(); i++) {
      sql.append(i % 2 == 0 ? pieces.get(i) : expression.apply(pieces.get(i)));
    }
    return sql.toString();
  }
}
