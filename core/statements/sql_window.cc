#include "statements/sql_window.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "operators/window/window_spec.h"
#include "statements/sql_aggregate.h"
#include "statements/sql_expression.h"
#include "statements/sql_value.h"

namespace reprise {

namespace {

using Texts = std::vector<std::string>;

Result<std::string> WindowKeys(const WindowSpec& window, const Texts& columns) {
  ARROW_ASSIGN_OR_RAISE(const Texts partition, SqlOfExpressions(window.partition, columns));
  ARROW_ASSIGN_OR_RAISE(const std::string order, SqlOfOrder(window.ordering, columns));
  std::string text;
  if (!partition.empty()) text = fmt::format("PARTITION BY {}", fmt::join(partition, ", "));
  if (!order.empty()) text += fmt::format("{}ORDER BY {}", text.empty() ? "" : " ", order);
  return text;
}

// How far a bound lies from the row's key, in the order's direction: an amount and its text.
struct Distance {
  bool is_before = false;
  std::string text;
};

Result<Distance> ValueDistance(const ExpressionSpec& bound, bool descends) {
  const auto number = [&](const nlohmann::json& value) -> Result<Distance> {
    if (!value.is_number()) return Status::NotImplemented("a bound that is no number");
    const bool is_negative = value.get<double>() < 0;
    ExpressionSpec amount = bound.arguments.size() > 1 ? bound.arguments[1] : bound;
    if (bound.function == "timestamp_add" || bound.function == "add_months") {
      const int64_t size = std::abs(value.get<int64_t>());
      return Distance{is_negative != descends, bound.function == "add_months"
                                                   ? fmt::format("make_ym_interval(0, {})", size)
                                                   : SqlOfMicros(size)};
    }
    if (value.is_number_integer()) {
      amount.attributes["value"] = std::abs(value.get<int64_t>());
    } else {
      amount.attributes["value"] = std::abs(value.get<double>());
    }
    ARROW_ASSIGN_OR_RAISE(std::string text, SqlOfLiteral(amount));
    return Distance{is_negative != descends, std::move(text)};
  };
  if (bound.function == "timestamp_add")
    return number(bound.attributes.value("micros", nlohmann::json()));
  const bool is_moved = bound.arguments.size() == 2 && bound.arguments[1].function == "literal";
  if (!is_moved) return Status::NotImplemented("a bound by ", bound.function, " has no SQL form");
  return number(bound.arguments[1].attributes.at("value"));
}

Result<std::string> BoundText(const FrameBound& bound, bool is_lower, bool descends) {
  switch (bound.kind) {
    case FrameBound::Kind::kUnbounded:
      return is_lower ? "UNBOUNDED PRECEDING" : "UNBOUNDED FOLLOWING";
    case FrameBound::Kind::kCurrentRow:
      return "CURRENT ROW";
    case FrameBound::Kind::kRows:
      return fmt::format("{} {}", std::abs(bound.rows), bound.rows < 0 ? "PRECEDING" : "FOLLOWING");
    default:
      break;
  }
  ARROW_ASSIGN_OR_RAISE(const Distance distance, ValueDistance(*bound.value, descends));
  return fmt::format("{} {}", distance.text, distance.is_before ? "PRECEDING" : "FOLLOWING");
}

Result<std::string> FrameText(const WindowFrame& frame, bool descends) {
  ARROW_ASSIGN_OR_RAISE(const std::string lower, BoundText(frame.lower, true, descends));
  ARROW_ASSIGN_OR_RAISE(const std::string upper, BoundText(frame.upper, false, descends));
  return fmt::format(" {} BETWEEN {} AND {}", frame.is_range ? "RANGE" : "ROWS", lower, upper);
}

Result<std::string> TakenText(const WindowFunctionSpec& function, const Texts& columns) {
  ARROW_ASSIGN_OR_RAISE(const std::string value, SqlOfExpression(function.inputs.at(0), columns));
  const std::string_view nulls = function.skips_nulls ? " IGNORE NULLS" : "";
  if (function.function == WindowFunction::kNthValue) {
    return fmt::format("nth_value({}, {}){}", value, function.number, nulls);
  }
  std::string fallback = "NULL";
  if (function.fallback) {
    ARROW_ASSIGN_OR_RAISE(fallback, SqlOfExpression(*function.fallback, columns));
  }
  return fmt::format("{}({}, {}, {}){}", function.number < 0 ? "lag" : "lead", value,
                     std::abs(function.number), fallback, nulls);
}

Result<std::string> FunctionText(const WindowFunctionSpec& function, const Texts& columns) {
  switch (function.function) {
    case WindowFunction::kRowNumber:
      return "row_number()";
    case WindowFunction::kRank:
      return "rank()";
    case WindowFunction::kDenseRank:
      return "dense_rank()";
    case WindowFunction::kPercentRank:
      return "percent_rank()";
    case WindowFunction::kCumeDist:
      return "cume_dist()";
    case WindowFunction::kNtile:
      return fmt::format("ntile({})", function.number);
    case WindowFunction::kAggregate:
      return SqlOfCall(*function.aggregate, columns);
    case WindowFunction::kFrameBegin:
    case WindowFunction::kFrameEnd:
      return Status::NotImplemented("SQL has no function for the numbers of a frame's rows");
    default:
      return TakenText(function, columns);
  }
}

bool HasFrame(const WindowFunctionSpec& function) {
  return function.function == WindowFunction::kAggregate ||
         function.function == WindowFunction::kNthValue;
}

}  // namespace

Result<std::string> SqlOfOrder(const std::vector<OrderKeySpec>& keys, const Texts& columns) {
  Texts texts;
  for (const OrderKeySpec& key : keys) {
    ARROW_ASSIGN_OR_RAISE(const std::string expression, SqlOfExpression(key.expression, columns));
    // A constant would be the number of a column.
    const bool is_literal = key.expression.function == "literal";
    texts.push_back(fmt::format("{}{}{} NULLS {}", is_literal ? "+" : "", expression,
                                key.ascending ? "" : " DESC", key.nulls_first ? "FIRST" : "LAST"));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

Result<std::string> SqlOfWindow(const OperatorSpec& spec, const SqlInput& input) {
  ARROW_ASSIGN_OR_RAISE(const WindowSpec window, ReadWindowSpec(spec.arguments, spec.inputs[0]));
  ARROW_ASSIGN_OR_RAISE(const std::string keys, WindowKeys(window, input.columns));
  const bool descends = !window.ordering.empty() && !window.ordering[0].ascending;
  Texts items = input.columns;
  for (const WindowFunctionSpec& function : window.functions) {
    ARROW_ASSIGN_OR_RAISE(const std::string call, FunctionText(function, input.columns));
    std::string frame;
    if (HasFrame(function)) {
      ARROW_ASSIGN_OR_RAISE(frame, FrameText(function.frame, descends));
    }
    items.push_back(fmt::format("{} OVER ({}{})", call, keys, frame));
  }
  return fmt::format("SELECT {}\nFROM {}", SqlItems(items, spec.output), input.name);
}

Result<std::string> SqlOfGroupLimit(const OperatorSpec& spec, const SqlInput& input) {
  ARROW_ASSIGN_OR_RAISE(const WindowSpec window, ReadWindowKeys(spec.arguments));
  ARROW_ASSIGN_OR_RAISE(const std::string function, StringMember(spec.arguments, "function"));
  ARROW_ASSIGN_OR_RAISE(const int64_t limit, IntegerMember(spec.arguments, "limit"));
  ARROW_ASSIGN_OR_RAISE(const std::string keys, WindowKeys(window, input.columns));
  const std::string ranked = fmt::format(
      "(\n  SELECT *, {}() OVER ({}) AS rank_of_row\n  FROM {}\n)", function, keys, input.name);
  const std::string items = SqlItems(input.columns, spec.output);
  if (function == "row_number") {
    return fmt::format("SELECT {}\nFROM {}\nWHERE rank_of_row <= {}", items, ranked, limit);
  }
  // Spark (RankLimitIterator, DenseRankLimitIterator) looks at the rank of the row before.
  return fmt::format(
      "SELECT {}\nFROM (\nSELECT *, lag(rank_of_row, 1, 1) OVER ({}) AS rank_before\nFROM {}\n)\n"
      "WHERE rank_before <= {}",
      items, keys, ranked, limit);
}

}  // namespace reprise
