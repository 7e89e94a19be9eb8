// The types of what stands in arrays and maps.
#pragma once

#include <optional>

#include "plan/data_type.h"

namespace reprise {

/// Of an array type, the type of its elements; nothing of another type.
std::optional<DataType> ElementTypeOf(const DataType& array);

struct EntryTypes {
  DataType key;
  DataType value;
};
/// Of a map type, the types of its keys and values; nothing of another type.
std::optional<EntryTypes> EntryTypesOf(const DataType& map);

/// Types of which a value can be found among those of an array or the keys of a map: without parts,
/// of at most eight bytes, and strings.
bool CanBeFound(const DataType& type);

}  // namespace reprise
