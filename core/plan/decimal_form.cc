#include "plan/decimal_form.h"

#include <algorithm>
#include <string_view>

namespace reprise {

namespace {

using Kind = DecimalForm::Kind;

constexpr std::string_view kSums[] = {"add", "subtract"};
// What hands on its operand, at another precision and scale perhaps.
constexpr std::string_view kPassing[] = {"negate", "abs",   "check_overflow", "ceil",
                                         "floor",  "round", "bround"};

template <size_t kSize>
bool IsOneOf(const ExpressionSpec& expression, const std::string_view (&names)[kSize]) {
  return std::ranges::find(names, expression.function) != std::end(names);
}

DecimalForm OfType(const DataType& type) {
  return {type.is_short_decimal() ? Kind::kLong : Kind::kBigDecimal, {}};
}

DecimalForm OfLiteral(const ExpressionSpec& literal) {
  const auto value = literal.attributes.find("value");
  if (value == literal.attributes.end() || !value->is_string()) return {Kind::kEither, {}};
  std::string_view digits = value->get_ref<const std::string&>();
  if (digits.starts_with('-')) digits.remove_prefix(1);
  return {digits.size() <= kFormlessDigits ? Kind::kEither : Kind::kBigDecimal, {}};
}

// With the expression itself among the steps where its type has room for more than a long.
DecimalForm WithStep(DecimalForm form, const ExpressionSpec& expression) {
  if (form.kind == Kind::kLong && !expression.type.is_short_decimal()) {
    form.steps.push_back(&expression);
  }
  return form;
}

DecimalForm OfSum(const ExpressionSpec& sum) {
  DecimalForm left = DecimalFormOf(sum.arguments[0]);
  DecimalForm right = DecimalFormOf(sum.arguments[1]);
  if (sum.arguments[0].type.scale != sum.arguments[1].type.scale) return {Kind::kBigDecimal, {}};
  for (const DecimalForm* side : {&left, &right}) {
    if (side->kind == Kind::kBigDecimal || side->kind == Kind::kEither) {
      return {Kind::kBigDecimal, {}};
    }
  }
  if (left.kind == Kind::kMixed || right.kind == Kind::kMixed) return {Kind::kMixed, {}};
  left.steps.insert(left.steps.end(), right.steps.begin(), right.steps.end());
  return WithStep(std::move(left), sum);
}

DecimalForm OfBranches(const ExpressionSpec& expression) {
  DecimalForm all{Kind::kEither, {}};
  for (const ExpressionSpec& argument : expression.arguments) {
    if (!argument.type.is(TypeKind::kDecimal)) continue;  // a condition
    DecimalForm form = DecimalFormOf(argument);
    if (form.kind == Kind::kEither) continue;
    // Steps are values of all branches, of which a row has one: they cannot be asked for.
    if (form.kind == Kind::kMixed || !form.steps.empty()) return {Kind::kMixed, {}};
    if (all.kind != Kind::kEither && all.kind != form.kind) return {Kind::kMixed, {}};
    all = std::move(form);
  }
  return all;
}

}  // namespace

DecimalForm DecimalFormOf(const ExpressionSpec& expression) {
  constexpr std::string_view kLeaves[] = {"column", "runtime_value"};
  constexpr std::string_view kBranching[] = {"if", "case_when", "coalesce", "greatest", "least"};
  if (expression.function == "literal") return OfLiteral(expression);
  if (IsOneOf(expression, kLeaves)) return OfType(expression.type);
  if (IsOneOf(expression, kBranching)) return OfBranches(expression);
  if (IsOneOf(expression, kSums) && expression.arguments.size() == 2) return OfSum(expression);
  if (expression.function == "make_decimal") {
    return WithStep({Kind::kLong, {}}, expression);
  }
  if (expression.arguments.empty()) return {Kind::kBigDecimal, {}};
  const ExpressionSpec& operand = expression.arguments[0];
  const bool of_decimal = operand.type.is(TypeKind::kDecimal);
  if (expression.function == "cast" && !of_decimal) {
    return WithStep({Kind::kLong, {}}, expression);
  }
  if (of_decimal && (expression.function == "cast" || IsOneOf(expression, kPassing))) {
    return WithStep(DecimalFormOf(operand), expression);
  }
  return {Kind::kBigDecimal, {}};
}

}  // namespace reprise
