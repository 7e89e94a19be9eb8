// Spark's types that are made of others, as trees.
#pragma once

#include <arrow/type.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "plan/data_type.h"

namespace reprise {

/// Where a field has no id.
inline constexpr int32_t kNoFieldId = -1;

/// A type with the types that it is made of, and how values of it lie within others' bytes
/// (plan/nested_bytes.h).
struct NestedType {
  enum class Form { kPlain, kText, kCalendarInterval, kArray, kMap, kStruct };

  Form form = Form::kPlain;
  DataType type;                      ///< itself, where it is made of no others
  TypeKind stored = TypeKind::kNull;  ///< of kPlain
  int64_t element_bytes = 8;          ///< as an element of an array
  bool is_long_decimal = false;
  std::vector<NestedType> parts;  ///< element; key and value; fields
  /// As others read it: list, map and struct for Spark's arrays, maps and structs, utf8 for strings
  /// of any collation, char and varchar, month_day_nano_interval for calendar intervals, the type
  /// of a user type's values.
  std::shared_ptr<arrow::DataType> arrow;
  /// Of kStruct: the ids by which Parquet files know its fields ("parquet.field.id"), or
  /// kNoFieldId; empty where none has one.
  std::vector<int32_t> field_ids;

  int32_t FieldId(size_t field) const { return field_ids.empty() ? kNoFieldId : field_ids[field]; }
  /// Of kPlain, as what it stands in a word: decimals of at most 18 digits are numbers.
  TypeKind word_kind() const { return stored == TypeKind::kDecimal ? TypeKind::kLong : stored; }
};

/// How values of any type lie within others' bytes, where what they are made of does not matter: as
/// kPlain, nested ones as binary. Only for types that have an Arrow type (ToArrow).
NestedType PlainItemType(const DataType& type);

/// Whether items of the tree `part` are read and written as PlainItemType(type) has them.
bool HoldsPlainly(const NestedType& part, const DataType& type);

/// Whether `holds` of all types that a tree is made of in the end, those without parts.
template <typename Holds>
bool ConsistsOf(const NestedType& tree, Holds&& holds) {
  if (tree.parts.empty()) return holds(tree);
  return std::ranges::all_of(tree.parts,
                             [&](const NestedType& part) { return ConsistsOf(part, holds); });
}

/// The tree of a type of kind kOther; nothing where a part of it has no form that is known, or
/// where it is of another kind.
std::optional<NestedType> ParseNestedType(const DataType& type);

}  // namespace reprise
