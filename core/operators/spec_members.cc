#include "operators/spec_members.h"

namespace reprise {

namespace {

Status WrongType(std::string_view name, std::string_view expected, const nlohmann::json& found) {
  return Status::Invalid("\"", name, "\" must be ", expected, ", not ", found.type_name());
}

}  // namespace

Result<const nlohmann::json*> Member(const nlohmann::json& arguments, std::string_view name) {
  if (!arguments.is_object()) return WrongType("arguments", "an object", arguments);
  const auto member = arguments.find(name);
  if (member == arguments.end()) return Status::Invalid("there is no \"", name, "\"");
  return &*member;
}

Result<const nlohmann::json*> ArrayMember(const nlohmann::json& arguments, std::string_view name) {
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* member, Member(arguments, name));
  if (!member->is_array()) return WrongType(name, "an array", *member);
  return member;
}

Result<std::string> StringMember(const nlohmann::json& arguments, std::string_view name) {
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* member, Member(arguments, name));
  if (!member->is_string()) return WrongType(name, "a string", *member);
  return member->get_ref<const std::string&>();
}

Result<int64_t> IntegerMember(const nlohmann::json& arguments, std::string_view name) {
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* member, Member(arguments, name));
  if (!member->is_number_integer()) return WrongType(name, "an integer", *member);
  return member->get<int64_t>();
}

Result<bool> BooleanMember(const nlohmann::json& arguments, std::string_view name) {
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* member, Member(arguments, name));
  if (!member->is_boolean()) return WrongType(name, "a boolean", *member);
  return member->get<bool>();
}

Result<ExpressionSpec> ExpressionMember(const nlohmann::json& arguments, std::string_view name) {
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* member, Member(arguments, name));
  Result<ExpressionSpec> expression = ExpressionSpecFromJson(*member);
  if (!expression.ok()) {
    return WithPrefix(expression.status(), fmt::format("\"{}\": ", name));
  }
  return expression;
}

Result<std::vector<ExpressionSpec>> ExpressionsMember(const nlohmann::json& arguments,
                                                      std::string_view name) {
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* member, ArrayMember(arguments, name));
  std::vector<ExpressionSpec> expressions;
  expressions.reserve(member->size());
  for (const nlohmann::json& json : *member) {
    Result<ExpressionSpec> expression = ExpressionSpecFromJson(json);
    if (!expression.ok()) {
      return WithPrefix(expression.status(),
                        fmt::format("expression {} of \"{}\": ", expressions.size(), name));
    }
    expressions.push_back(*std::move(expression));
  }
  return expressions;
}

Result<OrderKeySpec> OrderKeyFromJson(const nlohmann::json& json) {
  OrderKeySpec key;
  ARROW_ASSIGN_OR_RAISE(key.expression, ExpressionMember(json, "expression"));
  ARROW_ASSIGN_OR_RAISE(key.ascending, BooleanMember(json, "ascending"));
  ARROW_ASSIGN_OR_RAISE(key.nulls_first, BooleanMember(json, "nullsFirst"));
  return key;
}

Result<std::vector<OrderKeySpec>> OrderKeysMember(const nlohmann::json& arguments,
                                                  std::string_view name) {
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* member, ArrayMember(arguments, name));
  std::vector<OrderKeySpec> keys;
  for (const nlohmann::json& key : *member) {
    ARROW_ASSIGN_OR_RAISE(keys.emplace_back(), OrderKeyFromJson(key));
  }
  return keys;
}

Result<std::vector<int>> ColumnNumbersMember(const nlohmann::json& arguments, std::string_view name,
                                             size_t column_count) {
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* member, ArrayMember(arguments, name));
  std::vector<int> columns;
  for (const nlohmann::json& column : *member) {
    if (!column.is_number_integer() || column < 0 || column >= column_count) {
      return Status::Invalid("\"", name, "\" names column ", column.dump(), " of ", column_count);
    }
    columns.push_back(column.get<int>());
  }
  return columns;
}

int PlainColumn(const ExpressionSpec& expression) {
  if (expression.function != "column") return -1;
  const auto index = expression.attributes.find("index");
  if (index == expression.attributes.end() || !index->is_number_integer()) return -1;
  return index->get<int>();
}

void CountColumns(const ExpressionSpec& expression, std::vector<int>* reads) {
  const int column = PlainColumn(expression);
  if (column >= 0) ++(*reads)[static_cast<size_t>(column)];
  for (const ExpressionSpec& argument : expression.arguments) CountColumns(argument, reads);
}

}  // namespace reprise
