// Writers of what rounds numbers.
#include <algorithm>

#include "rules/expression_writers.h"

namespace reprise::writers {

namespace {

/// Whether a double is what an integer became that is no bigint.
bool IsOfInteger(const ExpressionSpec& operand) {
  if (operand.function != "cast") return false;
  const DataType& from = operand.arguments[0].type;
  return from.is_integral() && !from.is(TypeKind::kLong);
}

}  // namespace

/// Round, BRound, RoundCeil and RoundFloor of a decimal, whose second operand is a literal scale.
/// Doubles are rounded through the digits that Java prints, which differ between its versions.
Written Rounded(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                ExpressionTranslator& translator) {
  const PlanValue* scale = LiteralOf(rule, expression);
  if (scale == nullptr || !scale->is(PlanValue::Kind::kInteger)) {
    return RefuseLiteral(rule, expression, translator);
  }
  const DataType& from = operands[0].type;
  const int64_t digits = std::min<int64_t>(scale->integer, from.scale);
  if (digits < -37) return translator.Refuse(expression, "its scale is below -37");
  const int64_t before = std::max<int64_t>(from.precision - from.scale + 1, 1 - digits);
  const int64_t room = expression.type->precision - expression.type->scale;
  if (expression.type->scale != std::max<int64_t>(digits, 0) ||
      (room < before && !(digits == from.scale && room >= from.precision - from.scale))) {
    return translator.Refuse(expression, "its result may have more than 38 digits");
  }
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  spec.attributes["scale"] = digits;
  return spec;
}

/// Ceil and Floor, which since Spark 4.3 may be told to fail where a double has no whole bigint.
Written Whole(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
              ExpressionTranslator& translator) {
  const PlanValue* fails = expression.argument("failOnError");
  if (fails != nullptr && fails->boolean && operands[0].type.is(TypeKind::kDouble) &&
      !IsOfInteger(operands[0])) {
    return translator.Refuse(expression,
                             "since Spark 4.3 it fails in ANSI mode beyond the range of bigint");
  }
  return Plain(rule, expression, std::move(operands), translator);
}

}  // namespace reprise::writers
