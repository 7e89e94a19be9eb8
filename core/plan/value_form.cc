#include "plan/value_form.h"

namespace reprise {

bool HaveSameForm(const DataType& left, const DataType& right) {
  if (left == right || !left.is(TypeKind::kOther) || !right.is(TypeKind::kOther)) {
    return left == right;
  }
  const DataType stored = StoredType(left);
  return !stored.is(TypeKind::kOther) && stored == StoredType(right);
}

}  // namespace reprise
