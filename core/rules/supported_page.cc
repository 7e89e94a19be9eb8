#include "rules/supported_page.h"

#include <algorithm>

#include "rules/expression_table.h"
#include "rules/operator_table.h"
#include "vocabulary/aggregates.h"
#include "vocabulary/casts.h"
#include "vocabulary/window_functions.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr TypeKind kCastKinds[] = {
    TypeKind::kBoolean,      TypeKind::kByte,   TypeKind::kShort,  TypeKind::kInteger,
    TypeKind::kLong,         TypeKind::kFloat,  TypeKind::kDouble, TypeKind::kDecimal,
    TypeKind::kString,       TypeKind::kBinary, TypeKind::kDate,   TypeKind::kTimestamp,
    TypeKind::kTimestampNtz,
};

DataType TypeOfKind(TypeKind kind) {
  return kind == TypeKind::kDecimal ? Decimal(10, 2) : DataType{kind};
}

std::string KindText(TypeKind kind) { return TypeSetText(TypesOf({kind})); }

/// As a cell of a table: what separates its cells is told apart.
std::string SignatureText(std::string_view signature) {
  std::string text;
  for (const char c : signature) text += c == '|' ? std::string("\\|") : std::string(1, c);
  return fmt::format("`{}`", text);
}

/// The types to which values of `from` can be cast, the type itself aside.
std::vector<std::string> CastsFrom(TypeKind from) {
  std::vector<std::string> to;
  for (const TypeKind kind : kCastKinds) {
    const bool same = kind == from && kind != TypeKind::kDecimal;
    if (!same && CanCast(TypeOfKind(from), TypeOfKind(kind))) to.push_back(KindText(kind));
  }
  return to;
}

template <typename Range>
std::vector<std::string> SortedUnique(const Range& names) {
  std::vector<std::string> sorted(names.begin(), names.end());
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

void AddExpressions(bool is_tried, std::string* page) {
  for (const ExpressionRule& rule : ExpressionTable()) {
    if (rule.is_tried != is_tried) continue;
    *page += fmt::format("| `{}` | {} | {} |\n", ShortClassName(rule.class_name),
                         SignatureText(rule.signature_text), rule.limits);
  }
}

}  // namespace

std::string SupportedMarkdown() {
  std::string page =
      "# Operators and expressions that run natively\n\n"
      "Generated from the tables in `core/vocabulary/` by `reprise ops --markdown`. Everything "
      "else "
      "stays with Spark; "
      "`spark.reprise.sql.explain=NOT_NATIVE` says why, query by query.\n\n"
      "Types that the core does not compute with: `void`, arrays, maps, structs, intervals, "
      "`variant`, user-defined types, and strings of another collation than `UTF8_BINARY`. Their "
      "values pass through every operator, as the bytes of Spark's rows (opaque values), "
      "and may be keys of groups, joins and exchanges, except collated strings; they are no keys "
      "of an order. What computes with them is a guest, where no row below says `opaque`.\n\n"
      "## Operators\n\n| Spark | native | limits |\n|---|---|---|\n";
  for (const OperatorRule& rule : OperatorTable()) {
    page += fmt::format("| `{}` | `{}` | {} |\n", ShortClassName(rule.class_name), rule.name,
                        rule.limits);
  }
  page += "\n### Operators that stay Spark's\n\n| Spark | why |\n|---|---|\n";
  for (const OperatorThatStays& stays : OperatorsThatStay()) {
    page += fmt::format("| `{}` | {} |\n", ShortClassName(stays.class_name), stays.reason);
  }
  page +=
      "\n## Expressions\n\n`T` is one type wherever it stands in a line; `?` may be left out, "
      "`...` is any number, "
      "none too.\n\n| Spark | operands and result | limits |\n|---|---|---|\n";
  AddExpressions(/*is_tried=*/false, &page);
  page +=
      "\n### Guests that are tried\n\nThe core computes the values of which it is sure; the "
      "other rows, and only they, are evaluated by Spark. It stops trying where it is seldom "
      "sure.\n\n| Spark | operands and result | in doubt, or not tried |\n|---|---|---|\n";
  AddExpressions(/*is_tried=*/true, &page);
  page += "\n## Casts\n\n| from | to |\n|---|---|\n";
  for (const TypeKind from : kCastKinds) {
    const auto to = CastsFrom(from);
    if (to.empty()) continue;
    page += fmt::format("| {} | {} |\n", KindText(from), fmt::join(to, ", "));
  }
  page += fmt::format("\nFloating-point numbers are cast to decimals of at most {} digits.\n",
                      kDigitsOfDoubleMax);
  page += "\n## Aggregate functions\n\n| Spark | input | limits |\n|---|---|---|\n";
  for (const AggregateRow& rule : AggregateTable()) {
    page += fmt::format("| `{}` | {} | {} |\n", ShortClassName(rule.class_name),
                        TypeSetText(rule.input_types), rule.limits);
  }
  page +=
      "\nWith `FILTER` and `DISTINCT`, and in every mode of Spark's: partial, merging, final, "
      "complete.\n\n## Window functions\n\nAggregate functions, over every frame of rows, and over "
      "ranges of integers, floating-point numbers, dates, and timestamps by less than a day. And:"
      "\n\n| Spark | limits |\n|---|---|\n";
  for (const WindowFunctionRow& rule : WindowFunctionTable()) {
    page += fmt::format("| `{}` | {} |\n", ShortClassName(rule.class_name), rule.limits);
  }
  return page;
}

std::string SupportedJson() {
  Json json = {{"operators", Json::array()},
               {"expressions", Json::array()},
               {"aggregates", Json::array()},
               {"windowFunctions", Json::array()},
               {"casts", Json::array()}};
  for (const OperatorRule& rule : OperatorTable()) {
    json["operators"].push_back({{"spark", rule.class_name},
                                 {"native", rule.name},
                                 {"kind", rule.kind},
                                 {"notes", rule.limits}});
  }
  for (const ExpressionRule& rule : ExpressionTable()) {
    json["expressions"].push_back({{"spark", rule.class_name},
                                   {"function", rule.function},
                                   {"signature", rule.signature_text},
                                   {"tried", rule.is_tried},
                                   {"notes", rule.limits}});
  }
  for (const AggregateRow& rule : AggregateTable()) {
    json["aggregates"].push_back({{"spark", rule.class_name},
                                  {"function", rule.function},
                                  {"input", TypeSetText(rule.input_types)},
                                  {"notes", rule.limits}});
  }
  for (const WindowFunctionRow& rule : WindowFunctionTable()) {
    json["windowFunctions"].push_back(
        {{"spark", rule.class_name}, {"function", rule.function}, {"notes", rule.limits}});
  }
  for (const TypeKind from : kCastKinds) {
    const auto to = CastsFrom(from);
    if (!to.empty()) json["casts"].push_back({{"from", KindText(from)}, {"to", to}});
  }
  return json.dump(2);
}

std::vector<std::string> WrittenKinds() {
  std::vector<std::string> names;
  for (const OperatorRule& rule : OperatorTable()) names.emplace_back(rule.kind);
  return SortedUnique(names);
}

}  // namespace reprise
