#include "statements/sql_aggregate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "statements/sql_expression.h"
#include "statements/sql_value.h"

namespace reprise {

namespace {

using Texts = std::vector<std::string>;

struct FunctionName {
  AggregateFunction function;
  std::string_view text;  // $ stands for the arguments
};

constexpr FunctionName kNames[] = {
    {AggregateFunction::kCount, "count($)"},
    {AggregateFunction::kSum, "sum($)"},
    {AggregateFunction::kMin, "min($)"},
    {AggregateFunction::kMax, "max($)"},
    {AggregateFunction::kAvg, "avg($)"},
    {AggregateFunction::kVarPop, "var_pop($)"},
    {AggregateFunction::kVarSamp, "var_samp($)"},
    {AggregateFunction::kStddevPop, "stddev_pop($)"},
    {AggregateFunction::kStddevSamp, "stddev_samp($)"},
    {AggregateFunction::kFirst, "first($)"},
    {AggregateFunction::kFirstNotNull, "first($, true)"},
    {AggregateFunction::kLast, "last($)"},
    {AggregateFunction::kLastNotNull, "last($, true)"},
    {AggregateFunction::kCollectList, "collect_list($)"},
    {AggregateFunction::kCollectSet, "collect_set($)"},
};

Result<std::string_view> NameOf(const AggregateSpec& aggregate) {
  const auto* found = std::ranges::find(kNames, aggregate.function, &FunctionName::function);
  if (found == std::end(kNames)) {
    return Status::NotImplemented("a function that Spark's own code evaluates has no form in SQL");
  }
  return found->text;
}

std::string Call(std::string_view name, std::string_view arguments) {
  const size_t place = name.find('$');
  return fmt::format("{}{}{}", name.substr(0, place), arguments, name.substr(place + 1));
}

Result<std::string> FilterOf(const AggregateSpec& aggregate, const Texts& columns) {
  if (!aggregate.filter) return "";
  ARROW_ASSIGN_OR_RAISE(const std::string filter, SqlOfExpression(*aggregate.filter, columns));
  return fmt::format(" FILTER (WHERE {})", filter);
}

Status NoBuffer(const AggregateSpec& aggregate) {
  ARROW_ASSIGN_OR_RAISE(const std::string_view name, NameOf(aggregate));
  return Status::NotImplemented("the buffer that ", name.substr(0, name.find('(')),
                                " hands from one aggregate to the next has no form in SQL");
}

// The function's buffer as a partial aggregate makes it: Spark's initialValues and
// updateExpressions.
Result<Texts> MadeBuffer(const AggregateSpec& aggregate, const Texts& columns) {
  ARROW_ASSIGN_OR_RAISE(const Texts inputs, SqlOfExpressions(aggregate.inputs, columns));
  ARROW_ASSIGN_OR_RAISE(const std::string filter, FilterOf(aggregate, columns));
  const std::string arguments = fmt::format("{}", fmt::join(inputs, ", "));
  const std::string count = fmt::format("count({}){}", arguments, filter);
  const auto sum = [&](const DataType& type) {
    // A sum of decimals and one of an average begin at nought, others at null.
    const std::string value = type.is(TypeKind::kDouble)
                                  ? fmt::format("sum(CAST({} AS double))", arguments)
                                  : fmt::format("sum({})", arguments);
    return fmt::format("CAST({}{} AS {})", value, filter, type.ToString());
  };
  switch (aggregate.function) {
    case AggregateFunction::kCount:
      return Texts{count};
    case AggregateFunction::kMin:
    case AggregateFunction::kMax: {
      ARROW_ASSIGN_OR_RAISE(const std::string_view name, NameOf(aggregate));
      return Texts{Call(name, arguments) + filter};
    }
    case AggregateFunction::kSum:
      if (aggregate.buffer.size() == 1) return Texts{sum(aggregate.buffer[0].type)};
      return Texts{fmt::format("coalesce({}, 0)", sum(aggregate.buffer[0].type)),
                   fmt::format("({} = 0)", count)};
    case AggregateFunction::kAvg:
      return Texts{fmt::format("coalesce({}, 0)", sum(aggregate.buffer[0].type)), count};
    default:
      return NoBuffer(aggregate);
  }
}

// The buffer's fields among the columns, merged: Spark's mergeExpressions.
Result<Texts> MergedBuffer(const AggregateSpec& aggregate, const Texts& columns) {
  const auto first = static_cast<size_t>(aggregate.buffer_index);
  if (first + aggregate.buffer.size() > columns.size()) {
    return Status::Invalid("an aggregate merges column ", first, " of ", columns.size());
  }
  const std::string& value = columns[first];
  const std::string summed =
      fmt::format("CAST(sum({}) AS {})", value, aggregate.buffer[0].type.ToString());
  switch (aggregate.function) {
    case AggregateFunction::kCount:
      return Texts{fmt::format("coalesce(sum({}), 0)", value)};
    case AggregateFunction::kMin:
    case AggregateFunction::kMax: {
      ARROW_ASSIGN_OR_RAISE(const std::string_view name, NameOf(aggregate));
      return Texts{Call(name, value)};
    }
    case AggregateFunction::kSum:
      if (aggregate.buffer.size() == 1) return Texts{summed};
      return Texts{fmt::format("coalesce({}, 0)", summed),
                   fmt::format("coalesce(bool_and({}), true)", columns[first + 1])};
    case AggregateFunction::kAvg:
      return Texts{fmt::format("coalesce({}, 0)", summed),
                   fmt::format("coalesce(sum({}), 0)", columns[first + 1])};
    default:
      return NoBuffer(aggregate);
  }
}

// What the function gives of a merged buffer: Spark's evaluateExpression.
Result<std::string> Evaluated(const AggregateSpec& aggregate, const Texts& buffer) {
  const std::string type = aggregate.result.ToString();
  if (aggregate.function == AggregateFunction::kSum && buffer.size() == 2) {
    return fmt::format("IF({}, NULL, {})", buffer[1], buffer[0]);
  }
  if (aggregate.function != AggregateFunction::kAvg) return buffer[0];
  const std::string_view count_type =
      aggregate.result.is(TypeKind::kDecimal) ? "decimal(20,0)" : "double";
  return fmt::format("CAST({} / nullif(CAST({} AS {}), 0) AS {})", buffer[0], buffer[1], count_type,
                     type);
}

Result<Texts> ColumnsOf(const AggregateSpec& aggregate, const Texts& columns) {
  if (aggregate.mode == AggregateMode::kComplete) {
    ARROW_ASSIGN_OR_RAISE(std::string call, SqlOfCall(aggregate, columns));
    return Texts{std::move(call)};
  }
  ARROW_ASSIGN_OR_RAISE(Texts buffer, aggregate.merges() ? MergedBuffer(aggregate, columns)
                                                         : MadeBuffer(aggregate, columns));
  if (!aggregate.evaluates()) return buffer;
  ARROW_ASSIGN_OR_RAISE(std::string value, Evaluated(aggregate, buffer));
  return Texts{std::move(value)};
}

// "GROUP BY 1, 2": by number, so that a key that is a constant is one.
std::string GroupBy(size_t keys) {
  std::string text;
  for (size_t i = 1; i <= keys; ++i) text += fmt::format("{}{}", i > 1 ? ", " : "", i);
  return keys > 0 ? "\n  GROUP BY " + text : "";
}

}  // namespace

Result<std::string> SqlOfCall(const AggregateSpec& aggregate, const Texts& columns) {
  ARROW_ASSIGN_OR_RAISE(const std::string_view name, NameOf(aggregate));
  ARROW_ASSIGN_OR_RAISE(const Texts inputs, SqlOfExpressions(aggregate.inputs, columns));
  ARROW_ASSIGN_OR_RAISE(const std::string filter, FilterOf(aggregate, columns));
  return Call(name, fmt::format("{}", fmt::join(inputs, ", "))) + filter;
}

Result<std::string> SqlOfAggregate(const OperatorSpec& spec, const SqlInput& input) {
  ARROW_ASSIGN_OR_RAISE(const HashAggregateSpec aggregate,
                        ReadHashAggregateSpec(spec.arguments, spec.inputs[0]));
  ARROW_ASSIGN_OR_RAISE(Texts columns, SqlOfExpressions(aggregate.keys, input.columns));
  for (const AggregateSpec& function : aggregate.aggregates) {
    ARROW_ASSIGN_OR_RAISE(const Texts of_function, ColumnsOf(function, input.columns));
    columns.insert(columns.end(), of_function.begin(), of_function.end());
  }
  Texts names, items;
  for (size_t i = 0; i < columns.size(); ++i) {
    names.push_back(fmt::format("{}{}", i < aggregate.keys.size() ? "key_" : "value_", i));
    items.push_back(fmt::format("{} AS {}", columns[i], names.back()));
  }
  Texts results = names;
  if (aggregate.results) {
    ARROW_ASSIGN_OR_RAISE(results, SqlOfExpressions(*aggregate.results, names));
  }
  if (items.empty()) items.emplace_back("count(*) AS value_0");
  return fmt::format("SELECT {}\nFROM (\n  SELECT {}\n  FROM {}{}\n)",
                     SqlItems(results, spec.output), fmt::join(items, ", "), input.name,
                     GroupBy(aggregate.keys.size()));
}

}  // namespace reprise
