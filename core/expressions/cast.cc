// cast: chooses the conversion by its two types. What it offers is CanCast in vocabulary/casts.h.
// Input: one argument; attribute `ansi`. Output: the type of the cast. A value that does not fit
// wraps or is null, or is an error under ansi (Spark's Cast).
//   cast([1.5, null] as int) = [1, null]
#include "expressions/functions.h"

namespace reprise {

MadeExpression MakeCast(FunctionCall call) {
  const DataType from = call.arguments[0]->type();
  const DataType& to = call.spec.type;
  if (from == to) return std::move(call.arguments[0]);
  if (to.is(TypeKind::kString)) return MakeCastToString(std::move(call));
  if (from.is(TypeKind::kString)) return MakeCastFromString(std::move(call));
  const auto is_time = [](const DataType& type) {
    return type.is(TypeKind::kTimestamp) || type.is(TypeKind::kTimestampNtz);
  };
  if (is_time(from) || is_time(to)) return MakeCastTimestamp(std::move(call));
  if (to.is(TypeKind::kDecimal) && from.is_floating()) {
    return MakeCastDoubleToDecimal(std::move(call));
  }
  if (to.is(TypeKind::kDecimal)) return MakeCastToDecimal(std::move(call));
  if (from.is(TypeKind::kDecimal)) return MakeCastFromDecimal(std::move(call));
  return MakeNumericCast(std::move(call));
}

}  // namespace reprise
