// Expressions as SQL-like text for people:
//   {"function":"less","arguments":[column 0, column 1]}  ->  "(l_commitdate < l_receiptdate)"
#include <algorithm>
#include <array>

#include "plan/date_text.h"
#include "plan/spec.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

struct InfixFunction {
  std::string_view function;
  std::string_view symbol;
};

constexpr InfixFunction kInfixFunctions[] = {
    {"and", "AND"},     {"or", "OR"},
    {"equal", "="},     {"equal_null_safe", "<=>"},
    {"less", "<"},      {"less_or_equal", "<="},
    {"greater", ">"},   {"greater_or_equal", ">="},
    {"add", "+"},       {"subtract", "-"},
    {"multiply", "*"},  {"divide", "/"},
    {"remainder", "%"}, {"integral_divide", "div"},
};

std::string DecimalText(std::string digits, int scale) {
  const bool negative = digits.starts_with('-');
  if (negative) digits.erase(0, 1);
  if (scale > 0) {
    if (digits.size() <= static_cast<size_t>(scale)) {
      digits.insert(0, scale + 1 - digits.size(), '0');
    }
    digits.insert(digits.size() - scale, 1, '.');
  }
  return (negative ? "-" : "") + digits;
}

std::string LiteralText(const ExpressionSpec& literal) {
  const auto found = literal.attributes.find("value");
  if (found == literal.attributes.end()) return "literal without value";
  if (found->is_null()) return "NULL";
  if (literal.type.is(TypeKind::kDecimal) && found->is_string()) {
    return DecimalText(found->get_ref<const std::string&>(), literal.type.scale);
  }
  if (literal.type.is(TypeKind::kDate) && found->is_number_integer()) {
    return "DATE '" + DateText(found->get<int64_t>()) + "'";
  }
  if (!found->is_string()) return found->dump();
  const std::string& text = found->get_ref<const std::string&>();
  if (literal.type.is_floating()) return text;
  if (literal.type.is(TypeKind::kBinary)) return "base64'" + text + "'";
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + "'";
}

std::string ColumnText(const ExpressionSpec& column, const std::vector<Field>& input) {
  const auto index = column.attributes.find("index");
  if (index == column.attributes.end() || !index->is_number_integer()) return "column ?";
  const int64_t number = index->get<int64_t>();
  if (number >= 0 && number < static_cast<int64_t>(input.size())) return input[number].name;
  return fmt::format("column {}", number);
}

std::vector<std::string> ArgumentTexts(const ExpressionSpec& expression,
                                       const std::vector<Field>& input) {
  std::vector<std::string> texts;
  texts.reserve(expression.arguments.size());
  for (const auto& argument : expression.arguments) texts.push_back(ToString(argument, input));
  return texts;
}

std::string CaseText(const std::vector<std::string>& arguments) {
  std::string text = "CASE";
  size_t i = 0;
  for (; i + 1 < arguments.size(); i += 2) {
    text += " WHEN " + arguments[i] + " THEN " + arguments[i + 1];
  }
  if (i < arguments.size()) text += " ELSE " + arguments[i];
  return text + " END";
}

std::string Joined(const std::vector<std::string>& texts, size_t first) {
  return fmt::format(
      "{}", fmt::join(texts.begin() + static_cast<std::ptrdiff_t>(first), texts.end(), ", "));
}

std::string VariableText(const ExpressionSpec& variable) {
  const auto number = variable.attributes.find("variable");
  return "lambda_" + (number == variable.attributes.end() ? "?" : number->dump());
}

}  // namespace

std::string ToString(const ExpressionSpec& expression, const std::vector<Field>& input) {
  const std::string& function = expression.function;
  if (function == "column") return ColumnText(expression, input);
  if (function == "literal") return LiteralText(expression);
  const std::vector<std::string> arguments = ArgumentTexts(expression, input);
  const auto infix = std::ranges::find(kInfixFunctions, function, &InfixFunction::function);
  if (infix != std::end(kInfixFunctions) && arguments.size() == 2) {
    return fmt::format("({} {} {})", arguments[0], infix->symbol, arguments[1]);
  }
  if (arguments.size() == 1) {
    const std::string& only = arguments[0];
    if (function == "not") return "NOT " + only;
    if (function == "negate") return "(- " + only + ")";
    if (function == "is_null") return "(" + only + " IS NULL)";
    if (function == "is_not_null") return "(" + only + " IS NOT NULL)";
    if (function == "cast") {
      return "CAST(" + only + " AS " + expression.type.ToString() + ")";
    }
  }
  if (function == "in" && !arguments.empty()) {
    return "(" + arguments[0] + " IN (" + Joined(arguments, 1) + "))";
  }
  if (function == "case_when") return CaseText(arguments);
  if (function == "lambda_variable") return VariableText(expression);
  if (function == "lambda" && !arguments.empty()) {
    return "(" + Joined(arguments, 1) + ") -> " + arguments[0];
  }
  return function + "(" + Joined(arguments, 0) + ")";
}

}  // namespace reprise
