#include "vocabulary/casts.h"

#include "vocabulary/type_set.h"

namespace reprise {

bool CanCast(const DataType& from, const DataType& to) {
  if (from == to) return true;
  constexpr TypeSet kNumbers = kNumericTypes | kBooleanTypes;
  const bool to_string = to.is(TypeKind::kString);
  if (kTimeTypes.has(from)) {
    return to_string || to.is(TypeKind::kDate) || kTimeTypes.has(to) ||
           (from.is(TypeKind::kTimestamp) && (to.is_integral() || to.is_floating()));
  }
  if (kTimeTypes.has(to)) {
    return from.is(TypeKind::kDate) || (to.is(TypeKind::kTimestamp) && from.is_integral());
  }
  if (from.is(TypeKind::kString)) {
    return to.is_integral() || to.is(TypeKind::kDate) || to.is(TypeKind::kBinary);
  }
  if (from.is_floating()) {
    return kNumbers.has(to) && (!to.is(TypeKind::kDecimal) || to.precision <= kDigitsOfDoubleMax);
  }
  if (from.is(TypeKind::kDate)) return to_string;
  return kNumbers.has(from) && (kNumbers.has(to) || to_string);
}

}  // namespace reprise
