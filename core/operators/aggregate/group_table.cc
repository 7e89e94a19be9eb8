#include "operators/aggregate/group_table.h"

#include <algorithm>

#include "operators/fixed_values.h"

namespace reprise {

Result<std::unique_ptr<GroupTable>> MakeGroupTable(const std::vector<DataType>& types,
                                                   arrow::MemoryPool* pool) {
  for (const DataType& type : types) RETURN_NOT_OK(ToArrow(type));
  std::vector<DataType> key_types;
  for (const DataType& type : types) key_types.push_back(StoredType(type));
  const bool fixed = std::ranges::all_of(key_types, [](const DataType& type) {
    return IsFixedType(type) || type.is(TypeKind::kNull);
  });
  if (fixed) return MakePackedKeyTable(key_types, pool);
  if (key_types.size() == 1) return MakeBytesKeyTable(key_types[0], pool);
  return MakeSerialisedKeyTable(key_types, pool);
}

}  // namespace reprise
