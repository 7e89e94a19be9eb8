// Nested types whose values JSON has as objects and arrays.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "plan/nested_type.h"

namespace reprise {

/// Whether JSON has the text as it is, between quotes.
bool IsPlainInJson(std::string_view text);

/// The tree of a nested type of structs, arrays, maps whose keys are strings, and in the end types
/// for which `is_leaf`. Nothing where something else stands in it: a name that JSON would have to
/// escape or that two fields of a struct have, a field with a default value.
std::optional<NestedType> ParseJsonTree(const DataType& type, bool (*is_leaf)(const DataType&));

/// Whether a map stands somewhere in it.
inline bool HasMap(const NestedType& tree) {
  return tree.form == NestedType::Form::kMap || std::ranges::any_of(tree.parts, HasMap);
}

/// The name of a field of a struct.
inline const std::string& FieldName(const NestedType& tree, size_t field) {
  return tree.arrow->field(static_cast<int>(field))->name();
}

}  // namespace reprise
