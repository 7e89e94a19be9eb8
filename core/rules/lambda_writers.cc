// Writes lambdas and the functions that call them.
#include <algorithm>
#include <functional>

#include "rules/expression_writers.h"
#include "rules/guest_expressions.h"

namespace reprise::writers {

namespace {

constexpr std::string_view kVariable = "lambda_variable";
/// The variable's id in Spark's plan, until its lambda gives it a number.
constexpr const char* kId = "expr_id";
constexpr const char* kNumber = "variable";

void ForEachVariable(ExpressionSpec* spec, const std::function<void(ExpressionSpec*)>& visit) {
  if (spec->function == kVariable) visit(spec);
  for (ExpressionSpec& argument : spec->arguments) ForEachVariable(&argument, visit);
}

/// The first number that no lambda in the body has given.
int64_t FirstFree(ExpressionSpec* body) {
  int64_t free = 0;
  ForEachVariable(body, [&](ExpressionSpec* variable) {
    free = std::max(free, variable->attributes.value(kNumber, int64_t{-1}) + 1);
  });
  return free;
}

}  // namespace

Written LambdaVariable(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                       ExpressionTranslator& translator) {
  const int64_t id = ExprIdOf(expression.argument("exprId"));
  if (id < 0) return translator.Refuse(expression, "its id is not known");
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  spec.attributes[kId] = id;
  return spec;
}

// Numbers do not depend on the query that a lambda stands in: those of its variables follow on
// those of the lambdas inside.
Written Lambda(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator) {
  if (MaySeeOtherRows(expression.children[0])) {
    return translator.Refuse(expression, "its values may depend on other rows");
  }
  ExpressionSpec lambda = SpecOf(rule, expression, std::move(operands));
  int64_t number = FirstFree(&lambda.arguments[0]);
  for (size_t i = 1; i < lambda.arguments.size(); ++i, ++number) {
    const nlohmann::json id = lambda.arguments[i].attributes.value(kId, nlohmann::json());
    if (id.is_null()) return translator.Refuse(expression, "a parameter of it is no variable");
    ForEachVariable(&lambda, [&](ExpressionSpec* variable) {
      if (variable->attributes.value(kId, nlohmann::json()) != id) return;
      variable->attributes = {{kNumber, number}};
    });
  }
  return lambda;
}

Written Exists(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator) {
  const PlanValue* three_valued = expression.argument("followThreeValuedLogic");
  if (three_valued == nullptr || !three_valued->is(PlanValue::Kind::kBoolean)) {
    return translator.Refuse(expression, "how it treats nulls is not known");
  }
  Written spec = OfItems(rule, expression, std::move(operands), translator);
  if (spec) spec->attributes["three_valued"] = three_valued->boolean;
  return spec;
}

}  // namespace reprise::writers
