// Writers of what rounds numbers and compares several.
#include <algorithm>

#include "rules/expression_writers.h"

namespace reprise::writers {

/// Round, BRound, RoundCeil and RoundFloor of a decimal, whose second operand is a literal scale.
/// Doubles are rounded through the digits that Java prints, which differ between its versions.
Written Rounded(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                ExpressionTranslator& translator) {
  const PlanObject* literal = expression.child(1);
  const PlanValue* scale = literal != nullptr ? literal->argument("value") : nullptr;
  if (operands.size() != 1 || scale == nullptr || !scale->is(PlanValue::Kind::kInteger)) {
    return translator.Refuse(expression, "a scale that is no literal is not supported natively");
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

/// Greatest and Least: operands of the type of the whole.
Written Alike(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
              ExpressionTranslator& translator) {
  if (operands.size() < 2) return translator.Refuse(expression, "it has fewer than two operands");
  for (const ExpressionSpec& operand : operands) {
    if (operand.type == *expression.type) continue;
    return translator.Refuse(
        expression, fmt::format("{} among {} is not supported natively", TypeText(operand.type),
                                TypeText(*expression.type)));
  }
  return SpecOf(rule, expression, std::move(operands));
}

}  // namespace reprise::writers
