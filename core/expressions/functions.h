// The functions that make each kind of expression.
#pragma once

#include <memory>
#include <vector>

#include "expressions/expression.h"

namespace reprise {

/// What a Make function gets: the specification, the input's columns, and the arguments, already
/// made. The signature (vocabulary/signature.h) has been checked: number and types of the
/// arguments.
struct FunctionCall {
  const ExpressionSpec& spec;
  const std::vector<Field>& input;
  std::vector<std::unique_ptr<Expression>> arguments;
};

using MadeExpression = Result<std::unique_ptr<Expression>>;

// One for each row of the vocabulary.
#define EXPRESSION(spark_class, function, maker, signature, writer, limits) \
  MadeExpression maker(FunctionCall call);
#define EXPRESSION_AT EXPRESSION
#include "vocabulary/expressions.def"

MadeExpression MakeDecimalSum(FunctionCall call, bool subtract);  // decimal_sum.cc
MadeExpression MakeDecimalProduct(FunctionCall call);             // decimal_product.cc
MadeExpression MakeDecimalDivide(FunctionCall call);              // decimal_division.cc
MadeExpression MakeDecimalRemainder(FunctionCall call);
MadeExpression MakeDecimalIntegralDivide(FunctionCall call);

MadeExpression MakeNumericCast(FunctionCall call);          // cast_numeric.cc
MadeExpression MakeCastToDecimal(FunctionCall call);        // cast_to_decimal.cc
MadeExpression MakeCastDoubleToDecimal(FunctionCall call);  // cast_double_to_decimal.cc
MadeExpression MakeCastFromDecimal(FunctionCall call);      // cast_from_decimal.cc
MadeExpression MakeCastToString(FunctionCall call);         // cast_to_string.cc
MadeExpression MakeCastFromString(FunctionCall call);       // cast_from_string.cc
MadeExpression MakeCastTimestamp(FunctionCall call);        // cast_timestamp.cc

/// The boolean attribute `name` of the call, or Status::Invalid that names it.
Result<bool> BooleanAttribute(const ExpressionSpec& spec, const char* name);

}  // namespace reprise
