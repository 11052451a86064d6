// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.expressions.CallExpression;
import org.apache.flink.table.expressions.FieldReferenceExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.expressions.ValueLiteralExpression;
import org.apache.flink.table.functions.BuiltInFunctionDefinitions;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

/**
 * Translates those of Flink's conditions that PostgreSQL evaluates in the same way, whatever type
 * of the database a column has. Not among them: the order of strings (collations), any comparison
 * of floating numbers (PostgreSQL takes NaN for a number) and of CHAR (it is filled up), functions
 * and casts.
 *
 * @param declared the DDL's columns
 */
record ConditionTranslation(RowType declared) {

  private static final Map<FunctionDefinition, String> COMPARISONS =
      Map.of(
          BuiltInFunctionDefinitions.EQUALS, "=",
          BuiltInFunctionDefinitions.NOT_EQUALS, "<>",
          BuiltInFunctionDefinitions.LESS_THAN, "<",
          BuiltInFunctionDefinitions.LESS_THAN_OR_EQUAL, "<=",
          BuiltInFunctionDefinitions.GREATER_THAN, ">",
          BuiltInFunctionDefinitions.GREATER_THAN_OR_EQUAL, ">=");

  private static final Map<String, String> MIRRORED =
      Map.of("=", "=", "<>", "<>", "<", ">", "<=", ">=", ">", "<", ">=", "<=");

  private static final Map<FunctionDefinition, String> TESTS =
      Map.of(
          BuiltInFunctionDefinitions.IS_NULL, " IS NULL)",
          BuiltInFunctionDefinitions.IS_NOT_NULL, " IS NOT NULL)",
          BuiltInFunctionDefinitions.IS_TRUE, " IS TRUE)",
          BuiltInFunctionDefinitions.IS_NOT_TRUE, " IS NOT TRUE)",
          BuiltInFunctionDefinitions.IS_FALSE, " IS FALSE)",
          BuiltInFunctionDefinitions.IS_NOT_FALSE, " IS NOT FALSE)");

  /** The condition for the database; empty where Flink has to evaluate it. */
  Optional<PushedCondition> translate(ResolvedExpression condition) {
    try {
      return Optional.ofNullable(condition(condition));
    } catch (UnfitValueException e) {
      // A value that no column can hold.
      return Optional.empty();
    }
  }

  private PushedCondition condition(ResolvedExpression expression) throws UnfitValueException {
    if (expression instanceof FieldReferenceExpression field) {
      return is(field, LogicalTypeRoot.BOOLEAN)
          ? PushedCondition.of("(", field.getName(), ")")
          : null;
    }
    if (!(expression instanceof CallExpression call)) {
      return null;
    }
    FunctionDefinition function = call.getFunctionDefinition();
    List<ResolvedExpression> operands = call.getResolvedChildren();
    if (function.equals(BuiltInFunctionDefinitions.AND)) {
      return joined(operands, " AND ");
    }
    if (function.equals(BuiltInFunctionDefinitions.OR)) {
      return joined(operands, " OR ");
    }
    if (function.equals(BuiltInFunctionDefinitions.NOT)) {
      PushedCondition negated = condition(operands.get(0));
      return negated == null ? null : negated.negated();
    }
    if (TESTS.containsKey(function)) {
      return test(operands.get(0), TESTS.get(function));
    }
    return COMPARISONS.containsKey(function)
        ? comparison(operands.get(0), COMPARISONS.get(function), operands.get(1))
        : null;
  }

  private PushedCondition joined(List<ResolvedExpression> operands, String between)
      throws UnfitValueException {
    PushedCondition joined = null;
    for (ResolvedExpression operand : operands) {
      PushedCondition next = condition(operand);
      if (next == null) {
        return null;
      }
      joined = joined == null ? next : PushedCondition.joined(joined, between, next);
    }
    return joined;
  }

  private PushedCondition test(ResolvedExpression operand, String test) {
    boolean ofNull = test.endsWith(" NULL)");
    return operand instanceof FieldReferenceExpression field
            && type(field) != null
            && (ofNull || is(field, LogicalTypeRoot.BOOLEAN))
        ? PushedCondition.of("(", field.getName(), test)
        : null;
  }

  private PushedCondition comparison(
      ResolvedExpression left, String operator, ResolvedExpression right)
      throws UnfitValueException {
    if (left instanceof FieldReferenceExpression field
        && right instanceof ValueLiteralExpression literal) {
      return comparison(field, operator, literal);
    }
    return left instanceof ValueLiteralExpression literal
            && right instanceof FieldReferenceExpression field
        ? comparison(field, MIRRORED.get(operator), literal)
        : null;
  }

  private PushedCondition comparison(
      FieldReferenceExpression field, String operator, ValueLiteralExpression literal)
      throws UnfitValueException {
    LogicalType type = type(field);
    if (type == null || literal.isNull()) {
      return null;
    }
    return switch (type.getTypeRoot()) {
      case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> {
        String number = number(literal);
        yield number == null ? null : plain(field, operator, number);
      }
      case VARCHAR -> {
        Optional<String> text = literal.getValueAs(String.class);
        boolean equality = operator.equals("=") || operator.equals("<>");
        yield equality && text.isPresent() && text.get().indexOf('\0') < 0
            ? PushedCondition.of(
                "(",
                field.getName(),
                " COLLATE \"C\" " + operator + " " + SqlLiterals.text(text.get()) + ")")
            : null;
      }
      case DATE -> {
        Optional<LocalDate> date = literal.getValueAs(LocalDate.class);
        yield date.isEmpty()
            ? null
            : plain(field, operator, SqlLiterals.date(Math.toIntExact(date.get().toEpochDay())));
      }
      case TIMESTAMP_WITHOUT_TIME_ZONE ->
          moment(
              field,
              operator,
              literal.getValueAs(LocalDateTime.class).map(TimestampData::fromLocalDateTime),
              false);
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          moment(
              field,
              operator,
              literal.getValueAs(Instant.class).map(TimestampData::fromInstant),
              true);
      default -> null;
    };
  }

  private static PushedCondition plain(
      FieldReferenceExpression field, String operator, String literal) {
    return PushedCondition.of("(", field.getName(), " " + operator + " " + literal + ")");
  }

  /**
   * The column may have more digits than Flink sees of it, which are cut: a comparison with the cut
   * value says in which step the whole one has to be.
   */
  private PushedCondition moment(
      FieldReferenceExpression field,
      String operator,
      Optional<TimestampData> literal,
      boolean instant)
      throws UnfitValueException {
    long step = PgTime.step(LogicalTypeChecks.getPrecision(type(field)));
    if (literal.isEmpty() || literal.get().getNanoOfMillisecond() % 1000 != 0) {
      return null;
    }
    long from = SqlLiterals.micros(literal.get());
    if (Math.floorMod(from, step) != 0) {
      return null;
    }
    String begin = SqlLiterals.timestamp(from, instant);
    if (step == 1) {
      return plain(field, operator, begin);
    }
    String end = SqlLiterals.timestamp(from + step, instant);
    return switch (operator) {
      case "<", ">=" -> plain(field, operator, begin);
      case "<=" -> plain(field, "<", end);
      case ">" -> plain(field, ">=", end);
      case "=" ->
          PushedCondition.joined(plain(field, ">=", begin), " AND ", plain(field, "<", end));
      default -> PushedCondition.joined(plain(field, "<", begin), " OR ", plain(field, ">=", end));
    };
  }

  private static String number(ValueLiteralExpression literal) {
    Number number = literal.getValueAs(Number.class).orElse(null);
    if (number instanceof BigDecimal exact) {
      return SqlLiterals.decimal(exact);
    }
    return number == null || number instanceof Double || number instanceof Float
        ? null
        : SqlLiterals.whole(number.longValue());
  }

  private LogicalType type(FieldReferenceExpression field) {
    int index = declared.getFieldIndex(field.getName());
    return index < 0 ? null : declared.getTypeAt(index);
  }

  private boolean is(FieldReferenceExpression field, LogicalTypeRoot root) {
    LogicalType type = type(field);
    return type != null && type.is(root);
  }

  /** Divides conditions: those that are taken, and behind them the rest. */
  record Divided(
      List<PushedCondition> conditions,
      List<ResolvedExpression> accepted,
      List<ResolvedExpression> remaining) {}

  /** Translates what can be translated. */
  Divided divide(List<ResolvedExpression> filters) {
    Divided divided = new Divided(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (ResolvedExpression filter : filters) {
      Optional<PushedCondition> condition = translate(filter);
      condition.ifPresent(divided.conditions::add);
      (condition.isPresent() ? divided.accepted : divided.remaining).add(filter);
    }
    return divided;
  }
}
