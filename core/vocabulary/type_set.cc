#include "vocabulary/type_set.h"

namespace reprise {

std::string TypeSetText(TypeSet types) {
  if (types == kAllTypes) return "all";
  std::string text;
  for (int kind = 0; kind < static_cast<int>(TypeKind::kOther); ++kind) {
    if (!types.has(static_cast<TypeKind>(kind))) continue;
    if (!text.empty()) text += ", ";
    text += kind == static_cast<int>(TypeKind::kDecimal)
                ? "decimal"
                : DataType{static_cast<TypeKind>(kind)}.ToString();
  }
  return text;
}

}  // namespace reprise
