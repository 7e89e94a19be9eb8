// Makes expressions from specs, by the rows of the vocabulary.
#include <algorithm>
#include <span>

#include "expressions/functions.h"
#include "expressions/query_context.h"
#include "vocabulary/functions.h"

namespace reprise {

namespace {

struct Function {
  std::string_view name;
  MadeExpression (*make)(FunctionCall);
};

constexpr Function kFunctions[] = {
#define EXPRESSION(spark_class, function, maker, signature, writer, limits) {function, maker},
#define EXPRESSION_AT EXPRESSION
#include "vocabulary/expressions.def"
};

}  // namespace

Result<std::unique_ptr<Expression>> MakeExpression(const ExpressionSpec& spec,
                                                   const std::vector<Field>& input) {
  const auto* function = std::ranges::find(kFunctions, spec.function, &Function::name);
  if (function == std::end(kFunctions)) {
    return Status::NotImplemented("there is no function \"", spec.function, "\"");
  }
  RETURN_NOT_OK(ToArrow(spec.type));
  FunctionCall call{spec, input, {}};
  std::vector<DataType> types;
  for (const ExpressionSpec& argument : spec.arguments) {
    ARROW_ASSIGN_OR_RAISE(auto made, MakeExpression(argument, input));
    types.push_back(made->type());
    call.arguments.push_back(std::move(made));
  }
  RETURN_NOT_OK(CheckSignature(spec, types));
  ARROW_ASSIGN_OR_RAISE(auto made, function->make(std::move(call)));
  return WithQueryContext(std::move(made), spec);
}

Result<bool> BooleanAttribute(const ExpressionSpec& spec, const char* name) {
  const auto found = spec.attributes.find(name);
  if (found == spec.attributes.end() || !found->is_boolean()) {
    return Status::Invalid(spec.function, " has no boolean attribute \"", name, "\"");
  }
  return found->get<bool>();
}

}  // namespace reprise
