// Reads the members of OperatorSpec.arguments: every operator's Make function begins with these.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "plan/spec.h"

namespace reprise {

/// The member `name` of `arguments`. Absent: Status::Invalid that names it.
Result<const nlohmann::json*> Member(const nlohmann::json& arguments, std::string_view name);

/// The same, which must be an array.
Result<const nlohmann::json*> ArrayMember(const nlohmann::json& arguments, std::string_view name);

/// A string, integer or boolean member. Absent or of another type: Status::Invalid that names it.
Result<std::string> StringMember(const nlohmann::json& arguments, std::string_view name);
Result<int64_t> IntegerMember(const nlohmann::json& arguments, std::string_view name);
Result<bool> BooleanMember(const nlohmann::json& arguments, std::string_view name);

/// An array of columns' numbers. One that is not below `column_count`: Status::Invalid.
Result<std::vector<int>> ColumnNumbersMember(const nlohmann::json& arguments, std::string_view name,
                                             size_t column_count);

/// An expression, or an array of expressions.
Result<ExpressionSpec> ExpressionMember(const nlohmann::json& arguments, std::string_view name);
Result<std::vector<ExpressionSpec>> ExpressionsMember(const nlohmann::json& arguments,
                                                      std::string_view name);

/// A key of an order: {"expression":EXPR,"ascending":bool,"nullsFirst":bool}.
struct OrderKeySpec {
  ExpressionSpec expression;
  bool ascending = true;
  bool nulls_first = true;
};
Result<OrderKeySpec> OrderKeyFromJson(const nlohmann::json& json);
/// An array of keys.
Result<std::vector<OrderKeySpec>> OrderKeysMember(const nlohmann::json& arguments,
                                                  std::string_view name);

/// The index of the column that the expression is, or -1 where it is anything but a column.
int PlainColumn(const ExpressionSpec& expression);

/// Adds up how often the expression reads each column.
void CountColumns(const ExpressionSpec& expression, std::vector<int>* reads);

}  // namespace reprise
