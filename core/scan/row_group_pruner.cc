#include "scan/row_group_pruner.h"

#include <arrow/util/base64.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "plan/string_literal.h"

namespace reprise {

namespace {

/// A literal: null, NaN or a value.
struct Literal {
  bool is_null = false;
  bool is_nan = false;
  RangeValue value;
};

std::optional<__int128> ParseUnscaled(const std::string& text) {
  __int128 value = 0;
  size_t i = text.starts_with('-') ? 1 : 0;
  if (i == text.size()) return std::nullopt;
  for (; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    if (__builtin_mul_overflow(value, __int128{10}, &value) ||
        __builtin_sub_overflow(value, __int128{text[i] - '0'}, &value)) {
      return std::nullopt;
    }
  }
  if (text.starts_with('-')) return value;  // gathered as a negative number, whose range is wider
  if (__builtin_sub_overflow(__int128{0}, value, &value)) return std::nullopt;
  return value;
}

std::optional<Literal> ParseFloating(const nlohmann::json& json) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (json.is_number()) return Literal{false, false, json.get<double>()};
  if (!json.is_string()) return std::nullopt;
  const auto& text = json.get_ref<const std::string&>();
  if (text == "NaN") return Literal{false, true, 0.0};
  if (text == "Infinity") return Literal{false, false, kInfinity};
  if (text == "-Infinity") return Literal{false, false, -kInfinity};
  if (text == "-0.0") return Literal{false, false, 0.0};
  return std::nullopt;
}

/// A literal's value as plan/spec.h writes it; nothing where it is not understood.
std::optional<Literal> ParseLiteral(const ExpressionSpec& expression) {
  if (expression.function != "literal") return std::nullopt;
  const auto found = expression.attributes.find("value");
  if (found == expression.attributes.end()) return std::nullopt;
  const nlohmann::json& json = *found;
  if (json.is_null()) return Literal{true, false, {}};
  switch (expression.type.kind) {
    case TypeKind::kBoolean:
      if (!json.is_boolean()) return std::nullopt;
      return Literal{false, false, __int128{json.get<bool>()}};
    case TypeKind::kByte:
    case TypeKind::kShort:
    case TypeKind::kInteger:
    case TypeKind::kLong:
    case TypeKind::kDate:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      if (!json.is_number_integer()) return std::nullopt;
      return Literal{false, false, __int128{json.get<int64_t>()}};
    case TypeKind::kFloat: {
      auto literal = ParseFloating(json);  // the text is a float's; as a double it would be another
      if (!literal) return std::nullopt;
      if (auto* value = std::get_if<double>(&literal->value)) *value = static_cast<float>(*value);
      return literal;
    }
    case TypeKind::kDouble:
      return ParseFloating(json);
    case TypeKind::kDecimal:
      if (json.is_string()) {
        if (auto value = ParseUnscaled(json.get<std::string>()))
          return Literal{false, false, *value};
      }
      return std::nullopt;
    case TypeKind::kString:
      if (auto text = StringLiteralBytes(json)) return Literal{false, false, *std::move(text)};
      return std::nullopt;
    case TypeKind::kBinary: {
      if (!json.is_string()) return std::nullopt;
      auto bytes = arrow::util::base64_decode(json.get<std::string>());
      if (!bytes.ok()) return std::nullopt;
      return Literal{false, false, std::move(*bytes)};
    }
    default:
      return std::nullopt;
  }
}

/// The index of the output column that `expression` is; nothing where it is another expression.
std::optional<int> ColumnIndex(const ExpressionSpec& expression, const std::vector<Field>& output) {
  if (expression.function != "column") return std::nullopt;
  const auto found = expression.attributes.find("index");
  if (found == expression.attributes.end() || !found->is_number_integer()) return std::nullopt;
  const auto index = found->get<int64_t>();
  if (index < 0 || index >= static_cast<int64_t>(output.size())) return std::nullopt;
  if (output[index].type != expression.type) return std::nullopt;
  return static_cast<int>(index);
}

enum class Comparison { kEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

struct NamedComparison {
  std::string_view function;
  Comparison comparison;
  Comparison mirrored;  // the same with the sides exchanged
};

constexpr NamedComparison kComparisons[] = {
    {"equal", Comparison::kEqual, Comparison::kEqual},
    {"less", Comparison::kLess, Comparison::kGreater},
    {"less_or_equal", Comparison::kLessOrEqual, Comparison::kGreaterOrEqual},
    {"greater", Comparison::kGreater, Comparison::kLess},
    {"greater_or_equal", Comparison::kGreaterOrEqual, Comparison::kLessOrEqual},
};

/// Whether no value of the range compares so with the literal.
bool NoValue(const ColumnRange& range, Comparison comparison, const Literal& literal) {
  if (literal.is_null || range.all_null) return true;
  // NaN is the greatest value and is not within the bounds: nothing is known of columns that may
  // have it above, and every other value is below a NaN literal.
  if (literal.is_nan || !range.min || !range.max) return false;
  if (range.min->index() != literal.value.index()) return false;
  const int min = CompareRangeValues(*range.min, literal.value);
  const int max = CompareRangeValues(*range.max, literal.value);
  switch (comparison) {
    case Comparison::kEqual:
      return min > 0 || max < 0;
    case Comparison::kLess:
      return min >= 0;
    case Comparison::kLessOrEqual:
      return min > 0;
    case Comparison::kGreater:
      return max <= 0 && !range.may_have_nan;
    case Comparison::kGreaterOrEqual:
      return max < 0 && !range.may_have_nan;
  }
  return false;
}

using RangeLookup = RowGroupPruner::RangeLookup;
using RulesOut = std::function<bool(const RangeLookup&)>;

RulesOut CompileComparison(const ExpressionSpec& expression, const std::vector<Field>& output,
                           Comparison comparison, Comparison mirrored) {
  if (expression.arguments.size() != 2) return nullptr;
  auto column = ColumnIndex(expression.arguments[0], output);
  auto literal = ParseLiteral(expression.arguments[1]);
  if (!column || !literal) {
    column = ColumnIndex(expression.arguments[1], output);
    literal = ParseLiteral(expression.arguments[0]);
    comparison = mirrored;
  }
  if (!column || !literal) return nullptr;
  if (expression.arguments[0].type != expression.arguments[1].type) return nullptr;
  return
      [=](const RangeLookup& range_of) { return NoValue(range_of(*column), comparison, *literal); };
}

RulesOut CompileIn(const ExpressionSpec& expression, const std::vector<Field>& output) {
  if (expression.arguments.empty()) return nullptr;
  const auto column = ColumnIndex(expression.arguments[0], output);
  if (!column) return nullptr;
  std::vector<Literal> literals;
  for (size_t i = 1; i < expression.arguments.size(); ++i) {
    auto literal = ParseLiteral(expression.arguments[i]);
    if (!literal || expression.arguments[i].type != expression.arguments[0].type) return nullptr;
    literals.push_back(std::move(*literal));
  }
  return [column = *column, literals = std::move(literals)](const RangeLookup& range_of) {
    const ColumnRange range = range_of(column);
    return std::ranges::all_of(literals, [&](const Literal& literal) {
      return NoValue(range, Comparison::kEqual, literal);
    });
  };
}

/// `column <=> literal`: as equal, but null equals null.
RulesOut CompileNullSafe(const ExpressionSpec& expression, const std::vector<Field>& output) {
  if (expression.arguments.size() != 2) return nullptr;
  for (int side = 0; side < 2; ++side) {
    const auto column = ColumnIndex(expression.arguments[side], output);
    const auto literal = ParseLiteral(expression.arguments[1 - side]);
    if (!column || !literal || !literal->is_null) continue;
    return [column = *column](const RangeLookup& range_of) { return range_of(column).no_nulls; };
  }
  return CompileComparison(expression, output, Comparison::kEqual, Comparison::kEqual);
}

}  // namespace

Result<std::vector<ExpressionSpec>> PruningArgument(const nlohmann::json& arguments) {
  std::vector<ExpressionSpec> conjuncts;
  const auto pruning = arguments.find("pruning");
  if (pruning == arguments.end()) return conjuncts;
  if (!pruning->is_array()) return Status::Invalid("argument \"pruning\" is not an array");
  for (const auto& conjunct : *pruning) {
    ARROW_ASSIGN_OR_RAISE(auto expression, ExpressionSpecFromJson(conjunct));
    conjuncts.push_back(std::move(expression));
  }
  return conjuncts;
}

RowGroupPruner::RowGroupPruner(const std::vector<ExpressionSpec>& conjuncts,
                               const std::vector<Field>& output) {
  for (const auto& conjunct : conjuncts) {
    if (auto condition = Compile(conjunct, output)) conditions_.push_back(std::move(condition));
  }
}

bool RowGroupPruner::CanSkip(const RangeLookup& range_of) const {
  return std::ranges::any_of(conditions_,
                             [&](const RulesOut& condition) { return condition(range_of); });
}

RowGroupPruner::Condition RowGroupPruner::Compile(const ExpressionSpec& expression,
                                                  const std::vector<Field>& output) {
  const std::string& function = expression.function;
  for (const auto& named : kComparisons) {
    if (function == named.function) {
      return CompileComparison(expression, output, named.comparison, named.mirrored);
    }
  }
  if (function == "equal_null_safe") return CompileNullSafe(expression, output);
  if (function == "in") return CompileIn(expression, output);
  if (function == "is_null" || function == "is_not_null") {
    if (expression.arguments.size() != 1) return nullptr;
    const auto column = ColumnIndex(expression.arguments[0], output);
    if (!column) return nullptr;
    if (function == "is_null") {
      return [column = *column](const RangeLookup& range_of) { return range_of(column).no_nulls; };
    }
    return [column = *column](const RangeLookup& range_of) { return range_of(column).all_null; };
  }
  if (function != "and" && function != "or") return nullptr;
  const bool all_needed = function == "or";  // an `or` fails only where every side does
  std::vector<RulesOut> sides;
  for (const auto& argument : expression.arguments) {
    auto side = Compile(argument, output);
    if (!side && all_needed) return nullptr;
    if (side) sides.push_back(std::move(side));
  }
  if (sides.empty()) return nullptr;
  return [all_needed, sides = std::move(sides)](const RangeLookup& range_of) {
    const auto fails = [&](const RulesOut& side) { return side(range_of); };
    return all_needed ? std::ranges::all_of(sides, fails) : std::ranges::any_of(sides, fails);
  };
}

}  // namespace reprise
