// Sets of kinds of types.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "plan/data_type.h"

namespace reprise {

/// A set of kinds of types.
struct TypeSet {
  uint32_t bits = 0;

  constexpr bool has(TypeKind kind) const { return (bits >> static_cast<uint32_t>(kind)) & 1; }
  constexpr bool has(const DataType& type) const { return has(type.kind); }
  constexpr TypeSet operator|(TypeSet other) const { return {bits | other.bits}; }
  constexpr bool operator==(const TypeSet&) const = default;
};

constexpr TypeSet TypesOf(std::initializer_list<TypeKind> kinds) {
  TypeSet set;
  for (const TypeKind kind : kinds) set.bits |= 1u << static_cast<uint32_t>(kind);
  return set;
}

inline constexpr TypeSet kBooleanTypes = TypesOf({TypeKind::kBoolean});
inline constexpr TypeSet kIntegralTypes =
    TypesOf({TypeKind::kByte, TypeKind::kShort, TypeKind::kInteger, TypeKind::kLong});
inline constexpr TypeSet kFloatingTypes = TypesOf({TypeKind::kFloat, TypeKind::kDouble});
inline constexpr TypeSet kDecimalTypes = TypesOf({TypeKind::kDecimal});
inline constexpr TypeSet kNumericTypes = kIntegralTypes | kFloatingTypes | kDecimalTypes;
inline constexpr TypeSet kTimeTypes = TypesOf({TypeKind::kTimestamp, TypeKind::kTimestampNtz});
/// What passes through operators, and is not computed with.
inline constexpr TypeSet kOpaqueTypes = TypesOf({TypeKind::kOther});
inline constexpr TypeSet kAllTypes =
    kBooleanTypes | kNumericTypes | kTimeTypes |
    TypesOf({TypeKind::kString, TypeKind::kBinary, TypeKind::kDate});

/// "boolean, tinyint, … " in the order of TypeKind; "all" for all of them.
std::string TypeSetText(TypeSet types);

}  // namespace reprise
