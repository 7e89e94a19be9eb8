// Which values are read of text files, and which JSON is written of.
#pragma once

#include <optional>
#include <utility>

#include "plan/data_type.h"
#include "plan/json_tree.h"

namespace reprise {

/// Whether columns of the type are read of CSV and JSON natively: it is made of no others.
inline bool IsTextType(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kByte:
    case TypeKind::kShort:
    case TypeKind::kInteger:
    case TypeKind::kLong:
    case TypeKind::kFloat:
    case TypeKind::kDouble:
    case TypeKind::kBoolean:
    case TypeKind::kDecimal:
    case TypeKind::kDate:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
    case TypeKind::kString:
      return true;
    default:
      return false;
  }
}

/// The tree of a nested type of which columns are read of JSON natively; nothing for others.
inline std::optional<NestedType> JsonTextTree(const DataType& type) {
  return ParseJsonTree(type, IsTextType);
}

/// Whether to_json writes values of the type, which is made of no others, natively.
inline bool IsWrittenAsJson(const DataType& type) {
  return type.is_integral() || type.is(TypeKind::kBoolean) || type.is(TypeKind::kString);
}

/// The tree of a nested type whose values to_json writes natively; nothing for others.
inline std::optional<NestedType> WrittenJsonTree(const DataType& type) {
  auto tree = ParseJsonTree(type, IsWrittenAsJson);
  return tree && !HasMap(*tree) ? std::move(tree) : std::nullopt;
}

}  // namespace reprise
